import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MessageKey, partnerLogin, Reply, Request } from '@linewarden/contract'
import { aboutNothing, Refusal, replayWindowMs } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { every } from '../../lib/every.ts'
import { throttle } from '../../lib/throttle.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Accounts } from '../account/service.ts'

/** Nonces of partners are remembered apart from those of sessions; session ids begin at 1. */
const partnerSession = '-1'
/** Of one kind of refusals the log has the first, and then one line for so long. */
const auditEveryMs = 15 * 60_000
const flushMs = 60_000

interface Refused {
  readonly app: string
  readonly why: MessageKey
  readonly address: string
  /** Null: it was not signed by the partner, so nobody is named by it. */
  readonly userName: string | null
}

/**
 * Sign-on by a registered partner, by account name alone and only with the partner's signature. Whoever is not that partner learns nothing
 * but that, whatever account they name. Nobody who runs the installation comes in this way.
 */
export function createPartnerLogin({
  config,
  accounts,
  database,
  clock,
  log,
}: {
  config: Pick<Config, 'partner'>
  accounts: Pick<Accounts, 'signInAs' | 'takeNonce'>
  database: Database
  clock: () => number
  log: Logger
}) {
  const refusals = throttle(auditEveryMs, clock, audit)
  const notWritten = 'refused partner sign-ons could not be written down'
  const failed = (error: unknown) => log.warn({ err: error }, notWritten)
  const loop = every(flushMs, () => refusals.flush(), { log, failed: notWritten, level: 'warn' })

  return {
    signIn,
    flush: () => refusals.flush(),
    async close(): Promise<void> {
      await loop.close()
      await refusals.flush(true).catch(failed)
    },
  }

  async function signIn(body: Request<typeof partnerLogin>['body'], address: string): Promise<Reply<typeof partnerLogin>> {
    const { AppID, UserName, TimeStamp, Nonce } = body
    if (!isSigned(body)) {
      // Of strangers only one kind, whatever they name and wherever they come from: they could fill the log with others.
      await refusals.note('', '', { app: AppID, why: 'app not registered', address, userName: null })
      throw new Refusal('app not registered')
    }
    try {
      if (Math.abs(clock() - TimeStamp * 1000) > replayWindowMs) throw new Refusal('clock skewed', { serverTime: clock() })
      if (!(await accounts.takeNonce(partnerSession, TimeStamp, Nonce))) throw new Refusal('nonce replayed')
      return await accounts.signInAs(UserName, address)
    } catch (error) {
      // Whoever is asked for the second factor is on the way in.
      if (error instanceof Refusal && error.key !== 'second factor needed')
        await refusals.note(`${error.key} ${UserName}`, address, { app: AppID, why: error.key, address, userName: UserName })
      throw error
    }
  }

  function isSigned({ AppID, UserName, TimeStamp, Nonce, Signature }: Request<typeof partnerLogin>['body']): boolean {
    const { partner } = config
    if (!partner || partner.appId !== AppID) return false
    const text = [AppID, UserName, TimeStamp, Nonce].join('\n')
    const right = createHmac('sha256', partner.secret).update(text).digest()
    return timingSafeEqual(right, Buffer.from(Signature, 'hex'))
  }

  /** `more`: so many of the kind since the last line. */
  async function audit({ app, why, address, userName }: Refused, at: number, more: number): Promise<void> {
    await appendRefusal(database.control, {
      at,
      actor: userName ?? 'partner',
      address,
      action: 'login.partner',
      ...(userName === null ? { subject: aboutNothing } : ofAccount(userName)),
      after: { app, why, ...(more > 0 && { more }) },
      outcome: 'refused',
      ...(userName === null && { tenant: null }),
    })
  }
}
