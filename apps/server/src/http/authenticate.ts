import { timingSafeEqual } from 'node:crypto'
import type { Authorization } from '@linewarden/contract'
import { Refusal, readAuthorization, replayWindowMs, signatureOf } from '@linewarden/contract'
import type { FastifyRequest } from 'fastify'
import type { Accounts } from '../areas/account/service.ts'
import type { RefusedAttempts } from '../areas/refused-attempts.ts'

export interface SignedBy {
  readonly accountId: string
  readonly sessionId: string
  readonly lastUsedAt: number
  /** The remembered device it is on. */
  readonly rememberId: string | null
  /** Whether the password was given in this session. */
  readonly proved: boolean
}

/**
 * Checks who signed a request, and that it is made for the first time. A call before login is signed with an empty token; it is still
 * checked for its form, its time and its nonce. Throws Refusal, and tells a stranger nothing but that.
 */
export async function authenticate(
  request: FastifyRequest,
  accounts: Accounts,
  isPublic: boolean,
  now: number,
  refused: Pick<RefusedAttempts, 'note'>,
): Promise<SignedBy | null> {
  let known: string | null = null
  try {
    return await signedBy(request, accounts, isPublic, now, (accountId) => {
      known = accountId
    })
  } catch (error) {
    if (error instanceof Refusal && told.has(error.key)) {
      const account = known === null ? null : await accounts.named(known)
      const { userName: target = null, tree = null } = account ?? {}
      refused.note({ action: 'session.refused', why: error.key, address: request.ip, target, tree })
    }
    throw error
  }
}

/** What happens to no console that is in order. That a session is over does, and of no signature at all a monitor's every call would tell. */
const told: ReadonlySet<string> = new Set(['authorization malformed', 'signature wrong', 'clock skewed', 'nonce replayed'])

/** `isKnown` is told the account as soon as it is sure that it has sessions. */
async function signedBy(
  request: FastifyRequest,
  accounts: Accounts,
  isPublic: boolean,
  now: number,
  isKnown: (accountId: string) => void,
): Promise<SignedBy | null> {
  const header = request.headers.authorization
  if (!header) throw new Refusal('authorization missing')
  const claimed = readAuthorization(header)
  if (!claimed) throw new Refusal('authorization malformed')
  if (Math.abs(now - claimed.TimeStamp * 1000) > replayWindowMs) throw new Refusal('clock skewed', { serverTime: now })
  if (isPublic) {
    if (claimed.UserID !== '' || !isSigned(request, claimed, '')) throw new Refusal('signature wrong')
    once(await accounts.takeOpenNonce(claimed.TimeStamp, claimed.Nonce))
    return null
  }
  // Ids are UUIDs; anything else is asked of no database.
  const sessions = /^[0-9a-f-]{36}$/.test(claimed.UserID) ? await accounts.candidates(claimed.UserID) : []
  if (sessions.length > 0) isKnown(claimed.UserID)
  const session = sessions.find(({ token }) => isSigned(request, claimed, token))
  if (!session) throw new Refusal(sessions.length === 0 ? 'session expired' : 'signature wrong')
  once(await accounts.takeNonce(session.sessionId, claimed.TimeStamp, claimed.Nonce))
  const { sessionId, lastUsedAt, rememberId, proved } = session
  return { accountId: claimed.UserID, sessionId, lastUsedAt, rememberId, proved }
}

function isSigned(request: FastifyRequest, claimed: Authorization, token: string): boolean {
  const wanted = signatureOf({
    nonce: claimed.Nonce,
    timeStamp: claimed.TimeStamp,
    userId: claimed.UserID,
    token,
    method: request.method,
    path: request.raw.url ?? '',
    body: request.rawBody ?? '',
  })
  return timingSafeEqual(Buffer.from(wanted), Buffer.from(claimed.Signature))
}

function once(isFirst: boolean): void {
  if (!isFirst) throw new Refusal('nonce replayed')
}
