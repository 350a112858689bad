import { orderedAfterMs } from '../history/counter.ts'

/** A register began again at nought where it stood within a tenth of its end before, and within a tenth of its beginning after. */
const nearEnd = 0.9
const nearStart = 0.1

/**
 * The readings of a register that begins again at `registerMaxKwh`, as if it went on. A fall that would be more than the line can have used is no
 * roll-over; a clock set back a little can put values from before one after it.
 */
export function unrolled<C extends { readonly at: number; readonly kwh: number }>(
  counters: readonly C[],
  registerMaxKwh: number | null,
  most: (fromAt: number, toAt: number) => number,
): readonly C[] {
  if (registerMaxKwh === null) return counters
  const [high, low] = [nearEnd * registerMaxKwh, nearStart * registerMaxKwh]
  let rolls = 0
  let rolledAt = Number.NEGATIVE_INFINITY
  let before: C | null = null
  return counters.map((counter) => {
    const { at, kwh } = counter
    if (before && before.kwh >= high && kwh <= low && registerMaxKwh - before.kwh + kwh <= most(before.at, at)) {
      rolls += 1
      rolledAt = at
    } else if (before && before.kwh <= low && kwh >= high && rolls > 0 && at - rolledAt <= orderedAfterMs) {
      rolls -= 1
    }
    before = counter
    return rolls === 0 ? counter : { ...counter, kwh: kwh + rolls * registerMaxKwh }
  })
}
