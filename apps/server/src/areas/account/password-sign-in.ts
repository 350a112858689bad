import { Refusal } from '@linewarden/contract'
import { gate, networkOf, rememberFailuresMs } from '@linewarden/rules/account'
import type { RefusedAttempts } from '../../audit/refused-attempts.ts'
import type { KeyedMutex } from '../../lib/serial.ts'
import type { StoredAccount } from '../../store/account/account.ts'
import * as stored from '../../store/account/account.ts'
import { clearFailures, failuresSince, recordFailure } from '../../store/account/attempt.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import { locked, passwordTries } from './password-tries.ts'
import type { Passwords } from './passwords.ts'
import { renewHash } from './proof.ts'
import { SignInPace } from './sign-in-pace.ts'

interface Deps {
  readonly database: Database
  readonly passwords: Passwords
  readonly tries: KeyedMutex
  readonly refused: Pick<RefusedAttempts, 'note'>
  readonly clock: () => number
}

/** Finds an account by its name and password. Wrong ones are counted and slow their network down. */
export function createPasswordSignIn(deps: Deps) {
  const { database, passwords, tries, refused, clock } = deps
  // Whoever is not signed in yet waits on the connections of no trip.
  const db = database.general
  const pace = new SignInPace(deps)
  return {
    known: (userName: string, passwordMd5: string, address: string): Promise<StoredAccount> =>
      pace.run(address, () => tries.run(passwordTries(userName, address), () => checked(userName, passwordMd5, address))),
  }

  /** The account whose password this is. */
  async function checked(userName: string, passwordMd5: string, address: string): Promise<StoredAccount> {
    const now = clock()
    const network = networkOf(address)
    const before = gate(await failuresSince(db, 'login', userName, network, now - rememberFailuresMs), now)
    if (!before.open) throw locked('account locked', before, now)
    const account = await stored.accountByName(db, userName)
    if (!(await passwords.matchesAtSignIn(passwordMd5, account?.passwordHash ?? null)) || !account) {
      await recordFailure(db, 'login', userName, network, now)
      // A name that nobody has is anybody's guess, or a password in the wrong field: it is counted, and stands nowhere.
      if (!account) refused.note({ action: 'login.refused', why: 'username notexists', address, about: null, tenant: null })
      else {
        const entry = { at: now, actor: userName, address, action: 'login', ...ofAccount(userName), outcome: 'refused' } as const
        // To who only wants to sign in it says nothing: whether there is such an account is not told.
        const lost = passwords.isLost(account.passwordHash) ? { after: { why: 'password lost' } } : {}
        await appendRefusal(db, { ...entry, ...lost })
      }
      const after = gate(await failuresSince(db, 'login', userName, network, now - rememberFailuresMs), now)
      if (!after.open) throw locked('account locked', after, now)
      throw new Refusal('User name or password error', { left: after.left })
    }
    await clearFailures(db, 'login', userName, network)
    const { accountId, passwordHash: hash } = account
    await renewHash({ db, passwords }, { accountId, column: 'password_hash', hash }, passwordMd5)
    return account
  }
}
