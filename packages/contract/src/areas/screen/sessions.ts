import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, maybe, optional, orNull, time } from '../../core/schemas.ts'
import { beatFields } from './links.ts'

/** How a wall opens without a person, and what it says of itself. */

const open = { area: 'screen', permission: 'public', scope: { kind: 'none' }, movesEquipment: false, touches: [] } as const

/** 256 random bits, as the server made them. */
const Opaque = Type.String({ secret: true, pattern: '^[A-Za-z0-9_-]{43}$' })
const Browser = optional(maybe(300, 'What it calls itself'))

export const openScreen = call({
  ...open,
  name: 'openScreen',
  method: 'POST',
  path: '/screens/open',
  summary:
    'Open a wall: by the secret of the seat that this browser has, else by the key of a link, or by the claim of a code that was approved. Answers a session that makes six calls and no other',
  body: Type.Object(
    {
      Seat: optional(Opaque),
      Key: optional(Type.String({ secret: true, pattern: '^[0-9A-HJKMNP-TV-Z]{26}$', description: '128 bits' })),
      Claim: optional(Opaque),
      Browser,
    },
    { ...exact, minProperties: 1 },
  ),
  data: Type.Object(
    {
      UserID: Type.String({ description: 'The seat; it signs like an account' }),
      Token: Type.String(),
      ExpiresAt: time('it shows its secret again'),
      Seat: orNull(Type.String({ description: 'The secret from now on; null: as it was' })),
    },
    exact,
  ),
})

export const pairScreen = call({
  ...open,
  name: 'pairScreen',
  method: 'POST',
  path: '/screens/pair',
  summary: 'A code of ten minutes for a wall without a key: somebody approves it, and the claim opens the wall',
  body: Type.Object({ Browser }, exact),
  data: Type.Object({ Code: Type.String(), Claim: Type.String(), ExpiresAt: time('it ends') }, exact),
})

export const screenBeat = call({
  area: 'screen',
  permission: 'screen',
  scope: { kind: 'own' },
  movesEquipment: false,
  touches: [],
  keepsAlive: false,
  name: 'screenBeat',
  method: 'POST',
  path: '/screens/beat',
  summary: 'A wall says that it is there, every 30 seconds',
  body: Type.Object(beatFields, exact),
  data: Type.Object({ Now: time('by the server') }, exact),
})
