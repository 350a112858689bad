import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact } from '../../core/schemas.ts'

/** MD5 of the password, lower-case hex: the wire form of the specification. */
export const PasswordMd5 = Type.String({
  secret: true,
  pattern: '^[0-9a-f]{32}$',
  description: 'MD5 of the password, lower-case hex',
})
export const UserID = Type.String({ minLength: 1, maxLength: 64 })
export const Language = Type.Enum(['CN', 'EN'])

export const LoginRequest = Type.Object(
  {
    UserName: Type.String({ minLength: 1, maxLength: 64 }),
    Password: PasswordMd5,
    Remember: Type.Optional(Type.Boolean({ description: 'Give a handle by which this device signs in again' })),
  },
  exact,
)
export const LoginReply = Type.Object(
  {
    UserID,
    Token: Type.String(),
    ExpiresAt: Type.Integer({ description: 'Unix ms; the absolute end' }),
    Handle: Type.Optional(Type.String({ description: 'Good for one sign-in by `resume`, which answers the next' })),
  },
  exact,
)

export const login = call({
  name: 'login',
  method: 'PUT',
  path: '/users/login',
  movesEquipment: false,
  area: 'account',
  permission: 'public',
  scope: { kind: 'none' },
  touches: [],
  summary: 'Sign in',
  body: LoginRequest,
  data: LoginReply,
})

export const logout = call({
  name: 'logout',
  method: 'PUT',
  path: '/users/logout',
  movesEquipment: false,
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  touches: [],
  summary: 'End this session',
  body: Type.Object({ UserID }, exact),
  enrolling: true,
  changingPassword: true,
})

export const Privilege = Type.Object(
  { Name: Type.String(), Subs: Type.Array(Type.Object({ Name: Type.String() }, exact)) },
  exact,
)
export const Roles = Type.Object(
  { IsAdministrators: Type.Boolean(), Privileges: Type.Array(Privilege), LevelBtn: Type.Array(Type.String()) },
  exact,
)
export type Roles = Type.Static<typeof Roles>

export const Exposure = Type.Object(
  {
    Kind: Type.Enum(['console', 'mqtt', 'database', 'certificate', 'auditCopy']),
    Said: Type.Object({ zh: Type.String(), en: Type.String() }, { ...exact, description: 'What is wrong, and what to do' }),
  },
  exact,
)
export type Exposure = Type.Static<typeof Exposure>

export const UserInfo = Type.Object(
  {
    UserID,
    UserName: Type.String(),
    NickName: Type.String(),
    Roles,
    RoleName: Type.String(),
    ControlPwd: Type.Boolean({ description: 'Whether a control password is set; never the password' }),
    Language,
    Setting: Type.Integer({ description: '1: alarm sound on, 0: off' }),
    Shared: Type.Boolean({ description: 'A shared account: it reads, it never operates' }),
    Company: Type.Union([Type.Object({ Name: Type.String(), PlatLogo: Type.String() }, exact), Type.Null()], {
      description: 'Whose installation this is, with the address of its logo; null: nobody is named',
    }),
    ExtraRoute: Type.Union([Type.String(), Type.Null()], {
      description: 'The route that this account finds at position 4 of the menu as well; null: none. It gives no permission',
    }),
    Provider: Type.Union([Type.Object({ Name: Type.String(), Url: Type.String(), Host: Type.String() }, exact), Type.Null()], {
      description: "The provider's site, linked from the user menu where the console is opened on that host; null: none is set",
    }),
    Platform: Type.Boolean({ description: 'Whether this account runs the installation' }),
    MustChangePassword: Type.Boolean({
      description: 'Somebody else gave the password: nothing else is answered until it is changed',
    }),
    SecondFactor: Type.Enum(['off', 'on', 'required'], {
      description: '`required`: off, and nothing else is answered until it is on',
    }),
    Exposures: Type.Array(Exposure, {
      description:
        'What can be read or changed by others on the network as this installation is set up, or soon nobody can reach; told to platform administrators only',
    }),
  },
  exact,
)
export type UserInfo = Type.Static<typeof UserInfo>

export const userInfo = call({
  name: 'userInfo',
  method: 'GET',
  path: '/users',
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  summary: 'Who am I, and what may I do',
  data: UserInfo,
  enrolling: true,
  changingPassword: true,
})

export const phoneKeys = call({
  name: 'phoneKeys',
  method: 'GET',
  path: '/users/phonekeys',
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  summary: 'The keys under which a device keeps what I have not sent yet; always the same ones',
  data: Type.Object(
    {
      Keys: Type.Array(
        Type.Object(
          {
            Version: Type.Integer({ description: "Of the server's secret that it is made of; the highest is to be used" }),
            Key: Type.String({ secret: true, description: '256 bits, base64url' }),
          },
          exact,
        ),
        { minItems: 1 },
      ),
    },
    exact,
  ),
})

export const privileges = call({
  name: 'privileges',
  method: 'GET',
  path: '/users/privileges',
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  summary: 'The permissions of my role',
  data: Roles,
})

export const setLanguage = call({
  name: 'setLanguage',
  method: 'PUT',
  path: '/users/language/update',
  movesEquipment: false,
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  touches: [],
  summary: 'Set my language',
  body: Type.Object({ Language }, exact),
  enrolling: true,
  changingPassword: true,
})

export const switchSetting = call({
  name: 'switchSetting',
  method: 'GET',
  path: '/users/status/setting',
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  summary: 'My alarm-sound switch',
  query: Type.Object({ UserID }, exact),
  data: Type.Array(Type.Object({ Setting: Type.Integer() }, exact), {
    minItems: 1,
    maxItems: 1,
    description: '`Data[0].Setting`: so the specification has it',
  }),
})

export const setSwitchSetting = call({
  name: 'setSwitchSetting',
  method: 'PUT',
  path: '/users/status/setting',
  movesEquipment: false,
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  touches: [],
  summary: 'Switch my alarm sound on or off',
  body: Type.Object({ Setting: Type.Enum([0, 1]) }, exact),
})

export const grantControl = call({
  name: 'grantControl',
  method: 'POST',
  path: '/users/control/grant',
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  changingPassword: true,
  touches: [],
  summary: 'Exchange the control password for a one-use grant of 60 seconds, bound to this session and this operation',
  body: Type.Object(
    {
      Password: PasswordMd5,
      Operation: Type.String({
        maxLength: 200,
        pattern: '^[A-Za-z]+:[^\\s]{1,128}$',
        description:
          '`{attr}:{ControllerID}/{LineNo}` for one line; for groups and settings see docs/security.md, Operating equipment',
      }),
    },
    exact,
  ),
  data: Type.Object({ Grant: Type.String(), ExpiresAt: Type.Integer() }, exact),
})

export const liveTicket = call({
  name: 'liveTicket',
  onWalls: true,
  method: 'POST',
  path: '/live/ticket',
  movesEquipment: false,
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  touches: [],
  summary: 'A one-use ticket of 30 seconds for the live socket',
  data: Type.Object({ Ticket: Type.String(), ExpiresAt: Type.Integer() }, exact),
  keepsAlive: false,
})

/** Where a prepared file is fetched; the one-use ticket is the permission. */
export const downloadPath = '/api/v1/downloads/'

export const downloadProgress = call({
  name: 'downloadProgress',
  method: 'GET',
  path: '/downloads/:Ticket/progress',
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  summary: 'How far a download of mine is',
  params: Type.Object({ Ticket: Type.String({ minLength: 1, maxLength: 64 }) }, exact),
  data: Type.Object(
    {
      State: Type.Enum(['waiting', 'running', 'done', 'ended'], { description: '`ended`: stopped before it was complete' }),
      Rows: Type.Integer(),
      Share: Type.Number({ description: '0 to 1' }),
    },
    exact,
  ),
  keepsAlive: false,
  silent: true,
})

export const cancelDownload = call({
  name: 'cancelDownload',
  method: 'DELETE',
  path: '/downloads/:Ticket',
  movesEquipment: false,
  area: 'account',
  permission: 'session',
  scope: { kind: 'own' },
  touches: [],
  summary: 'Stop a download of mine',
  params: Type.Object({ Ticket: Type.String({ minLength: 1, maxLength: 64 }) }, exact),
})
