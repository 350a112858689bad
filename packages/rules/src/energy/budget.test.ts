import { expect, test } from 'vitest'
import { parseDate, weekdayOf } from '../automation/civil-time.ts'
import type { BudgetDay } from './budget.ts'
import { budgetCourse, budgetNotices, budgetPeriodOf } from './budget.ts'

const day = (date: string) => parseDate(date)!
const march = budgetPeriodOf('month', day('2026-03-17'))
/** 100 on workdays and 40 on others, from the first of February on; `change` of single dates. */
const daysTo = (last: string, change: (date: number) => Partial<BudgetDay> = () => ({})): readonly BudgetDay[] =>
  Array.from({ length: day(last) - day('2026-02-01') + 1 }, (_, index) => {
    const date = day('2026-02-01') + index
    const weekday = weekdayOf(date)
    const type = weekday < 5 ? 'workday' : weekday === 5 ? 'saturday' : 'sunday'
    return { day: date, type, value: type === 'workday' ? 100 : 40, isKnown: true, ...change(date) }
  })
const today = day('2026-03-17')
const future = (date: number): Partial<BudgetDay> => (date >= today ? { value: null, isKnown: false } : {})

test('a period is the month or the year of a date', () => {
  expect([march.first, march.end]).toEqual([day('2026-03-01'), day('2026-04-01')])
  expect(budgetPeriodOf('year', day('2026-03-17'))).toEqual({ first: day('2026-01-01'), end: day('2027-01-01') })
})

test('what is used is known, and the rest is what comparable days were', () => {
  const { used, expected, days } = budgetCourse(march, today, daysTo('2026-03-31', future))
  // 1 to 16 March: 11 workdays and 5 others.
  expect(used).toBe(1_300)
  // 22 workdays and 9 others in all.
  expect(expected).toEqual({ low: 2_560, mid: 2_560, high: 2_560 })
  expect([days.length, days[15]?.used, days[16]?.used, days[17]?.used, days[30]?.mid]).toEqual([31, 1_300, 1_300, null, 2_560])
})

test('the day that runs counts with what it has, and is not expected to use less', () => {
  const running = daysTo('2026-03-31', (date) => (date === today ? { value: 250, isKnown: false } : future(date)))
  expect(budgetCourse(march, today, running)).toMatchObject({ used: 1_550, expected: { mid: 2_710 } })
})

test('a week that uses more moves the rest, but by three tenths at most', () => {
  const busy = (factor: number) =>
    budgetCourse(
      march,
      today,
      daysTo('2026-03-31', (date) => ({ ...(date >= today - 7 && { value: 100 * factor }), ...future(date) })),
    ).expected?.mid ?? 0
  expect(busy(10)).toBeGreaterThan(busy(1))
  const capped = budgetCourse(
    march,
    today,
    daysTo('2026-03-31', (date) => ({ ...(date >= today - 7 && { value: 1_000 }), ...future(date) })),
  )
  expect(capped.expected?.mid).toBeLessThan(1_300 + 7 * 1_000 + 15 * 1_300)
})

test('with fewer than fourteen known days nothing is expected, and a period that is over is what it was', () => {
  const few = daysTo('2026-03-31', (date) => ({ ...future(date), ...(date < day('2026-03-06') && { isKnown: false }) }))
  expect(budgetCourse(march, today, few)).toMatchObject({ used: 1_300, expected: null })
  expect(budgetCourse(march, day('2026-04-02'), daysTo('2026-04-02'))).toMatchObject({
    used: 2_560,
    expected: { low: 2_560, high: 2_560 },
  })
})

test('each threshold is told once it is reached, and that it will be passed not before a fifth of the period', () => {
  const of = (amount: number, used: number, low: number | null, on = today) =>
    budgetNotices(
      march,
      on,
      { amount, thresholds: [80, 100] },
      { used, expected: low === null ? null : { low, mid: low, high: low } },
    )
  expect(of(1_000, 799, null)).toEqual([])
  expect(of(1_000, 800, null)).toEqual([80])
  expect(of(1_000, 1_000, 2_000)).toEqual([80, 100])
  expect(of(1_000, 500, 1_001)).toEqual(['expected'])
  expect(of(1_000, 500, 1_001, day('2026-03-06'))).toEqual([])
  expect(of(1_000, 500, 1_000)).toEqual([])
})
