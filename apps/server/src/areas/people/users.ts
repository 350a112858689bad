import type {
  addAdministrator,
  addSharedAccount,
  addSubAccount,
  List,
  listUsers,
  Request,
  UserRecord,
} from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { isAdministratorAccount, isMobileAccount, mayGive, permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { ownerFor, tenantOf } from '../../access/owner.ts'
import { partialScopeOf } from '../../access/seen.ts'
import { by, tenantOfAccount } from '../../audit/audited.ts'
import { accountByName } from '../../store/account/account.ts'
import { turnOff } from '../../store/account/second-factor.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { roleById } from '../../store/people/role.ts'
import * as stored from '../../store/people/user.ts'
import type { Assigned } from './assigning.ts'
import { checkAssigned, seesAssigned } from './assigning.ts'
import type { UserDeps } from './user-deps.ts'
import { createUserEdit } from './user-edit.ts'
import { recordOf } from './user-record.ts'

export const maxReported = 10_000

/** Accounts of people: made, found, edited and taken out by whoever administers their tenant. */
export function createUsers(deps: UserDeps) {
  const { database, plant, accounts, rightsChanged, takenLimit, clock } = deps
  return {
    ...createUserEdit(deps, reach),
    reach,

    addSub: (actor: Actor, body: Request<typeof addSubAccount>['body']) => addUnder(actor, 'sub', body),
    addShared: (actor: Actor, body: Request<typeof addSharedAccount>['body']) => addUnder(actor, 'shared', body),

    async addAdministrator(actor: Actor, body: Request<typeof addAdministrator>['body']): Promise<UserRecord> {
      if (!isAdministratorAccount(body.UserName)) throw nameRefused(body.UserName, administratorName)
      const accountId = await accounts.addAccount(
        {
          ...(await personOf(actor, body)),
          kind: body.Kind ?? 'project',
          roleId: null,
          mustChangePassword: true,
          controlHash: await accounts.newHash(body.ControlPassword ?? null, body.UserName, undefined),
          passwordHash: await accounts.newHash(body.Password, body.UserName, undefined),
          projectIds: [],
          ownerId: null,
        },
        { ...by(actor, clock(), 'account.create', null), subject: aboutNothing },
      )
      return recordOf(await find(accountId))
    },

    async list(actor: Actor, body: Request<typeof listUsers>['body']): Promise<List<UserRecord>> {
      const filter = {
        owner: tenantOf(actor),
        within: partialScopeOf(actor),
        userName: body.UserName,
        nickName: body.NickName,
        kind: body.Kind,
        roleId: body.RoleID,
        enabled: body.Enabled,
        page: body.Page ?? 1,
        size: body.Size ?? 10,
        sort: body.Sort,
      }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) => stored.listUsers(db, filter))
      return { items: rows.map(recordOf), total }
    },

    /** For somebody who lost the second factor. Not for oneself: that takes a code. */
    async resetSecondFactor(actor: Actor, accountId: string): Promise<null> {
      if (accountId === actor.accountId) throw new Refusal('access denied')
      const user = await reach(actor, accountId)
      const audit = { ...by(actor, clock(), 'account.factor.reset', tenantOfAccount(user)), ...ofAccount(user.userName) }
      if (!(await turnOff(database.general, accountId, audit))) throw new Refusal('second factor off')
      await accounts.endSessions(accountId)
      return null
    },

    details: async (actor: Actor) => recordOf(await find(actor.accountId)),

    async remove(actor: Actor, accountId: string): Promise<null> {
      if (accountId === actor.accountId) throw new Refusal('cannot remove self')
      const user = await reach(actor, accountId)
      const audit = { ...by(actor, clock(), 'account.delete', tenantOfAccount(user)), ...ofAccount(user.userName) }
      const outcome = await stored.removeUser(database, accountId, audit)
      if (outcome.kind === 'held')
        throw new Refusal('account not empty', { projects: outcome.projects, accounts: outcome.accounts })
      for (const id of outcome.groupIds) plant.cities.delete(id)
      await accounts.endSessions(accountId)
      rightsChanged({ accounts: [accountId] })
      return null
    },
  }

  async function addUnder(
    actor: Actor,
    kind: 'sub' | 'shared',
    body: Request<typeof addSubAccount>['body'] | Request<typeof addSharedAccount>['body'],
  ): Promise<UserRecord> {
    if (!isMobileAccount(body.UserName)) throw nameRefused(body.UserName, mobileName)
    const ownerId = await ownerFor(database, actor, body.OwnerID)
    const assigned: Assigned = checkAssigned(plant, actor, ownerId, body.Assigned)
    const role = await roleById(database, body.RoleID, ownerId)
    if (!role) throw new Refusal('role not exists')
    if (!mayGive(actor, role)) throw new Refusal('permission beyond own')
    const control = 'ControlPassword' in body ? (body.ControlPassword ?? null) : null
    const audit = { ...by(actor, clock(), 'account.create', ownerId), subject: aboutNothing }
    const accountId = await takenLimit(actor, async (foreign) => {
      const account = {
        ...(await personOf(actor, body)),
        kind,
        roleId: role.roleId,
        mustChangePassword: true,
        controlHash: await accounts.newHash(control, body.UserName, ownerId),
        passwordHash: await accounts.newHash(body.Password, body.UserName, ownerId),
        ...assigned,
        ownerId,
      }
      try {
        return await accounts.addAccount(account, audit)
      } catch (error) {
        if (error instanceof Refusal && error.key === 'username exists' && !(await isOfTenant(actor, body.UserName))) foreign(1)
        throw error
      }
    })
    return recordOf(await find(accountId))
  }

  async function isOfTenant(actor: Actor, userName: string): Promise<boolean> {
    const account = await accountByName(database.general, userName)
    return account !== undefined && (account.ownerId === actor.tenant || account.accountId === actor.tenant)
  }

  async function personOf(actor: Actor, body: Request<typeof addAdministrator>['body'] | Request<typeof addSubAccount>['body']) {
    return {
      userName: body.UserName,
      nickName: body.NickName.trim(),
      language: body.Language ?? (await accounts.info(actor)).Language,
      person: {
        mobile: body.Mobile ?? (isMobileAccount(body.UserName) ? body.UserName : ''),
        email: body.Email ?? '',
        sex: body.Sex ?? ('unknown' as const),
        jobName: body.JobName ?? '',
        remark: body.Remark ?? '',
      },
    }
  }

  async function find(accountId: string): Promise<stored.StoredUser> {
    const user = await stored.userById(database, accountId)
    if (!user) throw new Refusal('username notexists')
    return user
  }

  /**
   * Somebody else's account, for an actor who may administer it: of the own tenant, and with no more rights and nothing more to see than the
   * actor has. Whoever could set another password for a mightier account would be that account.
   */
  async function reach(actor: Actor, accountId: string): Promise<stored.StoredUser> {
    if (!permits('system.users', actor)) throw new Refusal('access denied')
    const user = await find(accountId)
    if (actor.platform) return user
    if (user.ownerId !== actor.tenant || (user.kind !== 'sub' && user.kind !== 'shared')) throw new Refusal('username notexists')
    if (!actor.administrator && !seesAssigned(plant, actor, user)) throw new Refusal('permission beyond own')
    if (!mayGive(actor, user)) throw new Refusal('permission beyond own')
    return user
  }
}

const mobileName: Text = { zh: '请输入11位手机号', en: 'must be an 11-digit mobile number' }
const administratorName: Text = {
  zh: '请输入11位手机号，或3至32位的账号名：以字母开头，可含字母、数字、点、下划线和连字符，不能为 system',
  en: 'must be an 11-digit mobile number, or a name of 3 to 32 letters, digits, dots, underscores and hyphens that begins with a letter; not system',
}
const noName: Text = { zh: '账号不能为空', en: 'must not be empty' }

const nameRefused = (name: string, wanted: Text): Refusal =>
  new Refusal('username invalid', {}, [{ Path: 'body.UserName', Text: name.trim() === '' ? noName : wanted }])
