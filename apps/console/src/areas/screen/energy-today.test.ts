import { expect, test } from 'vitest'
import { civilDay, summed } from './energy-today.ts'

const part = (wh: number | null, change: number | null = null, lacks = false) => ({ wh, change, lacks })

test('projects are summed with what they used yesterday up to the same minute', () => {
  const { kwh, change, isPart } = summed([part(1_000, 0), part(3_000, 0.5)])
  expect([kwh, isPart]).toEqual([4, false])
  expect(change).toBeCloseTo(4 / 3 - 1)
})

test('of what is not known of one nothing is compared, and the sum is a least one', () => {
  expect(summed([part(1_000, 0), part(null)])).toEqual({ kwh: 1, change: null, isPart: true })
  expect(summed([part(1_000, 0), part(2_000, null)])).toEqual({ kwh: 3, change: null, isPart: false })
  expect(summed([part(1_000, 0, true)]).isPart).toBe(true)
  expect(summed([])).toEqual({ kwh: null, change: null, isPart: true })
})

test('today is today by the project’s clock, and the day after it a day later', () => {
  const at = Date.UTC(2026, 9, 31, 23)
  expect([civilDay(at, 'Asia/Shanghai'), civilDay(at, 'Asia/Shanghai', 1)]).toEqual(['2026-11-01', '2026-11-02'])
  expect(civilDay(at, 'America/New_York', -1)).toBe('2026-10-30')
})
