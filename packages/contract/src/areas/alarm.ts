import * as Type from 'typebox'
import { call } from '../call.ts'

const exact = { additionalProperties: false } as const
const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const text = Type.Object({ zh: Type.String(), en: Type.String() }, exact)

/** ISA-18.2 alarm states; journal entries have none. */
export const alarmStates = ['active', 'acknowledged', 'returned', 'normal'] as const

export const EventRecord = Type.Object(
  {
    EventID: Type.String(),
    Kind: Type.Enum(['alarm', 'fault', 'warning', 'journal']),
    Priority: Type.Enum(['critical', 'high', 'medium', 'low']),
    /** Key of the family's alarm, or `gateway.offline`, `gateway.stale`. */
    Key: Type.String(),
    Label: text,
    Point: orNull(Type.String()),
    Value: orNull(Type.Number()),
    Limit: orNull(Type.Number()),
    Unit: Type.String(),
    State: orNull(Type.Enum(alarmStates)),
    HouseID: Type.Integer(),
    DeviceID: Type.Integer(),
    LineID: orNull(Type.Integer()),
    ControllerID: orNull(Type.String()),
    LineNo: orNull(Type.Integer()),
    /** Where, for people: project / gateway / line. */
    Where: Type.String(),
    RaisedAt: Type.Integer({ description: 'Device time, Unix ms' }),
    AddTime: Type.Integer({ description: 'When the server stored it, Unix ms' }),
    AcknowledgedAt: orNull(Type.Integer()),
    AcknowledgedBy: orNull(Type.String()),
    ReturnedAt: orNull(Type.Integer()),
    /** Back-filled: stored, shown in lists, never popped up. */
    Historical: Type.Boolean(),
  },
  exact,
)
export type EventRecord = Type.Static<typeof EventRecord>

export const isNewMessage = call({
  name: 'isNewMessage',
  method: 'GET',
  path: '/messages/isnew',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'own' },
  summary: 'The newest event since the last poll of this session; the 6-second fallback of the live socket',
  data: Type.Object(
    {
      IsNewMessage: Type.Boolean(),
      Type: Type.String({ description: '`alarm`, `error`, otherwise a work order' }),
      Url: Type.String({ description: 'Sound to play; empty when the alarm sound is off' }),
      AddTime: orNull(Type.Integer()),
      Content: Type.String(),
      Events: Type.Array(EventRecord, { description: 'Every event since the last poll, oldest first, at most 50' }),
    },
    exact,
  ),
  keepsAlive: false,
  silent: true,
})

export const listEvents = call({
  name: 'listEvents',
  method: 'POST',
  path: '/messages/list',
  reads: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: 'Events, newest first',
  body: Type.Object(
    {
      HouseID: Type.Optional(Type.Integer({ minimum: 1 })),
      LineID: Type.Optional(Type.Integer({ minimum: 1 })),
      Open: Type.Optional(Type.Boolean({ description: 'Only events that still need somebody' })),
      Page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
      Size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    },
    exact,
  ),
  datas: EventRecord,
})

export const acknowledgeEvent = call({
  name: 'acknowledgeEvent',
  method: 'PUT',
  path: '/messages/:EventID/acknowledge',
  audited: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  summary: 'Acknowledge one event: somebody has seen it; it is not thereby done',
  params: Type.Object({ EventID: Type.String({ pattern: '^[0-9]{1,18}$' }) }, exact),
  data: EventRecord,
})
