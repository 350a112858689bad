import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, orNull, Text, time, Version } from '../../core/schemas.ts'

/**
 * Detectors on NB-IoT and 4G report to their operator's platform, and the platform pushes to us. Each project has its own subscriptions,
 * each with an address and a secret of its own. What the platform itself sends is in docs/wire-protocol.md.
 */

const push = { area: 'push', permission: 'system.project', scope: { kind: 'project', id: 'HouseID' } } as const

const aPush = [
  { kind: 'push', project: 'HouseID', id: 'PushID' },
  { kind: 'project', id: 'HouseID' },
] as const

export const pushPlatforms = ['onenet', 'ctwing'] as const
export type PushPlatform = (typeof pushPlatforms)[number]

/** One product on a platform is one model of equipment. */
const Product = Type.Object(
  { ProductID: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), Model: Type.String({ minLength: 1, maxLength: 64 }) },
  exact,
)

export const PushRecord = Type.Object(
  {
    PushID: Type.Integer(),
    HouseID: Type.Integer(),
    Platform: Type.Enum(pushPlatforms),
    Name: Type.String(),
    Path: Type.String({ description: 'Where the platform pushes to, below this server; of CTWing without the key at its end' }),
    Products: Type.Array(Product),
    ReportingPeriodS: Type.Integer({
      description: 'How often its detectors report at least, in seconds; three missed ones are stale',
    }),
    Encrypted: Type.Boolean({ description: 'An AES key is set' }),
    Enabled: Type.Boolean(),
    Accepted: Type.Integer(),
    Refused: Type.Integer({ description: 'Wrong signature, too old, malformed, or too many' }),
    Duplicates: Type.Integer({ description: 'Sent again; nothing changed' }),
    SetAside: Type.Integer({ description: 'Accepted and then put in quarantine: unknown device or product, unreadable' }),
    Waiting: Type.Integer({ description: 'Accepted and not yet processed' }),
    LastAt: orNull(time('newest accepted push')),
    LastRefusedAt: orNull(time('newest refused push')),
    LastRefusal: orNull(Text),
    OwnerChangedAt: orNull(
      time('the project went to another owner, which disabled the subscription and its secret; null once there is a new secret'),
    ),
    Version: Type.Integer(),
  },
  exact,
)
export type PushRecord = Type.Static<typeof PushRecord>

const fields = {
  HouseID: id,
  Name: called(64),
  Products: Type.Array(Product, { maxItems: 50 }),
  ReportingPeriodS: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400, description: 'Default 86400' })),
}
const AesKey = Type.String({ secret: true, pattern: '^[\\x21-\\x7e]{16}$', description: "OneNET's key of its secure mode" })
const PushSecret = Type.Object({ Push: PushRecord, Secret: Type.String({ description: 'Shown once' }) }, exact)
const one = { HouseID: id, PushID: id }

export const listPushes = call({
  ...push,
  name: 'listPushes',
  method: 'GET',
  path: '/houses/push',
  shows: ['pushes'],
  summary: 'Subscriptions of a project at platforms of operators',
  query: Type.Object({ HouseID: id }, exact),
  datas: PushRecord,
})

export const addPush = call({
  ...push,
  name: 'addPush',
  method: 'POST',
  path: '/houses/push',
  audited: true,
  touches: ['pushes'],
  summary: 'Add a subscription; its secret is answered once',
  body: Type.Object({ ...fields, Platform: Type.Enum(pushPlatforms), AesKey: Type.Optional(AesKey) }, exact),
  data: PushSecret,
})

export const editPush = call({
  ...push,
  name: 'editPush',
  subject: aPush,
  method: 'PUT',
  path: '/houses/push',
  audited: true,
  touches: ['pushes'],
  summary: 'Edit a subscription, or switch it off; an AES key left out stays, null takes it away',
  body: Type.Object({ ...fields, PushID: id, Enabled: Type.Boolean(), AesKey: Type.Optional(orNull(AesKey)), Version }, exact),
  data: PushRecord,
})

export const rotatePush = call({
  ...push,
  name: 'rotatePush',
  subject: aPush,
  method: 'PUT',
  path: '/houses/push/secret',
  audited: true,
  touches: ['pushes'],
  summary: 'Give a subscription a new secret; the old one counts no more',
  body: Type.Object(one, exact),
  data: PushSecret,
})

export const deletePush = call({
  ...push,
  name: 'deletePush',
  subject: aPush,
  method: 'PUT',
  path: '/houses/push/delete',
  audited: true,
  touches: ['pushes'],
  summary: 'Remove a subscription; what its detectors reported stays',
  body: Type.Object(one, exact),
})
