import { timingSafeEqual } from 'node:crypto'
import type { Authorization } from '@linewarden/contract'
import { Refusal, readAuthorization, replayWindowMs, signatureCheck } from '@linewarden/contract'
import { networkOf } from '@linewarden/rules/account'
import type { FastifyRequest } from 'fastify'
import type { SessionCheck } from '../access/session-check.ts'
import type { RefusedAttempts } from '../audit/refused-attempts.ts'
import type { Limits } from '../lib/limits.ts'
import type { SessionKey, StoredSession } from '../store/account/session.ts'
import { ofAccount } from '../store/audit/subject.ts'

export interface SignedBy {
  readonly accountId: string
  readonly sessionId: string
  readonly lastUsedAt: number
  /** The remembered device it is on. */
  readonly rememberId: string | null
  /** When the password was last given, as far as the token that signed knows of it; null: never. */
  readonly provedAt: number | null
  /** The API key that opened the session; null: its person did. */
  readonly key: SessionKey | null
}

/** Who somebody says to be, and with which tokens they can show it: none before login. */
export interface Claim {
  readonly claimed: Authorization
  readonly sessions: readonly StoredSession[]
}

interface Deps {
  readonly accounts: SessionCheck
  /** By network: those who claim sessions that there are not. Each claim asks the database. */
  readonly anonymous: Limits
  /** By network: those whose signature was wrong. */
  readonly wrong: Limits
  readonly refused: Pick<RefusedAttempts, 'note'>
}

/** What happens to no console that is in order. That a session is over does, and of no signature at all a monitor's every call would tell. */
const notedReasons: ReadonlySet<string> = new Set([
  'authorization malformed',
  'signature wrong',
  'clock skewed',
  'nonce replayed',
])

/** What can be known of a request before its body is read: a stranger's is not. Throws Refusal, and tells nothing but that. */
export const claimOf = (request: FastifyRequest, deps: Deps, isPublic: boolean, now: number): Promise<Claim> =>
  noted(request, deps, null, async () => {
    const header = request.headers.authorization
    if (!header) throw new Refusal('authorization missing')
    const claimed = readAuthorization(header)
    if (!claimed) throw new Refusal('authorization malformed')
    if (Math.abs(now - claimed.TimeStamp * 1000) > replayWindowMs) throw new Refusal('clock skewed', { serverTime: now })
    if (!isPublic) return { claimed, sessions: await sessionsOf(request, deps, claimed, now) }
    if (claimed.UserID !== '') throw new Refusal('signature wrong')
    return { claimed, sessions: [] }
  })

async function sessionsOf(
  request: FastifyRequest,
  { accounts, anonymous, wrong }: Deps,
  claimed: Authorization,
  now: number,
): Promise<Claim['sessions']> {
  // Ids are UUIDs; anything else is asked of no database.
  if (!/^[0-9a-f-]{36}$/.test(claimed.UserID)) throw new Refusal('session expired')
  const network = networkOf(request.ip)
  if (anonymous.left(network, now) < 1) throw new Refusal('too many requests')
  // Who knows an account's number makes it ask the database without its password. Its own people are refused nothing for that: they may share
  // the network. But whoever signs from there waits on the connections of no trip.
  const sessions = await accounts.candidates(claimed.UserID, wrong.left(network, now) < 1 ? 'general' : 'control')
  if (sessions.length > 0) return sessions
  anonymous.take(network, now)
  throw new Refusal('session expired')
}

/**
 * Checks who signed a request, and that it is made for the first time. A call before login is signed with an empty token; it is still
 * checked for its form, its time and its nonce. Throws Refusal, and tells a stranger nothing but that.
 */
export const authenticate = (
  request: FastifyRequest,
  { claimed, sessions }: Claim,
  deps: Deps,
  isPublic: boolean,
  now: number,
): Promise<SignedBy | null> =>
  noted(request, deps, isPublic ? null : claimed.UserID, async () => {
    const isSigned = signedBy(request, claimed)
    if (isPublic) {
      if (!isSigned('')) throw new Refusal('signature wrong')
      once(await deps.accounts.takeOpenNonce(claimed.TimeStamp, claimed.Nonce))
      return null
    }
    const session = sessions.find(({ token }) => isSigned(token))
    if (!session) {
      deps.wrong.take(networkOf(request.ip), now)
      throw new Refusal('signature wrong')
    }
    once(await deps.accounts.takeNonce(session.sessionId, claimed.TimeStamp, claimed.Nonce))
    const { sessionId, lastUsedAt, rememberId, provedAt, key } = session
    return { accountId: claimed.UserID, sessionId, lastUsedAt, rememberId, provedAt, key }
  })

/** `known`: the account, as soon as it is sure that it has sessions. */
async function noted<T>(request: FastifyRequest, deps: Deps, known: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && notedReasons.has(error.key)) {
      const account = known === null ? null : await deps.accounts.named(known)
      const about = account && ofAccount(account.userName)
      deps.refused.note({
        action: 'session.refused',
        why: error.key,
        address: request.ip,
        about,
        tenant: account?.tenant ?? null,
      })
    }
    throw error
  }
}

function signedBy(request: FastifyRequest, claimed: Authorization): (token: string) => boolean {
  const given = Buffer.from(claimed.Signature)
  const signed = {
    nonce: claimed.Nonce,
    timeStamp: claimed.TimeStamp,
    userId: claimed.UserID,
    method: request.method,
    path: request.raw.url ?? '',
    body: request.rawBody ?? '',
  }
  return signatureCheck(signed, (signature) => timingSafeEqual(Buffer.from(signature), given))
}

function once(isFirst: boolean): void {
  if (!isFirst) throw new Refusal('nonce replayed')
}
