import { createHash, randomBytes } from 'node:crypto'
import type { grantControl, Reply, Request } from '@linewarden/contract'
import { aboutOperation, Refusal } from '@linewarden/contract'
import type { Gate } from '@linewarden/rules/account'
import { controlGate, gate, isTripOperation, networkOf, rememberFailuresMs } from '@linewarden/rules/account'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { refusalWritten } from '../../audit/audited.ts'
import type { KeyedMutex } from '../../lib/serial.ts'
import * as stored from '../../store/account/account.ts'
import { clearFailures, failuresSince, insertGrant, recordFailure, redeemGrant } from '../../store/account/attempt.ts'
import { appendAudit, appendRefusal } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'
import { passwordTries } from './password-tries.ts'
import type { Passwords } from './passwords.ts'
import { md5 } from './passwords.ts'

const grantMs = 60_000
const nothing = md5('')

/** Proof that it is still the same person who is signed in: the control password for a one-use grant, or the present password. */
export function createProof({
  database,
  passwords,
  tries,
  clock,
  log,
}: {
  database: Database
  passwords: Passwords
  tries: KeyedMutex
  clock: () => number
  log: Logger
}) {
  const db = database.control
  return {
    grant,
    grants: {
      take: (sessionId: string, given: string, operation: string) =>
        redeemGrant(db, hashOf(given), sessionId, operation, clock()),
    },
    proves,
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
      await recordFailure(db, 'control', actor.userName, session, now)
      await appendRefusal(db, { ...auditOf(actor, Operation, now), outcome: 'refused' })
      const after = await controlGateOf(actor, session, now)
      if (after.open) throw new Refusal('control password wrong', { left: after.left })
      log.warn({ account: actor.userName }, 'closing and settings locked after wrong control passwords')
      if (!isTrip) throw locked('control locked', after, now)
      return give(actor, Operation, now, 'control locked')
    }
    await clearFailures(db, 'control', actor.userName, session)
    const { accountId } = actor
    if (controlHash !== null)
      await renewHash({ db, passwords }, { accountId, column: 'control_hash', hash: controlHash }, Password)
    return give(actor, Operation, now, null)
  }

  async function controlGateOf({ userName }: Actor, session: string, now: number): Promise<Gate> {
    const since = now - rememberFailuresMs
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
    const given = randomBytes(32).toString('base64url')
    await db.transaction().execute(async (trx) => {
      await insertGrant(trx, hashOf(given), actor.sessionId, operation, now + grantMs)
      const after = unproved === null ? {} : { after: { why: unproved } }
      await appendAudit(trx, { ...auditOf(actor, operation, now), ...after, outcome: 'done' })
    })
    return { Grant: given, ExpiresAt: now + grantMs }
  }

  /** Whether the signed-in person knows the present password. Wrong ones count like those of a sign-in. */
  function proves(actor: Actor, passwordMd5: string): Promise<void> {
    return tries.run(passwordTries(actor.userName, actor.address), () => proved(actor, passwordMd5))
  }

  async function proved({ accountId, userName, address }: Actor, passwordMd5: string): Promise<void> {
    const now = clock()
    const network = networkOf(address)
    const before = gate(await failuresSince(db, 'login', userName, network, now - rememberFailuresMs), now)
    if (!before.open) throw locked('account locked', before, now)
    const hash = (await stored.accountById(db, accountId))?.passwordHash ?? null
    if (hash !== null && passwords.isLost(hash)) throw new Refusal('password lost')
    if (await passwords.matches(passwordMd5, hash)) {
      if (hash !== null) await renewHash({ db, passwords }, { accountId, column: 'password_hash', hash }, passwordMd5)
      return
    }
    await recordFailure(db, 'login', userName, network, now)
    await appendRefusal(db, {
      at: now,
      actor: userName,
      address,
      action: 'account.password',
      ...ofAccount(userName),
      outcome: 'refused',
    })
    const refusal = new Refusal('password incorrect', { left: before.left - 1 })
    refusalWritten(refusal)
    throw refusal
  }
}

/** Hashes a password that was right anew, where its hash is of a former kind. */
export async function renewHash(
  { db, passwords }: { db: Kysely<Schema>; passwords: Passwords },
  { accountId, column, hash }: { accountId: string; column: 'password_hash' | 'control_hash'; hash: string },
  passwordMd5: string,
): Promise<void> {
  if (passwords.isDated(hash)) await stored.replaceHash(db, accountId, column, hash, await passwords.hash(passwordMd5))
}

const auditOf = ({ userName, address }: Actor, operation: string, at: number) =>
  ({ at, actor: userName, address, action: 'control.grant', subject: aboutOperation(operation), target: operation }) as const

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The refusal of whoever failed too often. */
export function locked(key: 'account locked' | 'control locked', closed: Gate & { open: false }, now: number): Refusal {
  return new Refusal(key, { minutes: Math.max(1, Math.ceil((closed.until - now) / 60_000)) })
}
