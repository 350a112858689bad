import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { barsOf, dayOfSlot, maxEnergyDays, startOfDay } from '@linewarden/rules/energy'
import { invalid } from './asked.ts'

/** A stretch as a figure has it: whole dates, or one hour of a date. */
export interface OriginStretch extends CivilPeriod {
  readonly zone: CivilZone
  readonly isHour: boolean
  /** Unix ms. */
  readonly from: number
  readonly to: number
  readonly now: number
}

/** @throws refusal where it is neither. */
export function stretchOf(zone: CivilZone, from: number, to: number, now: number): OriginStretch {
  const first = dayOfSlot(zone, from)
  const base = { zone, from, to, now, first }
  const isDate = (at: number, day: CivilDay) => startOfDay(zone, day) === at
  const end = dayOfSlot(zone, to)
  if (from < to && isDate(from, first) && isDate(to, end) && end - first <= maxEnergyDays) return { ...base, end, isHour: false }
  const hours = from < to ? barsOf(zone, 'hour', first, first + 1) : []
  if (hours.some((bar) => bar.start === from && bar.end === to)) return { ...base, end: first + 1, isHour: true }
  throw invalid('query.To', {
    zh: '请选择完整的日期（最多 10 年），或其中完整的一小时',
    en: 'must make whole dates with From, ten years at most, or one hour of the clock',
  })
}
