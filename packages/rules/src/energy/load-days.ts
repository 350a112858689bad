import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import type { PublicCalendar } from './band-calendar.ts'
import { dayTypeOf } from './band-calendar.ts'
import { demandW, makesDemand } from './demand.ts'
import type { Load } from './load.ts'
import { percentileOf } from './load.ts'
import type { HowCode } from './quarters.ts'
import { graverHow, How } from './quarters.ts'
import { clockQuarterOf, quarterMs, quartersOfClock, slotsOfDay, startOfDay } from './slots.ts'

/** Days whose load is alike; `holiday`: Sundays and public holidays. */
export const loadDayTypes = ['workday', 'saturday', 'holiday'] as const
export type LoadDayType = (typeof loadDayTypes)[number]

/** A weekend worked is a workday, and so is its load. */
export function loadDayTypeOf(calendar: PublicCalendar, day: CivilDay): LoadDayType {
  const type = dayTypeOf(calendar, day)
  if (type === 'workday' || type === 'makeUpWorkday') return 'workday'
  return type === 'saturday' ? 'saturday' : 'holiday'
}

/** Civil dates, `end` not included, that a load begins and ends with. */
export interface LoadPeriod {
  readonly zone: CivilZone
  readonly first: CivilDay
  readonly end: CivilDay
}

/** One quarter of the clock on days of one type, W; null: it makes a demand on none of them. */
export interface TypicalQuarter {
  readonly p10W: number | null
  readonly medianW: number | null
  readonly p90W: number | null
  /** Quarters that it is made of: one of each day, of a repeated hour both. */
  readonly count: number
}

export interface TypicalDay {
  readonly type: LoadDayType
  /** Days of which at least one quarter makes a demand. */
  readonly days: number
  /** By the 96 quarters of the clock. */
  readonly quarters: readonly TypicalQuarter[]
}

/** The typical day (典型日负荷) of each type of days that the period has. */
export function typicalDays(load: Load, { zone, first, end }: LoadPeriod, calendar: PublicCalendar): readonly TypicalDay[] {
  const byType = new Map<LoadDayType, { days: number; values: number[][] }>()
  const start = startOfDay(zone, first)
  for (let day = first; day < end; day++) {
    const slots = slotsOfDay(zone, day)
    if (slots.length === 0) continue
    const type = loadDayTypeOf(calendar, day)
    const own = byType.get(type) ?? { days: 0, values: Array.from({ length: quartersOfClock }, () => []) }
    byType.set(type, own)
    let makesAny = false
    for (const slot of slots) {
      const index = (slot - start) / quarterMs
      const wh = load.wh[index] ?? null
      if (wh === null || !makesDemand(load.how[index])) continue
      makesAny = true
      own.values[clockQuarterOf(zone, slot)]?.push(demandW(wh))
    }
    if (makesAny) own.days += 1
  }
  return loadDayTypes.flatMap((type) => {
    const own = byType.get(type)
    return own ? [{ type, days: own.days, quarters: own.values.map(typicalOf) }] : []
  })
}

function typicalOf(values: readonly number[]): TypicalQuarter {
  const rising = Float64Array.from(values).sort()
  const at = (perMille: number) => percentileOf(rising, perMille)
  return { p10W: at(100), medianW: at(500), p90W: at(900), count: values.length }
}

/** An hour of the clock of one date. */
export interface HeatCell {
  /** Mean power of its quarters that are known, W; null: none is. */
  readonly meanW: number | null
  /** How the one of them is known of which least is; `skipped`: the clock did not show the hour. */
  readonly how: HowCode | 'skipped'
  /** Quarters of it that are known: four, eight where the hour came twice. */
  readonly known: number
}

const hoursOfClock = 24
const quartersOfHour = quartersOfClock / hoursOfClock

/** The mean power of each hour of a date by the clock: both passes of a repeated hour in one, each quarter weighing the same. */
export function heatOfDay(load: Load, { zone, first }: Pick<LoadPeriod, 'zone' | 'first'>, day: CivilDay): readonly HeatCell[] {
  const start = startOfDay(zone, first)
  const cells = Array.from({ length: hoursOfClock }, () => ({ wh: 0, known: 0, quarters: 0, how: How.measured as HowCode }))
  for (const slot of slotsOfDay(zone, day)) {
    const cell = cells[Math.floor(clockQuarterOf(zone, slot) / quartersOfHour)]
    if (!cell) continue
    const index = (slot - start) / quarterMs
    const wh = load.wh[index] ?? null
    const how = load.how[index] as HowCode
    // A sum of which a line is missing is too low to be shown as a load.
    const isKnown = wh !== null && how !== How.missing && how !== How.open
    cell.quarters += 1
    cell.how = graverHow(cell.how, how)
    if (!isKnown) continue
    cell.wh += wh
    cell.known += 1
  }
  return cells.map(({ wh, known, quarters, how }) => ({
    meanW: known === 0 ? null : demandW(wh) / known,
    how: quarters === 0 ? 'skipped' : how,
    known,
  }))
}
