import type { Logger } from 'pino'
import { Loop } from '../../lib/every.ts'

interface Deps<L> {
  /** Orders that are stored as under way though their deadline lies before this. */
  readonly overdue: (before: number) => Promise<readonly L[]>
  readonly carried: (commandId: string) => boolean
  readonly end: (strays: readonly L[]) => Promise<void>
  readonly clock: () => number
  readonly log: Logger
}

const sweepEveryMs = 5_000
/** By then whoever carries an order has ended it, or calls it unknown. */
const strayAfterMs = 10_000

/**
 * The answer to a COMMIT may be lost though it was done: then an order is stored that nobody has begun, and it stands in the way of every
 * other one. Such orders are looked for every few seconds, beside the ticks: no trip waits for it.
 */
export function watchStrays<L extends { readonly commandId: string }>({ overdue, carried, end, clock, log }: Deps<L>) {
  return new Loop(sweepEveryMs, endStrays, { log, failed: 'looking for orders that nobody carries failed; it is tried again' })

  async function endStrays(): Promise<void> {
    const found = await overdue(clock() - strayAfterMs)
    const alone = found.filter(({ commandId }) => !carried(commandId))
    // What was carried to its end while the answer was on its way is not under way any more when it is asked again.
    const still = alone.length === 0 ? [] : await overdue(clock() - strayAfterMs)
    const ids = new Set(alone.map(({ commandId }) => commandId))
    await end(still.filter(({ commandId }) => ids.has(commandId) && !carried(commandId)))
  }
}
