import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '@linewarden/contract'
import { networkOf, rememberFailuresMs, signInPace } from '@linewarden/rules/account'
import type { RefusedAttempts } from '../../audit/refused-attempts.ts'
import type { KeyedMutex } from '../../lib/serial.ts'
import { failuresSince } from '../../store/account/attempt.ts'
import type { Database } from '../../store/core/database.ts'

/** Of one network so many sign-ins wait for each other; more are told to come back. */
const maxUnderWay = 40
const crowdedMs = 5_000
const failedAnswerMs = 250

interface Deps {
  readonly database: Database
  readonly tries: KeyedMutex
  readonly refused: Pick<RefusedAttempts, 'note'>
  readonly clock: () => number
}

/** The pace at which a network may try to sign in. */
export class SignInPace {
  readonly #deps: Deps
  /** Sign-ins under way of each network. */
  readonly #underWay = new Map<string, number>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * One sign-in of a network after the other, and fewer the more of them failed, whatever accounts they were for: all this before a password
   * is looked at, which is dear. A failure is answered after the same time whether there is such an account or not.
   */
  async run<T>(address: string, tried: () => Promise<T>): Promise<T> {
    const { database, tries, clock } = this.#deps
    const network = networkOf(address)
    const others = this.#underWay.get(network) ?? 0
    if (others >= maxUnderWay) throw this.#slowed(address, clock() + crowdedMs, clock())
    this.#underWay.set(network, others + 1)
    const answerable = pause(failedAnswerMs, undefined, { ref: false })
    try {
      return await tries.run(`network ${network}`, async () => {
        const now = clock()
        const failures = await failuresSince(database.general, 'login', null, network, now - rememberFailuresMs)
        const pace = signInPace(failures, now)
        if (!pace.open) throw this.#slowed(address, pace.until, now)
        return tried()
      })
    } catch (error) {
      await answerable
      throw error
    } finally {
      const left = (this.#underWay.get(network) ?? 1) - 1
      if (left === 0) this.#underWay.delete(network)
      else this.#underWay.set(network, left)
    }
  }

  #slowed(address: string, until: number, now: number): Refusal {
    const { refused } = this.#deps
    refused.note({ action: 'login.refused', why: 'sign-in slowed', address, about: null, tenant: null })
    return new Refusal('sign-in slowed', { seconds: Math.max(1, Math.ceil((until - now) / 1_000)) })
  }
}
