import { createHash } from 'node:crypto'
import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import type { CivilPeriod, PublicCalendar } from '@linewarden/rules/energy'
import { dayTypeOf, slotsOfDay } from '@linewarden/rules/energy'
import type { SupplyRow } from '../../store/energy/supply.ts'
import type { VersionIdOn } from './pricing.ts'

/** Grows when days are summed otherwise: those that are stored are made again. */
const engine = 1

/** What decides what the days of a supply come to, beside its quarters. */
export interface SupplyTerms {
  readonly supply: SupplyRow
  readonly zone: CivilZone
  readonly holidays: PublicCalendar
  readonly idOn: VersionIdOn
  readonly isHere: (lineId: number) => boolean
  /** Of which imports the prices of a date are, as they stand; empty: no series prices it. */
  readonly stampOn: (supply: SupplyRow, day: CivilDay) => string
}

/** Of what a day and a month are made. What is stored counts where it says the same; else it is passed over. */
export interface MadeOf {
  day(day: CivilDay): string
  month(period: CivilPeriod): string
}

/** Members, whether they are here, zone, version, type of the date, its quarters, and the imports of its prices: whatever of them changes, the text is another. */
export function madeOf({ supply, zone, holidays, idOn, isHere, stampOn }: SupplyTerms): MadeOf {
  const members = supply.members.map(({ lineId, sign }) => [lineId, sign, isHere(lineId)])
  const base = digest(JSON.stringify([engine, zone.timeZone, members]))
  const day = (of: CivilDay): string => {
    const slots = slotsOfDay(zone, of)
    const stamp = stampOn(supply, of)
    return `${base} ${idOn(supply, of) ?? 0} ${dayTypeOf(holidays, of)} ${slots[0] ?? 0} ${slots.length}${stamp && ` ${stamp}`}`
  }
  return {
    day,
    month: ({ first, end }) => digest(Array.from({ length: end - first }, (_, index) => day(first + index)).join('\n')),
  }
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 27)
