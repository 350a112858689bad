import type { proveSession, Reply } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { sessionAlive } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { accountNameOf } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { rememberedOf, touchRemembered } from '../../store/account/remember.ts'
import * as sessions from '../../store/account/session.ts'
import { deleteStepsOf } from '../../store/account/sign-in-step.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Seal } from './secrets.ts'
import { rememberUntil } from './session-opening.ts'
import { newToken } from './token.ts'

/** Nobody: the session number of calls before login. */
const beforeLogin = '0'

/** For so long what was signed with a session's former token may still arrive. */
const underWayMs = 10_000

/** A session's last use is written at most this often. */
const touchEveryMs = 30_000

interface Deps {
  readonly database: Database
  /** Seals the tokens. */
  readonly seal: Seal
  readonly limits: { readonly idleMs: number; readonly absoluteMs: number }
  readonly clock: () => number
}

/** Sessions that were begun: whose signature is right, how long they live, and how they end. */
export function createOpenSessions({ database, seal, limits, clock }: Deps) {
  const db = database.control
  const former = new Map<string, { token: string; provedAt: number | null; until: number }>()
  const onSessionEnd = new Set<(sessionId: string) => void>()
  return {
    /** Tells the live socket when a session is over. */
    onSessionEnd: (listener: (sessionId: string) => void) => onSessionEnd.add(listener),
    sessionEnded,
    candidates,
    renewToken,
    aliveSessions,
    touch,
    takeNonce: (sessionId: string, timeStamp: number, nonce: string) => sessions.takeNonce(db, sessionId, timeStamp, nonce),
    /** Of a call before login: whoever is not signed in waits on the connections of no trip. */
    takeOpenNonce: (timeStamp: number, nonce: string) => sessions.takeNonce(database.general, beforeLogin, timeStamp, nonce),
    signOut,
    endSessions,
    endThese,
    endOthers,
  }

  async function signOut(actor: Actor): Promise<void> {
    const { sessionId, tenant } = actor
    const audit = { ...by(actor, clock(), 'logout', tenant), ...ofAccount(accountNameOf(actor)) }
    await endThese({ sessionIds: [sessionId], rememberIds: [], signingOut: true }, audit)
  }

  /** Sessions of an account that are still alive, with their tokens. */
  async function candidates(accountId: string, lane: 'control' | 'general' = 'control'): Promise<sessions.StoredSession[]> {
    return (await aliveSessions(accountId, lane)).flatMap((each) => {
      const token = seal.open(each.token)
      const was = former.get(each.sessionId)
      // It may what it could before: who has learnt it gains nothing by the person's password.
      const late = was && clock() < was.until ? [{ ...each, token: was.token, provedAt: was.provedAt }] : []
      return token === null ? [] : [{ ...each, token }, ...late]
    })
  }

  /** Who knew the token before the password was given does not know the one after it. */
  async function renewToken({ accountId, sessionId }: Actor): Promise<Reply<typeof proveSession>> {
    const now = clock()
    const own = (await candidates(accountId)).find((each) => each.sessionId === sessionId)
    if (!own) throw new Refusal('session expired')
    const token = newToken()
    for (const [id, { until }] of former) if (until <= now) former.delete(id)
    former.set(sessionId, { token: own.token, provedAt: own.provedAt, until: now + underWayMs })
    await sessions.proveSession(db, sessionId, seal.seal(token), now)
    return { Token: token }
  }

  async function aliveSessions(accountId: string, lane: 'control' | 'general' = 'control'): Promise<sessions.StoredSession[]> {
    const now = clock()
    return (await sessions.sessionsOf(database[lane], accountId)).filter(
      (each) => sessionAlive(each, limits, now) && (each.key === null || now < each.key.expiresAt),
    )
  }

  async function touch({
    sessionId,
    rememberId,
    lastUsedAt,
  }: Pick<sessions.StoredSession, 'sessionId' | 'rememberId' | 'lastUsedAt'>): Promise<void> {
    const now = clock()
    if (now - lastUsedAt < touchEveryMs) return
    await sessions.touchSession(db, sessionId, now)
    if (rememberId !== null) await touchRemembered(db, rememberId, { now, ...rememberUntil(now) })
  }

  async function endSessions(accountId: string): Promise<void> {
    for (const id of await sessions.deleteSessionsOf(db, accountId)) sessionEnded(id)
  }

  async function endThese(which: sessions.Ending, audit: AuditEntry | null): Promise<void> {
    await sessions.endThese(db, which, audit)
    for (const id of which.sessionIds) sessionEnded(id)
  }

  /** Every session but the one that asks, half begun ones too, and every device but its own. */
  async function endOthers(actor: Actor): Promise<void> {
    await deleteStepsOf(db, actor.accountId)
    const all = await sessions.sessionsOf(db, actor.accountId)
    const own = all.find(({ sessionId }) => sessionId === actor.sessionId)
    const devices = await rememberedOf(db, actor.accountId, clock())
    const others = {
      sessionIds: all.filter((each) => each !== own).map(({ sessionId }) => sessionId),
      rememberIds: devices.map(({ rememberId }) => rememberId).filter((id) => id !== own?.rememberId),
      groupOperationsOf: { accountId: actor.accountId, ...(own && { but: own }) },
    }
    await endThese(others, null)
  }

  function sessionEnded(sessionId: string): void {
    for (const listener of onSessionEnd) listener(sessionId)
  }
}
