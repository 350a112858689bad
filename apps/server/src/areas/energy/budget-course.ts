import type { EnergyCost } from '@linewarden/contract'
import { civilZone, dateText, parseDate } from '@linewarden/rules/automation'
import type { BudgetCourse, BudgetDay, CivilPeriod } from '@linewarden/rules/energy'
import {
  amountOf,
  budgetCourse,
  budgetHistoryDays,
  budgetPeriodOf,
  dayTypeOf,
  minKnownShare,
  roundToMinor,
} from '@linewarden/rules/energy'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { BudgetRow } from '../../store/energy/budget.ts'
import { minorDigitsOf } from './pricing.ts'
import { publicDaysIn } from './public-days.ts'
import type { Reader } from './scope.ts'
import { createEnergy } from './service.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** The period of a budget with its course, as somebody sees it. */
export interface CourseOfBudget {
  readonly period: CivilPeriod
  readonly today: number
  readonly course: BudgetCourse
  readonly currency: string | null
  readonly minorDigits: number
  readonly lackingS: number
  readonly unpricedS: number
}

/** What budgets have come to, by the same days as the page of energy. */
export function createBudgetCourses({ database, plant, clock }: Deps) {
  const energy = createEnergy({ database, plant, clock })
  return async (
    actor: Reader,
    project: PlantProject,
    row: BudgetRow,
    day: number | null,
    seen: Database,
  ): Promise<CourseOfBudget> => {
    const zone = civilZone(project.timeZone)
    const today = zone.dayAt(clock())
    const period = budgetPeriodOf(row.period, day ?? today)
    const scope = row.supply_id === null ? { HouseID: project.id } : { SupplyID: row.supply_id, By: 'band' as const }
    const ask = (first: number, end: number) =>
      energy.read(actor, { ...scope, Unit: 'day', From: dateText(first), To: dateText(end) })
    const [before, own] = [await ask(period.first - budgetHistoryDays, period.first), await ask(period.first, period.end)]
    const currency = row.kind === 'money' ? (own.Pricing?.Currency ?? before.Pricing?.Currency ?? null) : null
    const minorDigits = currency === null ? 0 : minorDigitsOf(currency)
    const { calendar } = await publicDaysIn(database, project, seen)
    const days = [...before.Bars, ...own.Bars].map((bar): BudgetDay => {
      const date = parseDate(bar.Civil) ?? 0
      const value = row.kind === 'energy' ? bar.Wh : feeOf(bar.Cost, minorDigits)
      const isPriced = row.kind === 'energy' || bar.Cost?.UnpricedS === 0
      const isKnown = bar.OpenS === 0 && bar.LengthS > 0 && bar.LackingS <= bar.LengthS * (1 - minKnownShare) && isPriced
      return { day: date, type: dayTypeOf(calendar, date), value, isKnown }
    })
    return {
      ...{ period, today, currency, minorDigits, course: budgetCourse(period, today, days) },
      ...{ lackingS: own.Total.LackingS, unpricedS: row.kind === 'money' ? (own.Total.Cost?.UnpricedS ?? 0) : 0 },
    }
  }
}

/** In whole minor units, of what has a price; null: nothing has. */
const feeOf = (cost: EnergyCost | null, minorDigits: number): number | null =>
  cost?.KnownFee == null ? null : Number(roundToMinor(amountOf(cost.KnownFee), minorDigits))
