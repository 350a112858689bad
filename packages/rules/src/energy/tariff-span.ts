import type { CivilDay } from '../automation/civil-time.ts'
import { dateText, parseDate } from '../automation/civil-time.ts'
import type { VersionDates } from './tariff.ts'
import { datesOf, versionOn } from './tariff.ts'

/** On which dates a published version prices, as those that are published stand now. */
export interface PricedSpan {
  /** Another one of the same dates was published later: it prices nothing any more. */
  readonly superseded: boolean
  /** The last date that it prices, `2026-11-15`; null: it goes on. */
  readonly last: string | null
}

/** An open end ends where another version begins. */
export function pricedSpan(published: readonly VersionDates[], version: VersionDates): PricedSpan {
  const own = datesOf(version)
  if (versionOn(published, own.first)?.id !== version.id) return { superseded: true, last: null }
  const next = published
    .filter(({ publishedAt }) => publishedAt !== null)
    .map((each) => datesOf(each).first)
    .filter((first) => first > own.first)
  const last = Math.min(own.last, ...next.map((first) => first - 1))
  return { superseded: false, last: last === Number.POSITIVE_INFINITY ? null : dateText(last) }
}

/** Which tariff a supply has from when on; the first from its beginning on, so that each of its dates has exactly one. */
export interface SupplyTariff {
  readonly tariffId: number
  /** Null: from the beginning of the supply on, and only the first. */
  readonly from: string | null
}

export const maxSupplyTariffs = 40

/** Whether each date of a supply that begins on `start` has exactly one tariff: the first from its beginning, the others one after the other. */
export function areTariffsInOrder(tariffs: readonly SupplyTariff[], start: string): boolean {
  let before = parseDate(start)
  return tariffs.every(({ from }, index) => {
    if (index === 0) return from === null
    const day = from === null ? null : parseDate(from)
    const isLater = day !== null && before !== null && day > before
    before = day
    return isLater
  })
}

/** The tariff of a supply on a date; null: it has none at all. */
export function tariffOn(tariffs: readonly SupplyTariff[], day: CivilDay): number | null {
  const found = tariffs.findLast(({ from }) => from === null || (parseDate(from) ?? Number.POSITIVE_INFINITY) <= day)
  return found?.tariffId ?? null
}
