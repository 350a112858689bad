import { Refusal } from '@linewarden/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import * as stored from '../../store/account/second-factor.ts'
import { appendAudit } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'
import { createFactorCodes } from './factor-codes.ts'
import { codeHashOf, newRecoveryCode } from './recovery-code.ts'
import type { Peppers, Seal } from './secrets.ts'
import { base32, newTotpKey, totpUri } from './totp.ts'

const recoveryCodes = 10

export interface FactorDeps {
  readonly database: Database
  readonly seal: Seal
  readonly peppers: Peppers
  readonly proves: (actor: Actor, passwordMd5: string) => Promise<void>
  readonly endOthers: (actor: Actor) => Promise<void>
  readonly issuer: () => string
  readonly clock: () => number
}

/** The second factor of an account: an authenticator app, and ten recovery codes for the day it is lost. */
export function createSecondFactor({ database, seal, peppers, proves, endOthers, issuer, clock }: FactorDeps) {
  const db = database.control
  const { check, tried } = createFactorCodes({ database, seal, peppers, clock })
  return {
    begin,
    confirm,
    renew,
    remove,
    check,
    left: (accountId: string) => stored.recoveryCodesLeft(db, accountId),
  }

  async function begin(actor: Actor, passwordMd5: string): Promise<{ Key: string; Uri: string }> {
    await proves(actor, passwordMd5)
    const key = newTotpKey()
    if (!(await stored.beginFactor(db, actor.accountId, seal.seal(key.toString('base64')), clock())))
      throw new Refusal('second factor on')
    return { Key: base32(key), Uri: totpUri(key, issuer(), actor.userName) }
  }

  async function confirm(actor: Actor, code: string): Promise<{ RecoveryCodes: string[] }> {
    const codes = await withCode(actor, code, false, async (trx) => {
      await stored.turnOn(trx, actor.accountId, clock())
      const codes = await newCodes(trx, actor.accountId)
      await appendAudit(trx, { ...by(actor, clock(), 'account.factor.on', actor.tenant), ...ofAccount(actor.userName) })
      return codes
    })
    // Whoever is signed in elsewhere came in without it.
    await endOthers(actor)
    return { RecoveryCodes: codes }
  }

  async function renew(actor: Actor, code: string): Promise<{ RecoveryCodes: string[] }> {
    const codes = await withCode(actor, code, true, async (trx) => {
      const codes = await newCodes(trx, actor.accountId)
      await appendAudit(trx, { ...by(actor, clock(), 'account.factor.codes', actor.tenant), ...ofAccount(actor.userName) })
      return codes
    })
    return { RecoveryCodes: codes }
  }

  async function remove(actor: Actor, passwordMd5: string, code: string): Promise<null> {
    await proves(actor, passwordMd5)
    await withCode(actor, code, true, (trx) =>
      stored.turnOff(trx, actor.accountId, {
        ...by(actor, clock(), 'account.factor.off', actor.tenant),
        ...ofAccount(actor.userName),
      }),
    )
    return null
  }

  /** With a right code of the own app, and the factor as far as the act needs it. */
  async function withCode<T>(actor: Actor, code: string, on: boolean, work: (trx: Kysely<Schema>) => Promise<T>): Promise<T> {
    const person = { accountId: actor.accountId, userName: actor.userName, address: actor.address }
    const { result } = await tried(person, code, async (trx, factor) => {
      if (factor.on !== on) throw new Refusal(on ? 'second factor off' : 'second factor on')
      return work(trx)
    })
    return result
  }

  async function newCodes(trx: Kysely<Schema>, accountId: string): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
    await stored.putRecoveryCodes(trx, accountId, codes.map(codeHashOf))
    return codes
  }
}
