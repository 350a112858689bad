import type { endSession, listSessions, Reply, Request } from '@linewarden/contract'
import type { Actor } from '../../http/context.ts'
import { appendAudit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { StoredUser } from '../../store/user.ts'
import { by } from '../audited.ts'
import type { Accounts } from './service.ts'

/** Who is signed in where, and ending it. */
export function createSessions({
  database,
  accounts,
  reach,
  clock,
}: {
  database: Database
  accounts: Pick<Accounts, 'aliveSessions' | 'endSession'>
  reach: (actor: Actor, accountId: string) => Promise<StoredUser>
  clock: () => number
}) {
  return {
    async list(actor: Actor, accountId: string | undefined): Promise<Reply<typeof listSessions>> {
      const { id, name } = await whose(actor, accountId)
      const items = (await accounts.aliveSessions(id)).map((session) => ({
        SessionID: session.sessionId,
        AccountID: id,
        UserName: name,
        CreatedAt: session.createdAt,
        LastUsedAt: session.lastUsedAt,
        Address: session.address,
        Current: session.sessionId === actor.sessionId,
      }))
      return { items, total: items.length }
    },

    async end(actor: Actor, { AccountID, SessionID }: Request<typeof endSession>['body']): Promise<Reply<typeof endSession>> {
      const { id, name } = await whose(actor, AccountID)
      const ending = (await accounts.aliveSessions(id)).filter(({ sessionId }) =>
        SessionID === undefined ? sessionId !== actor.sessionId : sessionId === SessionID,
      )
      if (ending.length === 0) return { Ended: 0 }
      for (const { sessionId } of ending) await accounts.endSession(sessionId)
      const audit = { ...by(actor, clock()), action: 'session.end', target: name, after: { ended: ending.length } }
      await appendAudit(database.general, audit)
      return { Ended: ending.length }
    },
  }

  async function whose(actor: Actor, accountId: string | undefined): Promise<{ id: string; name: string }> {
    if (accountId === undefined || accountId === actor.accountId) return { id: actor.accountId, name: actor.userName }
    const user = await reach(actor, accountId)
    return { id: user.accountId, name: user.userName }
  }
}
