import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, optional } from '../../core/schemas.ts'
import { EventRecord } from './alarm.ts'
import { eventFilter } from './event-list.ts'

/** How many events one press acknowledges by their numbers. */
export const maxAcknowledged = 500
/** Of how many events an answer says what became of each. */
export const maxOutcomes = 50

const EventID = Type.String({ pattern: '^[0-9]{1,18}$' })
const maxRaises = 2_147_483_647

/** `Raises` of one event as its caller was shown it; left out, whatever is there when the call arrives is acknowledged. */
export const raisesAsShown = Type.Integer({
  minimum: 0,
  maximum: maxRaises,
  description: '`Raises` of the event as the caller was shown it: if it was raised since, it is not acknowledged',
})

/** What became of an event that somebody acknowledged together with others. */
export const acknowledgeOutcomes = ['acknowledged', 'already', 'raisedAgain', 'gone', 'notPermitted'] as const

export const Outcomes = Type.Object(
  {
    Acknowledged: Type.Integer({ description: 'By this call' }),
    Already: Type.Integer({ description: 'By somebody before, or nothing of it is left to acknowledge' }),
    RaisedAgain: Type.Integer({
      description:
        'Raised, or raised once more, since the caller was shown it: nobody has seen that, and it waits for an acknowledgement',
    }),
    Gone: Type.Integer({ description: 'No event that the caller sees' }),
    NotPermitted: Type.Integer({ description: 'Journal entries and work orders, which nobody acknowledges' }),
    Outcomes: Type.Array(Type.Object({ EventID: Type.String(), Outcome: Type.Enum(acknowledgeOutcomes) }, exact), {
      maxItems: maxOutcomes,
      description: `Of ${maxOutcomes} events at most, those first that this call did not acknowledge`,
    }),
  },
  exact,
)

export const acknowledgeEvents = call({
  name: 'acknowledgeEvents',
  subject: [{ kind: 'event', id: 'EventIDs' }],
  method: 'PUT',
  path: '/messages/acknowledge',
  audited: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'own' },
  touches: ['events'],
  summary: 'Acknowledge several events that somebody has seen, each by itself; acknowledging again changes nothing',
  body: Type.Object(
    {
      EventIDs: Type.Array(EventID, { minItems: 1, maxItems: maxAcknowledged, uniqueItems: true }),
      Raises: optional(
        Type.Array(Type.Integer({ minimum: 0, maximum: maxRaises }), {
          maxItems: maxAcknowledged,
          description:
            '`Raises` of each, in the same order, as the caller was shown it: one that was raised since is not acknowledged',
        }),
      ),
    },
    exact,
  ),
  data: Outcomes,
})

export const acknowledgeMatching = call({
  name: 'acknowledgeMatching',
  subject: [
    { kind: 'project', id: 'Filter.HouseID' },
    { kind: 'group', id: 'Filter.CityID' },
    { kind: 'gatewayId', id: 'Filter.DeviceID' },
    { kind: 'device', id: 'Filter.ControllerID' },
    { kind: 'incident', id: 'Filter.IncidentID' },
  ],
  method: 'PUT',
  path: '/messages/acknowledge/matching',
  audited: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'own' },
  touches: ['events'],
  summary: 'Acknowledge every event of a filter that nobody has acknowledged, up to the newest that the caller was shown',
  body: Type.Object(
    {
      Filter: Type.Object(eventFilter, exact),
      UpTo: Type.String({
        pattern: '^[0-9]{1,18}$',
        description: '`UpTo` of the list that the caller was shown: nothing newer is acknowledged',
      }),
      Mark: Type.String({
        pattern: '^[0-9]{1,18}$',
        description:
          '`Mark` of that list: nothing that called for somebody since is acknowledged, be it an event that was listed',
      }),
      Expect: Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description:
          'How many of them wait for an acknowledgement, as the caller was shown; when it is more than a tenth off, nothing is acknowledged',
      }),
    },
    exact,
  ),
  data: Outcomes,
})

export const acknowledgeEvent = call({
  name: 'acknowledgeEvent',
  method: 'PUT',
  path: '/messages/:EventID/acknowledge',
  movesEquipment: false,
  audited: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  touches: ['events'],
  summary: 'Acknowledge one event: somebody has seen it; it is not thereby done',
  params: Type.Object({ EventID }, exact),
  query: Type.Object({ Raises: optional(raisesAsShown) }, exact),
  data: EventRecord,
})
