import { Refusal } from '@linewarden/contract'
import { gate, rememberFailuresMs } from '@linewarden/rules/account'
import type { Kysely } from 'kysely'
import { clearFailures, failuresSince, recordFailure } from '../../store/account/attempt.ts'
import * as stored from '../../store/account/second-factor.ts'
import { appendAudit } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'
import { locked } from './password-tries.ts'
import { codeHashesOf } from './recovery-code.ts'
import type { Peppers, Seal } from './secrets.ts'
import { stepTaken } from './totp.ts'

interface Deps {
  readonly database: Database
  readonly seal: Seal
  readonly peppers: Peppers
  readonly clock: () => number
}

interface Person {
  readonly accountId: string
  readonly userName: string
  readonly address: string
}

/** Codes of a second factor: each is good once, and wrong ones are counted whatever they were for. */
export function createFactorCodes({ database, seal, peppers, clock }: Deps) {
  const db = database.control
  return { check, tried }

  /** The second step of a sign-in: a code of the app, or a recovery code. Refuses what is wrong, was taken before, or came too often. */
  async function check(person: Person, code: string): Promise<{ recovery: boolean }> {
    const { recovery } = await tried(person, code, async () => null)
    return { recovery }
  }

  /** Does the work in the transaction that used up the code, or refuses as `check` does. */
  async function tried<T>(
    person: Person,
    code: string,
    work: (trx: Kysely<Schema>, factor: stored.StoredFactor) => Promise<T>,
  ): Promise<{ result: T; recovery: boolean }> {
    const { accountId, userName, address } = person
    // What is refused must stay counted, so a wrong code leaves the transaction by its result and not by an error.
    const outcome = await stored.withFactor(db, accountId, async (trx, factor) => {
      if (!factor) throw new Refusal('second factor off')
      const now = clock()
      const since = () => failuresSince(trx, 'second', userName, '', now - rememberFailuresMs)
      const before = gate(await since(), now)
      if (!before.open) return { refusal: locked('account locked', before, now) }
      const key = seal.open(factor.sealedKey)
      const step = key === null ? null : stepTaken(Buffer.from(key, 'base64'), code, factor.lastStep, now)
      const recovery = step === null && factor.on && (await stored.takeRecoveryCode(trx, accountId, codeHashesOf(code, peppers)))
      if (step === null && !recovery) {
        await recordFailure(trx, 'second', userName, '', now)
        await appendAudit(trx, {
          at: now,
          actor: userName,
          address,
          action: 'login.factor',
          ...ofAccount(userName),
          outcome: 'refused',
        })
        const after = gate(await since(), now)
        if (!after.open) return { refusal: locked('account locked', after, now) }
        return { refusal: key === null ? new Refusal('second factor lost') : new Refusal('code wrong', { left: after.left }) }
      }
      if (step !== null) await stored.keepStep(trx, accountId, step)
      await clearFailures(trx, 'second', userName, '')
      return { result: await work(trx, factor), recovery }
    })
    if ('refusal' in outcome) throw outcome.refusal
    return outcome
  }
}
