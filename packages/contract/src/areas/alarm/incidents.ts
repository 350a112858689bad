import { priorities } from '@linewarden/equipment'
import { incidentKinds } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, orNull, paging, Text, time } from '../../core/schemas.ts'
import { Outcomes, raisesAsShown } from './acknowledging.ts'
import { EventRecord } from './alarm.ts'

const incidentNumber = Type.String({ pattern: '^[0-9]{1,18}$' })
const params = Type.Object({ IncidentID: incidentNumber }, exact)

/** Events of one cause: the root, which is shown, and the children, which are folded under it. */
export const IncidentRecord = Type.Object(
  {
    IncidentID: Type.String(),
    Kind: Type.Enum(incidentKinds),
    HouseID: orNull(Type.Integer()),
    Root: orNull(EventRecord),
    OpenedAt: Type.Integer({ description: 'Unix ms' }),
    EndedAt: orNull(Type.Integer({ description: 'When the root returned, Unix ms; null: it is still there' })),
    ClosedAt: orNull(
      Type.Integer({
        description:
          'Since when nothing is folded into it any more, and what was still there stands alone, Unix ms; null: it is open',
      }),
    ),
    Priority: orNull(Type.Enum(priorities, { description: 'The highest of the root and the children that still need somebody' })),
    Present: Type.Integer({ description: 'Children that are folded and still need somebody, as far as the caller sees them' }),
    Total: Type.Integer({ description: 'All that were ever folded, as far as the caller sees them' }),
    Children: Type.Array(
      Type.Object(
        { Key: Type.String(), Label: Text, Priority: Type.Enum(priorities), Present: Type.Integer(), Total: Type.Integer() },
        exact,
      ),
      { description: 'The children by key and priority, the gravest first' },
    ),
  },
  exact,
)
export type IncidentRecord = Type.Static<typeof IncidentRecord>

export const listIncidents = call({
  name: 'listIncidents',
  method: 'POST',
  path: '/incidents/query',
  reads: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['events'],
  summary:
    'Incidents, newest first: the events of one cause, counted. A cause with no children is no incident. Its events: `IncidentID` of `/messages/list`',
  body: Type.Object(
    {
      HouseID: optional(id),
      DeviceID: optional(id),
      Kinds: optional(Type.Array(Type.Enum(incidentKinds), { minItems: 1, maxItems: incidentKinds.length })),
      Open: optional(
        Type.Boolean({ description: 'Only those whose root is still there, or only those whose root has returned' }),
      ),
      From: optional(time('Opened then or later')),
      To: optional(time('Opened before')),
      ...paging,
    },
    exact,
  ),
  datas: IncidentRecord,
})

export const getIncident = call({
  name: 'getIncident',
  subject: [{ kind: 'incident', id: 'IncidentID' }],
  method: 'GET',
  path: '/incidents/:IncidentID',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'own' },
  shows: ['events'],
  summary: 'One incident with its present children by key and priority',
  params,
  data: IncidentRecord,
})

export const acknowledgeIncident = call({
  name: 'acknowledgeIncident',
  subject: [{ kind: 'incident', id: 'IncidentID' }],
  method: 'PUT',
  path: '/incidents/:IncidentID/acknowledge',
  audited: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'own' },
  touches: ['events'],
  summary:
    'Acknowledge the root of an incident and whatever is folded under it, as far as the caller sees it; each event is named in the log',
  params,
  query: Type.Object(
    {
      Raises: optional(raisesAsShown),
      Mark: optional(
        Type.String({
          pattern: '^[0-9]{1,18}$',
          description:
            '`Incident.Mark` of the root as the caller was shown it: what was raised since under it is not acknowledged',
        }),
      ),
    },
    exact,
  ),
  data: Outcomes,
})

export const standAlone = call({
  name: 'standAlone',
  method: 'PUT',
  path: '/messages/:EventID/alone',
  audited: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  touches: ['events'],
  summary:
    'Take an event out of the incident that it was folded into by mistake: it is shown again, unacknowledged, announced, and folded into none any more',
  params: Type.Object({ EventID: incidentNumber }, exact),
  data: EventRecord,
})
