import { timingSafeEqual } from 'node:crypto'
import type { Authorization } from '@linewarden/contract'
import { Refusal, readAuthorization, replayWindowMs, signatureOf } from '@linewarden/contract'
import type { FastifyRequest } from 'fastify'
import type { Accounts } from '../areas/account/service.ts'

export interface SignedBy {
  readonly accountId: string
  readonly sessionId: string
  readonly lastUsedAt: number
  /** The remembered device it is on. */
  readonly rememberId: string | null
  /** Whether the password was given in this session. */
  readonly proved: boolean
}

/** Nobody: the session number of calls before login. */
const beforeLogin = '0'

/**
 * Checks who signed a request, and that it is made for the first time. A call before login is signed with an empty token; it is still
 * checked for its form, its time and its nonce. Throws Refusal, and tells a stranger nothing but that.
 */
export async function authenticate(
  request: FastifyRequest,
  accounts: Accounts,
  isPublic: boolean,
  now: number,
): Promise<SignedBy | null> {
  const header = request.headers.authorization
  if (!header) throw new Refusal('authorization missing')
  const claimed = readAuthorization(header)
  if (!claimed) throw new Refusal('authorization malformed')
  if (Math.abs(now - claimed.TimeStamp * 1000) > replayWindowMs) throw new Refusal('clock skewed', { serverTime: now })
  if (isPublic) {
    if (claimed.UserID !== '' || !isSigned(request, claimed, '')) throw new Refusal('signature wrong')
    await once(accounts, beforeLogin, claimed)
    return null
  }
  // Ids are UUIDs; anything else is asked of no database.
  const sessions = /^[0-9a-f-]{36}$/.test(claimed.UserID) ? await accounts.candidates(claimed.UserID) : []
  const session = sessions.find(({ token }) => isSigned(request, claimed, token))
  if (!session) throw new Refusal(sessions.length === 0 ? 'session expired' : 'signature wrong')
  await once(accounts, session.sessionId, claimed)
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

async function once(accounts: Accounts, sessionId: string, { TimeStamp, Nonce }: Authorization): Promise<void> {
  if (!(await accounts.takeNonce(sessionId, TimeStamp, Nonce))) throw new Refusal('nonce replayed')
}
