import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact } from '../../core/schemas.ts'
import { LoginReply, PasswordMd5 } from './account.ts'

const open = { area: 'account', permission: 'public', scope: { kind: 'none' } } as const
const mine = { area: 'account', permission: 'session', scope: { kind: 'own' } } as const

/** 256 random bits, as the server made them. */
const Opaque = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })
const Code = Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits of the authenticator app (RFC 6238)' })

export const resume = call({
  ...open,
  name: 'resume',
  method: 'PUT',
  path: '/users/login/remembered',
  movesEquipment: false,
  touches: [],
  summary:
    'Sign in on a device that was remembered; answers the next handle. Such a session gives the password before it operates',
  body: Type.Object({ Handle: Opaque }, exact),
  data: LoginReply,
})

export const giveSecondFactor = call({
  ...open,
  name: 'giveSecondFactor',
  method: 'PUT',
  path: '/users/login/second',
  movesEquipment: false,
  touches: [],
  summary: 'The second step of a sign-in that was answered `second factor needed`',
  body: Type.Object(
    {
      Step: Opaque,
      Code: Type.String({
        pattern: '^([0-9]{6}|[A-Z2-7]{4}(-[A-Z2-7]{4}){2}|[A-Z2-7]{4}(-[A-Z2-7]{4}){5})$',
        description: 'A code of the authenticator app, or a recovery code',
      }),
    },
    exact,
  ),
  data: LoginReply,
})

export const redeemSignOn = call({
  ...open,
  name: 'redeemSignOn',
  method: 'PUT',
  path: '/users/login/signon',
  movesEquipment: false,
  touches: [],
  summary: "Turn the ticket of a finished sign-on at the organisation's own provider into a session",
  body: Type.Object({ Ticket: Opaque, Bind: Opaque }, exact),
  data: LoginReply,
})

/** Where a browser goes to sign on at the organisation's provider, with 256 random bits as `bind`, and where the provider sends it back to. */
export const signOnPath = '/api/v1/users/signon'

export const proveSession = call({
  ...mine,
  name: 'proveSession',
  method: 'PUT',
  path: '/users/session/prove',
  movesEquipment: false,
  changingPassword: true,
  touches: [],
  summary:
    'Give the password: in a session that began without it, so that it may operate, or again; the session goes on under another token',
  body: Type.Object({ Password: PasswordMd5 }, exact),
  data: Type.Object({ Token: Type.String({ description: 'Signs from now on; the former one counts ten more seconds' }) }, exact),
})

export const secondFactor = call({
  ...mine,
  name: 'secondFactor',
  method: 'GET',
  path: '/users/second',
  shows: ['secondFactor'],
  summary: 'Whether my sign-in takes a second factor',
  data: Type.Object(
    {
      On: Type.Boolean(),
      Required: Type.Boolean({ description: 'Whether this installation asks it of me' }),
      RecoveryCodes: Type.Integer({ description: 'How many are left' }),
    },
    exact,
  ),
  enrolling: true,
})

export const beginSecondFactor = call({
  ...mine,
  name: 'beginSecondFactor',
  method: 'POST',
  path: '/users/second/begin',
  movesEquipment: false,
  touches: ['secondFactor'],
  summary: 'A new key for my authenticator app; it counts once a code of it was given',
  body: Type.Object({ Password: PasswordMd5 }, exact),
  data: Type.Object(
    {
      Key: Type.String({ description: 'Base32, to be typed where no picture can be read' }),
      Uri: Type.String({ description: '`otpauth://`, to be shown as a QR code' }),
    },
    exact,
  ),
  enrolling: true,
})

const RecoveryCodes = Type.Object(
  { RecoveryCodes: Type.Array(Type.String(), { description: 'Shown once; each is good for one sign-in' }) },
  exact,
)

export const confirmSecondFactor = call({
  ...mine,
  name: 'confirmSecondFactor',
  method: 'PUT',
  path: '/users/second/confirm',
  movesEquipment: false,
  touches: ['secondFactor', 'account', 'users'],
  summary: 'Turn my second factor on with a code of the new key; my other sessions end',
  body: Type.Object({ Code }, exact),
  data: RecoveryCodes,
  enrolling: true,
})

export const renewRecoveryCodes = call({
  ...mine,
  name: 'renewRecoveryCodes',
  method: 'PUT',
  path: '/users/second/codes',
  movesEquipment: false,
  touches: ['secondFactor'],
  summary: 'Ten new recovery codes instead of those I have',
  body: Type.Object({ Code }, exact),
  data: RecoveryCodes,
})

export const removeSecondFactor = call({
  ...mine,
  name: 'removeSecondFactor',
  method: 'PUT',
  path: '/users/second/remove',
  movesEquipment: false,
  touches: ['secondFactor', 'account', 'users'],
  summary: 'Turn my second factor off, with the password and a code',
  body: Type.Object({ Password: PasswordMd5, Code }, exact),
})
