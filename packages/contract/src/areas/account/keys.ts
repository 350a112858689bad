import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, optional, orNull, paging, time, uuid } from '../../core/schemas.ts'
import { LoginReply } from './account.ts'

/** Keys by which machines come in: each is of whoever made it, and may less than they (ADR 182). */
const keys = { area: 'account', permission: 'system.keys', scope: { kind: 'own' } } as const

/** Of one account, not counting those that are over. */
export const maxKeys = 20
export const maxKeyProjects = 50
export const maxKeyDays = 730

export const KeyRecord = Type.Object(
  {
    KeyID: uuid,
    Name: Type.String(),
    UserName: Type.String({ description: 'Whose it is: it never may more than this account' }),
    Projects: Type.Array(Type.Object({ HouseID: id, Name: Type.String() }, exact)),
    Operates: Type.Boolean({ description: 'It may operate single lines, too; else it reads' }),
    State: Type.Enum(['active', 'expired', 'revoked']),
    MadeAt: time('when it was made'),
    ExpiresAt: time('from when on it opens nothing'),
    LastUsedAt: orNull(time('when it was last used; null: never')),
    LastAddress: orNull(Type.String({ description: 'From where it last signed in' })),
  },
  exact,
)
export type KeyRecord = Type.Static<typeof KeyRecord>

export const listKeys = call({
  ...keys,
  name: 'listKeys',
  method: 'GET',
  path: '/users/keys',
  shows: ['keys', 'site'],
  summary: 'My API keys; of an administrator those of everybody in the tenant too, newest first',
  query: Type.Object(paging, exact),
  datas: KeyRecord,
})

export const addKey = call({
  ...keys,
  name: 'addKey',
  method: 'POST',
  path: '/users/keys',
  audited: true,
  touches: ['keys'],
  summary: 'Make an API key; its secret is answered once. Takes the password, given within five minutes',
  body: Type.Object(
    {
      Name: called(64),
      Projects: Type.Array(id, {
        ...{ minItems: 1, maxItems: maxKeyProjects, uniqueItems: true },
        description: 'HouseIDs: it sees these projects and nothing else. Each must be seen whole by whoever makes it',
      }),
      Days: Type.Integer({ minimum: 1, maximum: maxKeyDays, description: 'How long it is valid' }),
      Operates: optional(
        Type.Boolean({
          description:
            'Default false. True: trips, closes, silences and tests single lines where its maker may, under every rule of a person’s order',
        }),
      ),
    },
    exact,
  ),
  data: Type.Object({ Key: KeyRecord, Secret: Type.String({ description: 'Shown once' }) }, exact),
})

export const revokeKey = call({
  ...keys,
  name: 'revokeKey',
  method: 'PUT',
  path: '/users/keys/revoke',
  movesEquipment: false,
  audited: true,
  touches: ['keys', 'sessions'],
  summary: 'Revoke an API key at once: its sessions end, and it opens no other',
  body: Type.Object({ KeyID: uuid }, exact),
})

export const keySignIn = call({
  area: 'account',
  permission: 'public',
  scope: { kind: 'none' },
  name: 'keySignIn',
  method: 'PUT',
  path: '/users/login/key',
  movesEquipment: false,
  touches: [],
  summary: 'Turn an API key into a session; what it may is in docs/security.md, API keys',
  body: Type.Object(
    { KeyID: uuid, Secret: Type.String({ secret: true, pattern: '^[A-Za-z0-9_-]{43}$', description: 'As it was shown once' }) },
    exact,
  ),
  data: LoginReply,
})
