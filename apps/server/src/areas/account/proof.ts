import { Refusal } from '@linewarden/contract'
import { gate, networkOf, rememberFailuresMs } from '@linewarden/rules/account'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import { refusalWritten } from '../../audit/audited.ts'
import type { KeyedMutex } from '../../lib/serial.ts'
import * as stored from '../../store/account/account.ts'
import { failuresSince, recordFailure } from '../../store/account/attempt.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'
import { locked, passwordTries } from './password-tries.ts'
import type { Passwords } from './passwords.ts'

interface Deps {
  readonly database: Database
  readonly passwords: Passwords
  readonly tries: KeyedMutex
  readonly clock: () => number
}

/** Proof that it is still the same person who is signed in: the present password. */
export function createProof({ database, passwords, tries, clock }: Deps) {
  const db = database.control
  return { proves }

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
