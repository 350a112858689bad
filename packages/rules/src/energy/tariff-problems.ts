import { dayMs } from '@linewarden/equipment'
import type { CivilDay } from '../automation/civil-time.ts'
import { dateText } from '../automation/civil-time.ts'
import type { DayType } from './band-calendar.ts'
import { dayTypes, seasonOf } from './band-calendar.ts'
import { parsePrice } from './money.ts'
import { quartersOfClock } from './slots.ts'
import { quarterClock } from './strip.ts'
import type { TariffVersion, VersionDates } from './tariff.ts'
import { datesOf, maxBands } from './tariff.ts'

/** Why a version cannot be published; all of them at once. */
export type TariffProblem =
  | {
      readonly problem:
        | 'sourceMissing'
        | 'datesWrong'
        | 'bandCount'
        | 'bandTwice'
        | 'bandsOfSeasons'
        | 'componentTwice'
        | 'seriesTwice'
        | 'demandRuleWrong'
    }
  /** A date of the year is in no season, or in two. */
  | { readonly problem: 'seasonMissing' | 'seasonTwice'; readonly date: string }
  | { readonly problem: 'bandMissing'; readonly season: number; readonly dayType: DayType; readonly time: string }
  | { readonly problem: 'priceWrong'; readonly component: string; readonly band: number | null }
  /** Per cent of a component that is not there, or does not stand before it. */
  | { readonly problem: 'percentOfUnknown'; readonly component: string }
  | { readonly problem: 'overlaps' | 'leavesGap'; readonly from: string; readonly to: string }

/** Checks a version by itself: every date of the year in one season, every quarter of every day in one band, every price a number. */
export function tariffProblems(version: TariffVersion): readonly TariffProblem[] {
  const problems: TariffProblem[] = []
  const { first, last } = datesOf(version)
  if (version.source.trim() === '') problems.push({ problem: 'sourceMissing' })
  if (!Number.isFinite(first) || last < first) problems.push({ problem: 'datesWrong' })
  if (version.bands.length < 1 || version.bands.length > maxBands) problems.push({ problem: 'bandCount' })
  if (new Set(version.bands).size < version.bands.length) problems.push({ problem: 'bandTwice' })
  if (!isDemandRuleWhole(version.demandRule)) problems.push({ problem: 'demandRuleWrong' })
  return [...problems, ...seasonProblems(version), ...bandProblems(version), ...componentProblems(version)]
}

/** Per cents and factors are whole, because they are multiplied with money. */
const isDemandRuleWhole = (rule: TariffVersion['demandRule']): boolean =>
  [rule?.over?.abovePercent, rule?.over?.factor, rule?.floorPercent, rule?.discount?.pricePercent].every(
    (each) => each === undefined || each === null || (Number.isInteger(each) && each >= 0),
  )

/** All dates that a year can have. */
const monthDays = Array.from({ length: 366 }, (_, index) => dateText(Date.UTC(2024, 0, 1) / dayMs + index).slice(5))

function seasonProblems({ calendar: { seasons, map } }: TariffVersion): readonly TariffProblem[] {
  if (map.length !== seasons.length) return [{ problem: 'bandsOfSeasons' }]
  const problems: TariffProblem[] = []
  let before: string | null = null
  for (const date of monthDays) {
    const count = seasons.filter((season) => seasonOf([season], date) !== null).length
    const problem = count === 1 ? null : count === 0 ? 'seasonMissing' : 'seasonTwice'
    // Only where a stretch of them begins.
    if (problem !== null && problem !== before) problems.push({ problem, date })
    before = problem
  }
  return problems
}

function bandProblems({ bands, calendar: { map } }: TariffVersion): readonly TariffProblem[] {
  return map.flatMap((ofSeason, season) =>
    dayTypes.flatMap((dayType): TariffProblem[] => {
      const quarters = ofSeason[dayType]
      const isBand = (band: number | undefined) =>
        band !== undefined && Number.isInteger(band) && band >= 0 && band < bands.length
      const missing = Array.from({ length: quartersOfClock }, (_, index) => index).find((index) => !isBand(quarters[index]))
      if (missing !== undefined) return [{ problem: 'bandMissing', season, dayType, time: quarterClock(missing) }]
      return quarters.length > quartersOfClock ? [{ problem: 'bandMissing', season, dayType, time: '24:00' }] : []
    }),
  )
}

function componentProblems({ bands, components }: TariffVersion): readonly TariffProblem[] {
  const problems: TariffProblem[] = []
  const keys = new Set<string>()
  for (const component of components) {
    const { key } = component
    if (keys.has(key)) problems.push({ problem: 'componentTwice' })
    if (component.basis === 'kwhBySeries') {
      if (components.find(({ basis }) => basis === 'kwhBySeries') !== component) problems.push({ problem: 'seriesTwice' })
    } else if (component.basis === 'kwhByBand') {
      for (const band of bands.keys())
        if (parsePrice(component.prices[band] ?? '') === null) problems.push({ problem: 'priceWrong', component: key, band })
    } else if (component.basis === 'percentOf') {
      if (parsePrice(component.percent) === null) problems.push({ problem: 'priceWrong', component: key, band: null })
      if (component.of.length === 0 || !component.of.every((each) => keys.has(each)))
        problems.push({ problem: 'percentOfUnknown', component: key })
    } else if (parsePrice(component.price) === null) problems.push({ problem: 'priceWrong', component: key, band: null })
    keys.add(key)
  }
  return problems
}

/**
 * Why a version does not go with those that are published. One with the same dates as another supersedes it. An open end ends where a later version
 * begins: that is no overlap. Each date between the first version's beginning and the last one's end must have a price.
 */
export function versionProblems(published: readonly VersionDates[], candidate: VersionDates): readonly TariffProblem[] {
  const own = datesOf(candidate)
  if (own.last < own.first) return []
  const others = published
    .filter(({ id, publishedAt }) => publishedAt !== null && id !== candidate.id)
    .map(datesOf)
    .filter(({ first, last }) => first !== own.first || last !== own.last)
  const problems: TariffProblem[] = []
  for (const other of others) {
    const [earlier, later] = other.first <= own.first ? [other, own] : [own, other]
    const ends = earlier.last === Number.POSITIVE_INFINITY && earlier.first < later.first ? later.first - 1 : earlier.last
    if (ends >= later.first)
      problems.push({ problem: 'overlaps', from: dateText(later.first), to: dateText(Math.min(ends, later.last)) })
  }
  return [...problems, ...gapsBetween([...others, own])]
}

function gapsBetween(all: readonly { readonly first: CivilDay; readonly last: CivilDay }[]): readonly TariffProblem[] {
  const sorted = all.toSorted((one, other) => one.first - other.first)
  const problems: TariffProblem[] = []
  let reached = sorted[0]?.first ?? 0
  for (const { first, last } of sorted) {
    if (first > reached) problems.push({ problem: 'leavesGap', from: dateText(reached), to: dateText(first - 1) })
    reached = Math.max(reached, last + 1)
  }
  return problems
}
