import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, ids, maybe, orNull, paging, search, sorting, time, VersionRead } from '../../core/schemas.ts'
import { PasswordMd5 } from '../account/account.ts'

const user = { area: 'people', permission: 'system.users', scope: { kind: 'own' } } as const
const mine = { area: 'people', permission: 'session', scope: { kind: 'own' } } as const

/** `platform` runs the installation, `project` owns a tree, `sub` works in it, `shared` belongs to another organisation and only looks. */
export const accountKinds = ['platform', 'project', 'sub', 'shared'] as const
export type AccountKind = (typeof accountKinds)[number]
export const sexes = ['male', 'female', 'unknown'] as const
export type Sex = (typeof sexes)[number]

const AccountID = Type.String({ format: 'uuid' })
const AccountTarget = Type.Object({ AccountID }, exact)
/** Checked by the handler, which says in words what an account name must be. */
const UserName = Type.String({
  maxLength: 64,
  description:
    'An 11-digit mobile number; 13 to 19 at its beginning. Of an administrator also a name of 3 to 32 letters, digits, `.`, `_` and `-` that begins with a letter',
})
const Mobile = Type.String({ pattern: '^[0-9+() -]{5,24}$' })
const Email = Type.String({ maxLength: 128, pattern: '^([^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+)?$' })
const ControlPassword = Type.Union([PasswordMd5, Type.Null()], { description: 'MD5; null takes it away' })

/** What an account sees: projects whole, and single gateways of others. */
const Assigned = Type.Object({ HouseIDs: ids(1_000), DeviceIDs: ids(2_000) }, exact)

export const UserRecord = Type.Object(
  {
    AccountID: Type.String(),
    UserName: Type.String(),
    NickName: Type.String(),
    Kind: Type.Enum(accountKinds, { description: 'The account property' }),
    RoleID: orNull(Type.Integer()),
    RoleName: Type.String(),
    Mobile: Type.String(),
    Email: Type.String(),
    Sex: Type.Enum(sexes),
    JobName: Type.String({ description: 'Duties' }),
    Remark: Type.String(),
    ControlPwd: Type.Boolean({ description: 'Whether a control password is set; never the password' }),
    SecondFactor: Type.Boolean({ description: 'Whether signing in takes a second factor' }),
    Enabled: Type.Boolean(),
    Assigned,
    OwnerID: orNull(Type.String()),
    OwnerName: Type.String(),
    CreatedAt: time('when it was made'),
    LastLoginAt: orNull(time('last sign-in')),
    Version: Type.Integer(),
  },
  exact,
)
export type UserRecord = Type.Static<typeof UserRecord>

const person = {
  UserName,
  NickName: called(32),
  Mobile: Type.Optional(Mobile),
  Email: Type.Optional(Email),
  Sex: Type.Optional(Type.Enum(sexes)),
  JobName: Type.Optional(maybe(64)),
  Remark: Type.Optional(maybe(200)),
  Password: PasswordMd5,
  Language: Type.Optional(
    Type.Enum(['CN', 'EN'], { description: 'How the console speaks to them; default: as to whoever adds them' }),
  ),
}

const under = Type.Optional(
  Type.String({ format: 'uuid', description: 'Platform administrator only: the project administrator it stands under' }),
)

/** What an account is given to see and to do. */
const given = [
  { kind: 'role', id: 'RoleID' },
  { kind: 'project', id: 'Assigned.HouseIDs' },
  { kind: 'gatewayId', id: 'Assigned.DeviceIDs' },
] as const
const madeAccount = [{ called: 'UserName' }, { owner: 'OwnerID' }, ...given] as const

export const addSubAccount = call({
  ...user,
  name: 'addSubAccount',
  subject: madeAccount,
  method: 'POST',
  path: '/users/sub',
  audited: true,
  touches: ['users', 'site', 'gateway'],
  summary: 'Add a sub-account with a role and at least one assigned project or gateway',
  body: Type.Object({ ...person, RoleID: id, ControlPassword: Type.Optional(ControlPassword), Assigned, OwnerID: under }, exact),
  data: UserRecord,
})

export const addSharedAccount = call({
  ...user,
  name: 'addSharedAccount',
  subject: madeAccount,
  method: 'POST',
  path: '/users/shared',
  audited: true,
  touches: ['users', 'site', 'gateway'],
  summary: 'Add a shared account for another organisation: it reads what is assigned and never operates',
  body: Type.Object({ ...person, RoleID: id, Assigned, OwnerID: under }, exact),
  data: UserRecord,
})

export const addAdministrator = call({
  ...user,
  name: 'addAdministrator',
  subject: [{ called: 'UserName' }],
  method: 'POST',
  path: '/users/plat',
  audited: true,
  permission: 'platform',
  touches: ['users', 'site', 'gateway'],
  summary: 'Add a project administrator, or another platform administrator',
  body: Type.Object(
    {
      ...person,
      Kind: Type.Optional(Type.Enum(['project', 'platform'], { description: 'Default project' })),
      ControlPassword: Type.Optional(ControlPassword),
    },
    exact,
  ),
  data: UserRecord,
})

const Filter = {
  UserName: search,
  NickName: search,
  Kind: Type.Optional(Type.Enum(accountKinds)),
  RoleID: Type.Optional(id),
  Enabled: Type.Optional(Type.Boolean()),
  ...sorting('UserName', 'NickName', 'Kind', 'RoleName', 'Enabled', 'LastLoginAt'),
}

export const listUsers = call({
  ...user,
  name: 'listUsers',
  method: 'POST',
  path: '/users/all',
  reads: true,
  shows: ['users'],
  summary: 'Accounts of my tree, newest first',
  body: Type.Object({ ...Filter, ...paging }, exact),
  datas: UserRecord,
})

export const reportUsers = call({
  ...user,
  name: 'reportUsers',
  method: 'GET',
  path: '/users/report',
  shows: ['users'],
  summary: 'Every account of the list at once, for export; at most 10,000',
  query: Type.Object(Filter, exact),
  datas: UserRecord,
})

export const accountDetails = call({
  ...mine,
  name: 'accountDetails',
  method: 'GET',
  path: '/users/details',
  changingPassword: true,
  shows: ['account'],
  summary: 'My own account, for the edit form',
  data: UserRecord,
})

export const deleteUser = call({
  ...user,
  name: 'deleteUser',
  subject: [{ kind: 'accountId', id: 'AccountID' }],
  method: 'PUT',
  path: '/users/delete',
  audited: true,
  touches: ['users', 'site', 'gateway'],
  summary: 'Remove an account; its sessions end, its entries in the log stay',
  body: AccountTarget,
})

export const editUser = call({
  ...mine,
  name: 'editUser',
  subject: [{ kind: 'accountId', id: 'AccountID' }, ...given],
  method: 'PUT',
  path: '/users/update',
  audited: true,
  changingPassword: true,
  touches: ['users', 'account', 'site', 'gateway'],
  summary: 'Edit my own account, or with the permission for users one of my tree',
  body: Type.Object(
    {
      AccountID,
      Version: VersionRead,
      NickName: Type.Optional(called(32)),
      Mobile: Type.Optional(
        Type.String({ pattern: '^([0-9+() -]{5,24})?$', description: 'Empty: none; one of my own account is needed' }),
      ),
      Email: Type.Optional(Email),
      JobName: Type.Optional(maybe(64)),
      Remark: Type.Optional(maybe(200)),
      Sex: Type.Optional(Type.Enum(sexes)),
      PasswordMD5: Type.Optional(PasswordMd5),
      ControlPassword: Type.Optional(ControlPassword),
      OldPasswordMD5: Type.Optional(
        Type.String({
          secret: true,
          pattern: '^[0-9a-f]{32}$',
          description: 'Own account: the present sign-in password, to change it or the control password',
        }),
      ),
      Grant: Type.Optional(
        Type.String({
          secret: true,
          minLength: 1,
          maxLength: 128,
          description: 'Own account with a control password: a grant for the operation `account:{AccountID}`, for any edit',
        }),
      ),
      RoleID: Type.Optional(id),
      Enabled: Type.Optional(Type.Boolean()),
      Assigned: Type.Optional(Assigned),
    },
    exact,
  ),
  data: UserRecord,
})

const SessionRecord = Type.Object(
  {
    SessionID: Type.String(),
    AccountID: Type.String(),
    UserName: Type.String(),
    CreatedAt: time('signed in'),
    LastUsedAt: time('last used'),
    Address: Type.String(),
    Current: Type.Boolean({ description: 'The session that asks' }),
    Remembered: Type.Boolean({ description: 'The device stays signed in when the session ends' }),
    Alive: Type.Boolean({ description: 'False: only the device is remembered, no session is open on it' }),
  },
  exact,
)

export const listSessions = call({
  ...mine,
  name: 'listSessions',
  method: 'GET',
  path: '/users/sessions',
  shows: ['sessions'],
  summary: 'Sessions of my own account; with the permission for users of one of my tree',
  query: Type.Object({ AccountID: Type.Optional(AccountID) }, exact),
  datas: SessionRecord,
})

export const endSession = call({
  ...mine,
  name: 'endSession',
  subject: [{ kind: 'accountId', id: 'AccountID' }],
  method: 'PUT',
  path: '/users/sessions/end',
  movesEquipment: false,
  audited: true,
  touches: ['sessions'],
  summary: 'End one session, or all of an account but the one that asks',
  body: Type.Object(
    { AccountID: Type.Optional(AccountID), SessionID: Type.Optional(Type.String({ pattern: '^r?[0-9]{1,18}$' })) },
    exact,
  ),
  data: Type.Object({ Ended: Type.Integer() }, exact),
})

export const partnerLogin = call({
  name: 'partnerLogin',
  method: 'POST',
  path: '/users/login/gd',
  movesEquipment: false,
  area: 'people',
  permission: 'public',
  scope: { kind: 'none' },
  touches: [],
  summary: 'Sign-on by a partner that this installation has registered',
  body: Type.Object(
    {
      AppID: Type.String({ pattern: '^[A-Za-z0-9_-]{1,32}$' }),
      UserName: Type.String({ minLength: 1, maxLength: 64 }),
      TimeStamp: Type.Integer({ minimum: 0, maximum: 253_402_300_799, description: 'Seconds; at most 300 off' }),
      Nonce: Type.String({ pattern: '^[A-Za-z0-9]{16,64}$', description: 'Taken once' }),
      Signature: Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          "HMAC-SHA-256, hex, under the partner's secret, of AppID, UserName, TimeStamp and Nonce joined by line feeds",
      }),
    },
    exact,
  ),
  data: Type.Object({ UserID: Type.String(), Token: Type.String(), ExpiresAt: Type.Integer() }, exact),
})

export const resetSecondFactor = call({
  ...user,
  name: 'resetSecondFactor',
  subject: [{ kind: 'accountId', id: 'AccountID' }],
  method: 'PUT',
  path: '/users/second/reset',
  audited: true,
  touches: ['users'],
  summary: "Turn somebody's second factor off who lost it; their sessions end",
  body: AccountTarget,
})
