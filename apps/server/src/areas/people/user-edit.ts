import type { editUser, Request, UserRecord } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { mayGive, provedLately } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfAccount } from '../../audit/audited.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import { roleById } from '../../store/people/role.ts'
import type { StoredUser, UserChange } from '../../store/people/user.ts'
import * as stored from '../../store/people/user.ts'
import { checkAssigned } from './assigning.ts'
import type { UserDeps } from './user-deps.ts'
import { recordOf } from './user-record.ts'

type Body = Request<typeof editUser>['body']

/** Whether it says where somebody is reached: who found a console open would be reached instead. */
const mobileMissing = { Path: 'body.Mobile', Text: { zh: '联系方式不能为空', en: 'Enter a phone number' } } as const

const isElsewhere = (user: StoredUser, { Mobile, Email }: Body): boolean =>
  (Mobile !== undefined && Mobile !== user.mobile) || (Email !== undefined && Email !== user.email)

/** Editing an account: one's own, with its proof, or one of the own tenant. */
export function createUserEdit(
  { database, plant, accounts, rightsChanged, clock, log }: UserDeps,
  reach: (actor: Actor, accountId: string) => Promise<StoredUser>,
) {
  return { edit }

  async function edit(actor: Actor, body: Body): Promise<UserRecord> {
    const isOwn = body.AccountID === actor.accountId
    if (actor.mustChangePassword && !(isOwn && body.PasswordMD5 !== undefined)) throw new Refusal('password must change')
    const user = isOwn ? await own(actor, body) : await reach(actor, body.AccountID)
    const { HouseIDs, DeviceIDs } = body.Assigned ?? { HouseIDs: [], DeviceIDs: [] }
    if (body.Assigned && HouseIDs.length + DeviceIDs.length === 0) throw new Refusal('no device assigned')
    const change = await changeOf(actor, user, body)
    const action = change.passwordHash === undefined ? 'account.edit' : 'account.password'
    const audit = { ...by(actor, clock(), action, tenantOfAccount(user)), ...ofAccount(user.userName) }
    if (!(await stored.updateUser(database, user.accountId, body.Version, change, audit))) throw new Refusal('changed meanwhile')
    const otherRole = change.roleId !== undefined && change.roleId !== user.roleId
    if (change.passwordHash !== undefined || otherRole || change.disabled === true) await accounts.endSessions(user.accountId)
    if (body.Assigned) await assign(actor, user, body.Assigned)
    const after = await stored.userById(database, user.accountId)
    if (!after) throw new Refusal('username notexists')
    return recordOf(after)
  }

  /** The edit itself stands by now, so whatever fails here is told as what it is. */
  async function assign(actor: Actor, user: StoredUser, wanted: NonNullable<Body['Assigned']>): Promise<void> {
    try {
      const assigned = checkAssigned(plant, actor, user.ownerId, wanted)
      const audit = { ...by(actor, clock(), 'account.assign', tenantOfAccount(user)), ...ofAccount(user.userName) }
      await stored.reassign(database, user.accountId, assigned, audit)
    } catch (error) {
      log.info({ err: error, account: user.userName }, 'edited, but the devices could not be assigned')
      throw new Refusal('device share failed')
    }
    rightsChanged({ accounts: [user.accountId] })
  }

  /** The own account: not its rights, and with a control password or a change of passwords only after proof of who is there. */
  async function own(actor: Actor, body: Body): Promise<StoredUser> {
    if (body.RoleID !== undefined || body.Assigned !== undefined) throw new Refusal('access denied')
    if (body.Enabled === false) throw new Refusal('cannot remove self')
    if (body.Mobile === '') throw new Refusal('invalid parameter', {}, [mobileMissing])
    const user = await stored.userById(database, actor.accountId)
    if (!user) throw new Refusal('session expired')
    if (user.hasControlPassword) {
      const { AccountID, Grant } = body
      if (!Grant || !(await accounts.grants.take(actor.sessionId, Grant, `account:${AccountID}`)))
        throw new Refusal('control grant missing')
    } else if (isElsewhere(user, body) && !provedLately(actor.provedAt, clock())) throw new Refusal('password again')
    if (body.ControlPassword !== undefined || body.PasswordMD5 !== undefined) {
      if (body.OldPasswordMD5 === undefined) throw new Refusal('old password needed')
      await accounts.proves(actor, body.OldPasswordMD5)
      if (body.ControlPassword === body.OldPasswordMD5) throw new Refusal('control password same')
      if (body.PasswordMD5 === body.OldPasswordMD5) throw new Refusal('password same')
    }
    return user
  }

  async function changeOf(actor: Actor, user: StoredUser, body: Body): Promise<UserChange> {
    if (body.RoleID !== undefined) {
      const role = await roleById(database, body.RoleID, user.ownerId)
      if (!role || (user.kind !== 'sub' && user.kind !== 'shared')) throw new Refusal('role not exists')
      if (!mayGive(actor, role)) throw new Refusal('permission beyond own')
    }
    if (user.kind === 'shared' && body.ControlPassword) throw new Refusal('access denied')
    // Who runs the installation sees every name of it anyway.
    const tenant = user.kind === 'platform' ? undefined : tenantOfAccount(user)
    const change: { -readonly [K in keyof UserChange]: UserChange[K] } = {}
    if (body.NickName !== undefined) change.nickName = body.NickName.trim()
    if (body.Mobile !== undefined) change.mobile = body.Mobile
    if (body.Email !== undefined) change.email = body.Email
    if (body.JobName !== undefined) change.jobName = body.JobName
    if (body.Remark !== undefined) change.remark = body.Remark
    if (body.Sex !== undefined) change.sex = body.Sex
    if (body.RoleID !== undefined) change.roleId = body.RoleID
    if (body.Enabled !== undefined) change.disabled = !body.Enabled
    if (body.PasswordMD5 !== undefined) {
      change.passwordHash = await accounts.newHash(body.PasswordMD5, user.userName, tenant)
      change.mustChangePassword = user.accountId !== actor.accountId
    }
    if (body.ControlPassword !== undefined)
      change.controlHash = await accounts.newHash(body.ControlPassword, user.userName, tenant)
    return change
  }
}
