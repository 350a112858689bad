import type { endSession, listSessions, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { provedLately } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfAccount } from '../../audit/audited.ts'
import type { Remembered } from '../../store/account/remember.ts'
import { rememberedOf } from '../../store/account/remember.ts'
import type { StoredSession } from '../../store/account/session.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredUser } from '../../store/people/user.ts'
import type { Accounts } from '../account/service.ts'

/** Who is signed in where, and ending it. */
export function createSessionList({
  database,
  accounts,
  reach,
  clock,
}: {
  database: Database
  accounts: Pick<Accounts, 'aliveSessions' | 'endThese'>
  reach: (actor: Actor, accountId: string) => Promise<StoredUser>
  clock: () => number
}) {
  return {
    async list(actor: Actor, accountId: string | undefined): Promise<Reply<typeof listSessions>> {
      const { id, name } = await whose(actor, accountId)
      const alive = await accounts.aliveSessions(id)
      const open = alive.map((session) => ({
        SessionID: session.sessionId,
        AccountID: id,
        UserName: name,
        CreatedAt: session.createdAt,
        LastUsedAt: session.lastUsedAt,
        Address: session.address,
        Current: session.sessionId === actor.sessionId,
        Remembered: session.rememberId !== null,
        Alive: true,
      }))
      const devices = (await sleeping(id, alive)).map((device) => ({
        SessionID: `r${device.rememberId}`,
        AccountID: id,
        UserName: name,
        CreatedAt: device.createdAt,
        LastUsedAt: device.usedAt,
        Address: device.address,
        Current: false,
        Remembered: true,
        Alive: false,
      }))
      return { items: [...open, ...devices], total: open.length + devices.length }
    },

    async end(actor: Actor, { AccountID, SessionID }: Request<typeof endSession>['body']): Promise<Reply<typeof endSession>> {
      const { id, name, tenant } = await whose(actor, AccountID)
      // Somebody else's is a matter of administration: whoever found a device that stays signed in throws nobody out.
      if (id !== actor.accountId && actor.provedAt === null) throw new Refusal('password needed')
      if (id === actor.accountId && !provedLately(actor.provedAt, clock())) throw new Refusal('password again')
      const alive = await accounts.aliveSessions(id)
      const wanted = (session: string) => (SessionID === undefined ? session !== actor.sessionId : session === SessionID)
      const ending = alive.filter(({ sessionId }) => wanted(sessionId))
      const devices = (await sleeping(id, alive)).filter(({ rememberId }) => wanted(`r${rememberId}`))
      const ended = ending.length + devices.length
      if (ended === 0 && SessionID !== undefined) return { Ended: 0 }
      const own = alive.find(({ sessionId }) => sessionId === actor.sessionId)
      const these = {
        sessionIds: ending.map(({ sessionId }) => sessionId),
        rememberIds: devices.map(({ rememberId }) => rememberId),
        // All of them: what was started and then left by signing out goes on without any session.
        ...(SessionID === undefined && { groupOperationsOf: { accountId: id, ...(own && { but: own }) } }),
      }
      await accounts.endThese(these, { ...by(actor, clock(), 'session.end', tenant), ...ofAccount(name), after: { ended } })
      return { Ended: ended }
    },
  }

  /** Devices that are remembered and on which no session is open now. */
  async function sleeping(accountId: string, alive: readonly StoredSession[]): Promise<Remembered[]> {
    const all = await rememberedOf(database.general, accountId, clock())
    return all.filter((device) => !alive.some(({ rememberId }) => rememberId === device.rememberId))
  }

  async function whose(
    actor: Actor,
    accountId: string | undefined,
  ): Promise<{ id: string; name: string; tenant: string | null }> {
    if (accountId === undefined || accountId === actor.accountId)
      return { id: actor.accountId, name: actor.userName, tenant: actor.tenant }
    const user = await reach(actor, accountId)
    return { id: user.accountId, name: user.userName, tenant: tenantOfAccount(user) }
  }
}
