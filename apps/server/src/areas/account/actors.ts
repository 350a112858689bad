import { allCalls, mayMoveEquipment, pages } from '@linewarden/contract'
import type { Rights } from '@linewarden/rules/account'
import * as rules from '@linewarden/rules/account'
import { mayCall } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { tenantOfAccount } from '../../audit/audited.ts'
import type { Config } from '../../config.ts'
import { Batched } from '../../lib/batched.ts'
import type { StoredAccount } from '../../store/account/account.ts'
import * as stored from '../../store/account/account.ts'
import type { SessionKey, StoredSession } from '../../store/account/session.ts'
import type { Database } from '../../store/core/database.ts'
import { isRefusedByDatabase } from '../../store/core/refused.ts'

/** Calls by which equipment may move, of those that take a permission. */
const moving = allCalls.filter((call) => mayMoveEquipment(call) && call.permission !== 'public' && call.permission !== 'session')

interface Deps {
  readonly database: Database
  readonly config: Pick<Config, 'requireSecondFactor'>
  /** Sessions of an account that are still alive. */
  readonly candidates: (accountId: string) => Promise<StoredSession[]>
}

/** So many are read at once; many ask when the timers of a minute have their turns. */
const together = { most: 200, lanes: 2, oneByOne: isRefusedByDatabase }

/** Who acts, with the rights that the account and its role give at this moment. */
export function createActors({ database, config, candidates }: Deps) {
  const db = database.control
  const accounts = new Batched<string, StoredAccount | null>(async (ids) => {
    const found = await stored.accountsById(db, ids)
    return ids.map((id) => found.get(id) ?? null)
  }, together)
  const assignments = new Batched((of: readonly StoredAccount[]) => stored.assignmentsOfEach(db, of), together)
  return {
    actorOf,
    stillIn,
    /** Whose account this is, and in whose log it stands; null: nobody's. */
    async named(accountId: string): Promise<{ userName: string; tenant: string | null } | null> {
      const account = await stored.accountById(database.general, accountId)
      return account ? { userName: account.userName, tenant: tenantOfAccount(account) } : null
    },
    /** Whether this installation asks a second factor of the account, whether it has one or not. */
    asksSecondFactor,
  }

  /** Who this is, as the account and its role are now. Null when the account is gone. */
  async function actorOf(
    accountId: string,
    sessionId: string,
    address: string,
    provedAt: number | null = null,
    key: SessionKey | null = null,
  ): Promise<Actor | null> {
    const account = await accounts.run(accountId)
    if (!account) return null
    const all = account.kind === 'platform'
    const own = all ? null : await assignments.run(account)
    const shared = account.kind === 'shared'
    const administrator = isAdministrator(account)
    const tenant = tenantOfAccount(account)
    const person: Actor = {
      accountId,
      sessionId,
      provedAt,
      userName: account.userName,
      nickName: account.nickName,
      kind: account.kind,
      tenant,
      platform: all,
      administrator,
      privileges: account.privileges,
      buttons: account.buttons,
      shared,
      hasControlPassword: account.controlHash !== null,
      mustEnrol: !account.hasSecondFactor && asksSecondFactor({ ...account, platform: all, administrator, shared }),
      mustChangePassword: account.mustChangePassword,
      key: null,
      address,
      sees: (projectId) => own === null || own.projects.has(projectId),
      seesPart: (projectId) => own === null || own.projects.has(projectId) || own.parts.has(projectId),
      seesGateway: ({ id, project }) => own === null || own.projects.has(project.id) || own.gateways.has(id),
      scope: {
        all,
        tenant,
        administrator,
        accountId: shared ? null : accountId,
        projectIds: [...(own?.projects ?? [])],
        gatewayIds: [...(own?.gateways ?? [])],
      },
    }
    return key === null ? person : asMachine(person, key)
  }

  function asksSecondFactor(rights: Rights): boolean {
    const mayMove = !rights.shared && moving.some((call) => mayCall(call, rights))
    return rules.asksSecondFactor(config.requireSecondFactor, { ...rights, mayMoveEquipment: mayMove })
  }

  /** The same person with the rights of now; null when the session or the account is over. */
  async function stillIn({ accountId, sessionId, address, provedAt }: Actor): Promise<Actor | null> {
    const alive = (await candidates(accountId)).find((each) => each.sessionId === sessionId)
    return alive ? actorOf(accountId, sessionId, address, provedAt, alive.key) : null
  }
}

const pageKeys = pages.flatMap(({ key, subs }) => [key, ...subs.map((sub) => sub.key)])

/** The same with what its key may: of the projects that it names those that its maker sees whole at this moment. */
function asMachine(maker: Actor, key: SessionKey): Actor {
  const projectIds = key.projectIds.filter((id) => maker.sees(id))
  const sees = (projectId: number) => projectIds.includes(projectId)
  return {
    ...maker,
    ...rules.rightsOfKey(maker, key, pageKeys),
    key: { ...key, makerName: maker.userName },
    userName: `${maker.userName} / ${key.name}`,
    sees,
    seesPart: sees,
    seesGateway: ({ project }) => sees(project.id),
    scope: { all: false, tenant: maker.tenant, administrator: false, accountId: null, projectIds, gatewayIds: [] },
  }
}

const isAdministrator = ({ kind }: StoredAccount): boolean => kind === 'platform' || kind === 'project'
