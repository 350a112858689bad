import { Refusal } from '@linewarden/contract'
import { Limits } from '../lib/limits.ts'
import type { Actor } from './actor.ts'

/** Called when what was asked for turned out to be somebody else's: so many of them. Throws when that is more than may be learnt. */
type Foreign = (count: number) => void

export type TakenLimit = ReturnType<typeof createTakenLimit>

const maxOfAccount = 20
const maxOfTenant = 100
const hourS = 3_600

/**
 * Log-in names, gateway numbers and IMEIs are unique in the whole installation, so that one is in use elsewhere cannot be hidden from whoever
 * wants to add it. It is told so often an hour to an account, and to all accounts under one administrator, and then nothing is looked up.
 */
export function createTakenLimit(clock: () => number) {
  const limits = [
    [new Limits(maxOfAccount, maxOfAccount / hourS), (actor: Actor) => actor.accountId],
    [new Limits(maxOfTenant, maxOfTenant / hourS), (actor: Actor) => actor.tenant ?? ''],
  ] as const

  return async <T>(actor: Actor, look: (foreign: Foreign) => T | Promise<T>): Promise<T> => {
    if (actor.platform) return look(() => {})
    let found = 0
    let reserved = 0
    // Before looking, so that many at once learn no more than one after the other.
    reserve(1)
    try {
      return await look((count) => {
        reserve(count)
        found = count
      })
    } finally {
      for (; reserved > found; reserved--) for (const [limit, keyOf] of limits) limit.giveBack(keyOf(actor), clock())
    }

    function reserve(count: number): void {
      if (count > reserved && limits.some(([limit, keyOf]) => limit.left(keyOf(actor), clock()) < count - reserved))
        throw new Refusal('too many taken')
      for (; reserved < count; reserved++) for (const [limit, keyOf] of limits) limit.take(keyOf(actor), clock())
    }
  }
}
