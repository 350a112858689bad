import type { List, listUsers, Request, UserRecord } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { mayGive, permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { tenantOf } from '../../access/owner.ts'
import { partialScopeOf } from '../../access/seen.ts'
import { by, tenantOfAccount } from '../../audit/audited.ts'
import { turnOff } from '../../store/account/second-factor.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import * as stored from '../../store/people/user.ts'
import { seesAssigned } from './assigning.ts'
import { createUserAdding } from './user-adding.ts'
import type { UserDeps } from './user-deps.ts'
import { createUserEdit } from './user-edit.ts'
import { recordOf } from './user-record.ts'

export const maxReported = 10_000

/** Accounts of people: made, found, edited and taken out by whoever administers their tenant. */
export function createUsers(deps: UserDeps) {
  const { database, plant, accounts, rightsChanged, clock } = deps
  return {
    ...createUserAdding(deps, find),
    ...createUserEdit(deps, reach),
    reach,

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
      if (outcome.kind === 'owns')
        throw new Refusal('account not empty', { projects: outcome.projects, accounts: outcome.accounts })
      for (const id of outcome.groupIds) plant.cities.delete(id)
      await accounts.endSessions(accountId)
      rightsChanged({ accounts: [accountId] })
      return null
    },
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
