import type { getEnergy, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { civilZone, parseDate } from '@linewarden/rules/automation'
import type { CivilPeriod, ComparedPeriod, Comparison, RangeProblem } from '@linewarden/rules/energy'
import { comparedWith, dayOfSlot, quarterOf, rangeProblem, sameMoment } from '@linewarden/rules/energy'
import type { PlantProject } from '../../plant/plant.ts'
import type { Asked } from './picture.ts'

export type EnergyQuery = Request<typeof getEnergy>['query']

/** The period of a question, and the one beside it. */
export const periodsOf = ({ first, end, compared }: Asked): readonly CivilPeriod[] =>
  compared ? [{ first, end }, compared] : [{ first, end }]

export function askedOf({ timeZone }: PlantProject, { Unit, From, To, Compare }: EnergyQuery, now: number): Asked {
  const problem = rangeProblem(Unit, From, To)
  const [first, end] = [parseDate(From), parseDate(To)]
  if (problem !== null || first === null || end === null) throw invalid('query.To', rangeTexts[problem ?? 'notDates'])
  const compared = comparedOf({ first, end }, Compare)
  return { zone: civilZone(timeZone), unit: Unit, first, end, compared, now }
}

/** Days of which something is open, and those that a comparison up to this moment cuts. */
export function detailedOf(asked: Asked): readonly number[] {
  const today = dayOfSlot(asked.zone, quarterOf(asked.now))
  return [today - 1, today, ...cutOf(asked)]
}

/** Days that a comparison up to this moment cuts. */
export function cutOf({ zone, first, end, compared, now }: Asked): readonly number[] {
  if (!compared) return []
  const { until, comparedUntil } = sameMoment(zone, { first, end }, compared, now)
  return [dayOfSlot(zone, quarterOf(until)), dayOfSlot(zone, quarterOf(comparedUntil))]
}

/** The period beside another; null: none is asked for, or no date of it has one beside it, as 29 February a year ago. */
export function comparedOf(period: CivilPeriod, comparison: Comparison | undefined): ComparedPeriod | null {
  const compared = comparison === undefined ? null : comparedWith(period, comparison)
  return compared && compared.first < compared.end ? compared : null
}

/** What is wrong with a range of dates. */
export const rangeTexts: Readonly<Record<RangeProblem, { readonly zh: string; readonly en: string }>> = {
  notDates: { zh: '请填写存在的日期，例如 2026-11-30', en: 'must be a date that exists, such as 2026-11-30' },
  endsBeforeStart: { zh: '开始应早于结束', en: 'must be after From' },
  tooLong: { zh: '跨度不超过 10 年', en: 'must be at most ten years after From' },
  tooManyBars: {
    zh: '最多 400 段：请缩短时段，或按更大的单位统计',
    en: 'makes more than 400 bars: shorten the range or take a larger unit',
  },
}

/** A tariff is of what the utility bills. */
export const byTexts = {
  zh: '只有供电点可按时段统计电费，只有项目和网关可按下级统计',
  en: 'Only a supply has a tariff (band), and only a project or a gateway has parts (child)',
}

export const invalid = (Path: string, Text: { readonly zh: string; readonly en: string }): Refusal =>
  new Refusal('invalid parameter', {}, [{ Path, Text }])
