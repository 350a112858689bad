import type { Logger } from 'pino'
import { Loop } from '../../lib/every.ts'

interface Deps<L> {
  /** Orders that are stored as under way though their deadline lies before this. */
  readonly overdue: (before: number) => Promise<readonly L[]>
  readonly isOpen: (commandId: string) => boolean
  readonly end: (found: readonly L[]) => Promise<void>
  readonly clock: () => number
  readonly log: Logger
}

const sweepEveryMs = 5_000
/** By then its dispatcher has ended an order, or calls it unknown. */
const overdueAfterMs = 10_000

/**
 * The answer to a COMMIT may be lost though it was done: then an order is stored that no dispatcher has begun, and it blocks every other
 * order of its line. Such orders are looked for every few seconds, beside the ticks: no trip waits for it.
 */
export function watchOverdueOrders<L extends { readonly commandId: string }>({ overdue, isOpen, end, clock, log }: Deps<L>) {
  return new Loop(sweepEveryMs, endOverdueOrders, { log, failed: 'looking for overdue orders failed; it is tried again' })

  async function endOverdueOrders(): Promise<void> {
    const found = await overdue(clock() - overdueAfterMs)
    const alone = found.filter(({ commandId }) => !isOpen(commandId))
    // An order that ended while the answer was on its way is not under way any more in a second answer.
    const still = alone.length === 0 ? [] : await overdue(clock() - overdueAfterMs)
    const ids = new Set(alone.map(({ commandId }) => commandId))
    await end(still.filter(({ commandId }) => ids.has(commandId) && !isOpen(commandId)))
  }
}
