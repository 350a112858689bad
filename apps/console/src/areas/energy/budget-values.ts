import type { Budget, BudgetCourse } from '@linewarden/contract'
import { maxThresholdPercent, maxThresholds } from '@linewarden/rules/energy'
import { grouped } from './figures.ts'
import { unitOf } from './tariff-values.ts'

type Course = Pick<BudgetCourse, 'Budget' | 'Currency' | 'MinorDigits'>

/** A value of a budget in the unit that it is shown in. */
export const shownValue = ({ Budget, MinorDigits }: Course, value: number): number =>
  Budget.Kind === 'energy' ? value / 1_000 : value / 10 ** MinorDigits

export const valueText = (course: Course, value: number): string =>
  grouped(shownValue(course, value), course.Budget.Kind === 'energy' ? 0 : course.MinorDigits)

export const valueUnit = ({ Budget, Currency }: Course, language: string): string =>
  Budget.Kind === 'energy' ? 'kWh' : Currency === null ? '' : unitOf(Currency, language)

/** What was typed, in Wh or in minor units of two places; null: it is no amount. */
export function typedAmount(text: string, kind: Budget['Kind'], minorDigits: number): number | null {
  const plain = text.trim().replaceAll(',', '')
  if (!/^\d{1,12}(\.\d{1,3})?$/.test(plain)) return null
  const value = Math.round(Number(plain) * (kind === 'energy' ? 1_000 : 10 ** minorDigits))
  return value > 0 ? value : null
}

/** Per cents that were typed, rising; null: one of them is none. */
export function typedThresholds(text: string): readonly number[] | null {
  const parts = text.split(/[,，、\s]+/).filter((each) => each !== '')
  const values = parts.map((each) => (/^\d{1,3}$/.test(each) ? Number(each) : Number.NaN))
  const isRight = values.every((each) => each >= 1 && each <= maxThresholdPercent) && values.length <= maxThresholds
  return isRight ? [...new Set(values)].toSorted((one, other) => one - other) : null
}
