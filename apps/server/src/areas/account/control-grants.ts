import type { grantControl, Reply, Request } from '@linewarden/contract'
import { aboutOperation, Refusal } from '@linewarden/contract'
import type { Gate } from '@linewarden/rules/account'
import { controlGate, isTripOperation, rememberFailuresMs } from '@linewarden/rules/account'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { accountNameOf } from '../../access/actor.ts'
import type { KeyedMutex } from '../../lib/serial.ts'
import * as stored from '../../store/account/account.ts'
import { clearFailures, failuresSince, insertGrant, recordFailure, redeemGrant } from '../../store/account/attempt.ts'
import { appendAudit, appendRefusal } from '../../store/audit/append.ts'
import type { Database } from '../../store/core/database.ts'
import { locked } from './password-tries.ts'
import type { Passwords } from './passwords.ts'
import { md5 } from './passwords.ts'
import { renewHash } from './proof.ts'
import { newToken, tokenHash } from './token.ts'

const grantMs = 60_000
const nothing = md5('')

interface Deps {
  readonly database: Database
  readonly passwords: Passwords
  readonly tries: KeyedMutex
  readonly clock: () => number
  readonly log: Logger
}

/** Grants of one use, each for one operation, for whoever knows the control password. */
export function createControlGrants({ database, passwords, tries, clock, log }: Deps) {
  const db = database.control
  return {
    grant,
    grants: {
      take: (sessionId: string, given: string, operation: string) =>
        redeemGrant(db, tokenHash(given), sessionId, operation, clock()),
    },
  }

  async function grant(actor: Actor, asked: Request<typeof grantControl>['body']): Promise<Reply<typeof grantControl>> {
    if (actor.shared) throw new Refusal('access denied')
    // Nothing was entered: that is no try, and five of them must not keep anybody from tripping.
    if (asked.Password === nothing) throw new Refusal('control grant missing')
    return tries.run(`control ${actor.accountId}`, () => granted(actor, asked))
  }

  async function granted(
    actor: Actor,
    { Password, Operation }: Request<typeof grantControl>['body'],
  ): Promise<Reply<typeof grantControl>> {
    const now = clock()
    const session = `session ${actor.sessionId}`
    const isTrip = isTripOperation(Operation)
    const before = await controlGateOf(actor, session, now)
    if (!before.open) {
      if (!isTrip) throw locked('control locked', before, now)
      return give(actor, Operation, now, 'control locked')
    }
    const controlHash = (await stored.accountById(db, actor.accountId))?.controlHash ?? null
    if (controlHash !== null && passwords.isLost(controlHash)) {
      if (!isTrip) throw new Refusal('control password lost')
      return give(actor, Operation, now, 'control password lost')
    }
    if (!(await passwords.matches(Password, controlHash))) {
      await recordFailure(db, 'control', accountNameOf(actor), session, now)
      await appendRefusal(db, { ...auditOf(actor, Operation, now), outcome: 'refused' })
      const after = await controlGateOf(actor, session, now)
      if (after.open) throw new Refusal('control password wrong', { left: after.left })
      log.warn({ account: actor.userName }, 'closing and settings locked after wrong control passwords')
      if (!isTrip) throw locked('control locked', after, now)
      return give(actor, Operation, now, 'control locked')
    }
    await clearFailures(db, 'control', accountNameOf(actor), session)
    const { accountId } = actor
    if (controlHash !== null)
      await renewHash({ db, passwords }, { accountId, column: 'control_hash', hash: controlHash }, Password)
    return give(actor, Operation, now, null)
  }

  async function controlGateOf(actor: Actor, session: string, now: number): Promise<Gate> {
    const since = now - rememberFailuresMs
    const userName = accountNameOf(actor)
    const [ofSession, ofAccount] = await Promise.all([
      failuresSince(db, 'control', userName, session, since),
      failuresSince(db, 'control', userName, null, since),
    ])
    return controlGate(ofSession, ofAccount, now)
  }

  /** `unproved`: why a trip's password was not looked at, which tells nobody whether it was right. */
  async function give(
    actor: Actor,
    operation: string,
    now: number,
    unproved: string | null,
  ): Promise<Reply<typeof grantControl>> {
    const given = newToken()
    await db.transaction().execute(async (trx) => {
      await insertGrant(trx, tokenHash(given), actor.sessionId, operation, now + grantMs)
      const after = unproved === null ? {} : { after: { why: unproved } }
      await appendAudit(trx, { ...auditOf(actor, operation, now), ...after, outcome: 'done' })
    })
    return { Grant: given, ExpiresAt: now + grantMs }
  }
}

const auditOf = ({ userName, address }: Actor, operation: string, at: number) =>
  ({ at, actor: userName, address, action: 'control.grant', subject: aboutOperation(operation), target: operation }) as const
