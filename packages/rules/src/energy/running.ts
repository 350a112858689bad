import { spreadAfterMs } from './course.ts'
import { runningWh } from './quarters.ts'
import type { MeterSpan, RegisterReading } from './register.ts'
import { registerOf } from './register.ts'
import type { RegisterAt } from './register-at.ts'
import { quarterMs } from './slots.ts'

/** Lines whose registers are added up at once at most. */
export const maxRunningLines = 400
/** Quarters are made minutes after they end: whoever is further behind has something else to do. */
const maxBehindMs = 8 * quarterMs

/** Where the quarters of a line end, and what was read of it there and last. */
export interface RunningRead extends RegisterAt {
  /** Unix ms. */
  readonly madeTo: number
  readonly last: { readonly at: number; readonly kwh: number } | null
}

const evenly = () => null

/** Energy of a line since its last quarter, Wh; null: it reported nothing lately, or what it reported is no register that goes on. */
export function runningOf(
  { madeTo, before, after, last }: RunningRead,
  meters: readonly MeterSpan[],
  { now, periodMs, ratedCurrentA }: { readonly now: number; readonly periodMs: number; readonly ratedCurrentA: number | null },
): number | null {
  if (!before || !after || !last || madeTo < now - maxBehindMs || last.at < now - spreadAfterMs(periodMs)) return null
  const readings = [before, after, last].map(({ at, kwh }): RegisterReading => ({ at, kwh, quality: 0 }))
  return runningWh(registerOf(readings, meters, ratedCurrentA), madeTo, { periodMs, usual: evenly })
}
