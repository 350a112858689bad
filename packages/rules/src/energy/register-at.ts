import { spreadAfterMs } from './course.ts'

/** What a register showed when it was read. */
export interface RegisterRead {
  /** Unix ms. */
  readonly at: number
  readonly kwh: number
}

/** The readings at or beside an instant; null: there is none near it, or it is no longer stored. */
export interface RegisterAt {
  readonly before: RegisterRead | null
  readonly after: RegisterRead | null
}

/**
 * What a register showed at an instant, kWh, straight between what was read before and after it, as quarters are made. Null: it is not known, also
 * where both readings lie further away than the line is ever silent.
 */
export function registerKwhAt({ before, after }: RegisterAt, at: number, periodMs: number): number | null {
  if (before?.at === at) return before.kwh
  if (before === null || after === null || after.kwh < before.kwh) return null
  if (Math.min(at - before.at, after.at - at) > spreadAfterMs(periodMs)) return null
  const share = (at - before.at) / (after.at - before.at)
  return Math.min(after.kwh, before.kwh + (after.kwh - before.kwh) * share)
}
