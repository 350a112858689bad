import { tagKinds } from '@linewarden/rules/control'
import * as Type from 'typebox'
import { call, largeBodyBytes } from '../../core/call.ts'
import { Photo, StoredPhoto } from '../../core/photo.ts'
import { ControllerID, exact, LineTarget, linePlace, orNull, requiredText } from '../../core/schemas.ts'

const TagTarget = Type.Object({ ...linePlace, TagID: Type.String({ format: 'uuid' }) }, exact)

const onLine = { area: 'control', scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' } } as const

/** What a tag hangs on. It is in force on every line behind that, those born later too. */
const TagOn = Type.Enum(['line', 'device', 'gateway'])

/** A lock or tag of lock-out / tag-out. While one hangs, nobody and nothing closes or tests the line; a trip is always possible. */
export const TagRecord = Type.Object(
  {
    TagID: Type.String(),
    /** `lock`: a padlock is on the breaker, too. `tag`: the warning tag alone. */
    Kind: Type.Enum(tagKinds),
    On: TagOn,
    Holder: Type.String(),
    /** It is the caller's own. */
    Own: Type.Boolean(),
    Reason: Type.String(),
    Photo: Type.Boolean(),
    PlacedAt: Type.Integer(),
    ExpectedEnd: orNull(
      Type.Integer({ description: 'When its holder thinks to be done, Unix ms. Nothing happens by itself then' }),
    ),
    RemovedAt: orNull(Type.Integer()),
    RemovedBy: orNull(Type.String()),
    RemovedReason: orNull(Type.String()),
  },
  exact,
)
export type TagRecord = Type.Static<typeof TagRecord>

export const placeTag = call({
  ...onLine,
  name: 'placeTag',
  maxBodyBytes: largeBodyBytes,
  audited: true,
  method: 'POST',
  path: '/lines/:ControllerID/:LineNo/tags',
  permission: 'tagLines',
  touches: ['tags'],
  summary: 'Hang a lock or tag on a line, its device or its whole gateway; several people may each hang their own',
  params: LineTarget,
  body: Type.Object(
    {
      TagID: Type.String({ format: 'uuid', description: 'Made once per intent: sending it again hangs no second one' }),
      Kind: Type.Enum(tagKinds),
      On: Type.Optional({ ...TagOn, description: 'What it hangs on, seen from the line; left out: the line itself' }),
      Reason: requiredText(200),
      ExpectedEnd: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'Unix ms' })),
      Photo: Type.Optional(Photo),
    },
    exact,
  ),
  datas: TagRecord,
})

export const removeTag = call({
  ...onLine,
  name: 'removeTag',
  audited: true,
  method: 'DELETE',
  path: '/lines/:ControllerID/:LineNo/tags/:TagID',
  permission: 'tagLines',
  touches: ['tags'],
  summary: "Take one's own tag off wherever it hangs; an administrator may take off another's, with a reason",
  params: TagTarget,
  body: Type.Object({ Reason: Type.Optional(requiredText(200)) }, exact),
  datas: TagRecord,
})

export const lineTags = call({
  ...onLine,
  name: 'lineTags',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/tags',
  permission: 'devmon.realtime',
  shows: ['tags'],
  summary: 'Tags in force on a line, wherever they hang, then those that were, newest first',
  params: LineTarget,
  datas: TagRecord,
})

export const tagPhoto = call({
  ...onLine,
  name: 'tagPhoto',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/tags/:TagID/photo',
  permission: 'devmon.realtime',
  summary: 'The photo of a tag',
  params: TagTarget,
  data: StoredPhoto,
})

/** An inspection of a gateway's equipment, or of one device on it. Its lines cannot be closed or tested until it ends. */
export const InspectionRecord = Type.Object(
  {
    InspectionID: Type.String(),
    DeviceID: Type.Integer(),
    ControllerID: orNull(Type.String()),
    Actor: Type.String(),
    StartedAt: Type.Integer(),
    Until: Type.Integer(),
  },
  exact,
)
export type InspectionRecord = Type.Static<typeof InspectionRecord>

const onGateway = { area: 'control', scope: { kind: 'gateway', id: 'DeviceID' } } as const

export const inspect = call({
  ...onGateway,
  name: 'inspect',
  subject: [
    { kind: 'device', id: 'ControllerID' },
    { kind: 'gatewayId', id: 'DeviceID' },
  ],
  audited: true,
  method: 'PUT',
  path: '/devices/inspect',
  permission: 'lineSwitch',
  touches: ['inspections'],
  summary: 'Begin an inspection: for one minute nothing of the equipment can be closed or tested',
  body: Type.Object(
    { DeviceID: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), ControllerID: Type.Optional(ControllerID) },
    exact,
  ),
  data: InspectionRecord,
})

export const inspections = call({
  ...onGateway,
  name: 'inspections',
  method: 'GET',
  path: '/devices/:DeviceID/inspections',
  permission: 'devmon.realtime',
  shows: ['inspections'],
  summary: 'Inspections of a gateway, newest first',
  params: Type.Object({ DeviceID: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }, exact),
  datas: InspectionRecord,
})
