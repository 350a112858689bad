import { priorities } from '@linewarden/equipment'
import type { EventKind } from '@linewarden/rules/alarm'
import { alarmStates, eventKinds, incidentKinds, incidentRoles, suppressions } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull, Text } from '../../core/schemas.ts'

/**
 * As what each kind of event comes to whoever polls, and what is heard with it: an alarm, an error, or otherwise a work order (specification
 * section 3). An early warning is told like a fault, with which it has its page (section 2): it is nothing to run for, as an alarm is. A
 * journal entry is not told.
 */
export const announcements = {
  alarm: { type: 'alarm', sound: '/sounds/alarm.wav' },
  fault: { type: 'error', sound: '/sounds/error.wav' },
  warning: { type: 'error', sound: '/sounds/error.wav' },
  order: { type: 'order', sound: '/sounds/order.wav' },
  journal: { type: '', sound: '' },
} as const satisfies Readonly<Record<EventKind, { readonly type: string; readonly sound: string }>>

/** Where something happened, for people. A name is null where it happened above that, or the thing is gone. */
export const EventPlace = Type.Object(
  {
    HouseName: orNull(Type.String()),
    GatewayName: orNull(Type.String()),
    LineName: orNull(Type.String({ description: 'The line, or the device where all of it is meant' })),
  },
  exact,
)

export const EventRecord = Type.Object(
  {
    EventID: Type.String(),
    Kind: Type.Enum(eventKinds),
    Priority: Type.Enum(priorities),
    /** Key of the family's alarm, or `gateway.offline`, `gateway.stale`, `device.offline`, `device.stale`. */
    Key: Type.String(),
    Label: Text,
    Point: orNull(Type.String()),
    Value: orNull(Type.Number()),
    Limit: orNull(Type.Number()),
    Unit: Type.String(),
    /** ISA-18.2; journal entries have none. */
    State: orNull(Type.Enum(alarmStates)),
    HouseID: Type.Integer(),
    DeviceID: orNull(Type.Integer({ description: 'Null: of the project as a whole' })),
    LineID: orNull(Type.Integer()),
    ControllerID: orNull(Type.String()),
    LineNo: orNull(Type.Integer()),
    Where: EventPlace,
    RaisedAt: Type.Integer({ description: 'Device time, Unix ms; when it was raised first' }),
    LastRaisedAt: Type.Integer({ description: 'Device time of the newest raise, Unix ms' }),
    Raises: Type.Integer({ description: 'How often it was raised before somebody acknowledged it and it returned' }),
    AddTime: Type.Integer({ description: 'When the server stored it, Unix ms' }),
    AcknowledgedAt: orNull(Type.Integer()),
    AcknowledgedBy: orNull(Type.String()),
    /** When the acknowledgement runs out, where the condition is still there. */
    AcknowledgedUntil: orNull(Type.Integer({ description: 'Unix ms; null: it does not' })),
    ReturnedAt: orNull(Type.Integer()),
    /** Silent until then: it pops up nowhere and waits for nobody. */
    Shelved: orNull(
      Type.Object(
        {
          Until: Type.Integer({ description: 'Unix ms; once it is past, nothing is shelved any more' }),
          By: Type.String(),
          Reason: Type.String(),
        },
        exact,
      ),
    ),
    Suppressed: orNull(
      Type.Enum(suppressions, {
        description:
          '`tag`: out of service, a tag hangs on its place. `incident`: folded, the root of an incident shows for it. Null: neither',
      }),
    ),
    IncidentID: orNull(
      Type.String({
        description:
          'The incident that it is folded into, else whose root it is, else that it was folded into until it stood alone',
      }),
    ),
    Role: orNull(
      Type.Enum(incidentRoles, {
        description:
          '`child`: it is folded, the root shows for it, also when it is over. `root`: it shows for its children. Null: it stands by itself',
      }),
    ),
    /** Of the incident whose root it is: where one cause explains another, a child is a root itself. */
    Incident: Type.Optional(
      orNull(
        Type.Object(
          {
            IncidentID: Type.String(),
            Kind: Type.Enum(incidentKinds),
            Children: Type.Integer({
              description: 'Folded under it and still in need of somebody, as far as the caller sees them',
            }),
            Priority: Type.Enum(priorities, { description: 'The highest of it and of these children' }),
            Mark: Type.String({
              description: 'The newest call for somebody when these were counted; whoever acknowledges the incident says this',
            }),
          },
          exact,
        ),
      ),
      // Left out where an event is told as it comes: lists and polls count for whoever asks.
    ),
    Announced: Type.Integer({
      description: 'How often it was announced: raised, raised again after a while, or calling for somebody again',
    }),
    /** The first event of its series: the same alarm of the same place, each raised less than a day after the last return. */
    SeriesID: Type.String(),
    Occurrences: Type.Integer({ description: 'How often the alarm was raised in its series, up to its newest raise here' }),
    IsNewest: Type.Boolean({ description: 'False: a newer event of its series is there' }),
    /** At least three raises within a minute. */
    Chatter: orNull(
      Type.Object(
        {
          Since: Type.Integer({ description: 'Unix ms, by the equipment’s clock' }),
          Last: Type.Integer({ description: 'The newest raise that chattered' }),
        },
        exact,
      ),
    ),
    Fleeting: Type.Boolean({ description: 'Its newest raise returned within five seconds, and nobody did anything about it' }),
    /** Of the minutes around its newest raise. */
    Evidence: Type.Enum(['pending', 'ready', 'none'], {
      description: 'pending: on its way, or copied when somebody opens it; none: there is none of such an event',
    }),
    /** Back-filled: stored, shown in lists, never popped up. */
    Historical: Type.Boolean(),
    OrderID: Type.Optional(Type.Integer({ description: 'Of a notice, which is for one account: the work order that it is of' })),
  },
  exact,
)
export type EventRecord = Type.Static<typeof EventRecord>

/** The names of where an event happened, the widest first. */
export const placeNames = ({ HouseName, GatewayName, LineName }: EventRecord['Where']): readonly string[] =>
  [HouseName, GatewayName, LineName].filter((name) => name !== null)

export const eventDetails = call({
  name: 'eventDetails',
  method: 'GET',
  path: '/messages/:EventID',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  shows: ['events'],
  summary: 'One event as it is now',
  params: Type.Object({ EventID: Type.String({ pattern: '^[0-9]{1,18}$' }) }, exact),
  data: EventRecord,
})

export const isNewMessage = call({
  name: 'isNewMessage',
  method: 'GET',
  path: '/messages/isnew',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'own' },
  summary:
    'The newest event since the last poll of this session, or since what the caller has; the 6-second fallback of the live socket',
  query: Type.Object(
    {
      Since: Type.Optional(
        Type.String({
          pattern: '^[0-9]{0,18}$',
          description:
            '`Last` of the answer that came before, the number of an announcement, so that of several callers on one session each is told all, and nothing is lost with an answer; empty: none came yet. Left out: the session remembers what it was told',
        }),
      ),
    },
    exact,
  ),
  data: Type.Object(
    {
      IsNewMessage: Type.Boolean(),
      Type: Type.String({ description: '`alarm`, `error`, otherwise a work order' }),
      Url: Type.String({ description: 'Sound to play; empty when the alarm sound is off' }),
      AddTime: orNull(Type.Integer()),
      Content: Type.String(),
      Events: Type.Array(EventRecord, { description: 'Every event since the last poll, oldest first, at most 50' }),
      Last: Type.String({ description: 'Up to which announcement this tells' }),
    },
    exact,
  ),
  keepsAlive: false,
  silent: true,
})

export const listUnacknowledged = call({
  name: 'listUnacknowledged',
  method: 'POST',
  path: '/messages/unacknowledged',
  reads: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['events'],
  summary: 'Events that nobody has acknowledged yet, whether their condition is still there or not; `Total` counts them all',
  body: Type.Object(
    {
      HouseID: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
      Acknowledged: Type.Optional(
        Type.Boolean({ description: 'Also those that somebody has acknowledged while their condition is still there' }),
      ),
      Sort: Type.Optional(
        Type.Enum(['severest', 'newest'], {
          description: 'Worst priority first and of each the newest, or the newest first; default severest',
        }),
      ),
      After: Type.Optional(
        Type.String({
          pattern: '^[0-3]\\.[0-9]{1,18}$',
          description: '`Next` of the answer that came before, with the same order',
        }),
      ),
      Size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50' })),
    },
    exact,
  ),
  datas: EventRecord,
  about: Type.Object({ Next: orNull(Type.String({ description: 'Where the next page begins; null: this is the last' })) }, exact),
})

export const alarmFlood = call({
  name: 'alarmFlood',
  method: 'GET',
  path: '/messages/flood',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'own' },
  shows: ['events'],
  keepsAlive: false,
  silent: true,
  summary:
    'Whether more alarms than anybody can work on are announced to the caller: more than ten within ten minutes, until it is fewer than five. Nothing is dropped meanwhile',
  data: Type.Object(
    {
      Flood: orNull(
        Type.Object(
          {
            Since: Type.Integer({ description: 'Unix ms' }),
            Announced: Type.Integer({ description: 'Since the first of those that made it a flood' }),
            Folded: Type.Integer({
              description: 'Alarms that came since then, too, and are folded under roots that the caller sees',
            }),
            Incidents: Type.Integer({ description: 'Into so many incidents' }),
            More: Type.Boolean({ description: 'There are more of both than were counted' }),
          },
          exact,
        ),
      ),
    },
    exact,
  ),
})
