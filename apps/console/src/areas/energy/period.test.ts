import { dateText, parseDate } from '@linewarden/rules/automation'
import { energyUnits, maxEnergyDays, rangeProblem } from '@linewarden/rules/energy'
import { expect, test } from 'vitest'
import { periodName, periodOf, readAddress, stepped, within } from './period.ts'

const today = parseDate('2026-11-30')!
const named = (unit: (typeof energyUnits)[number], day = today) => periodName(unit, periodOf({ unit, day }))

test('an address that says nothing, or nothing that is, is the days of this month', () => {
  const usual = { unit: 'day', day: today, compare: null }
  expect(readAddress(new URLSearchParams(), today)).toEqual(usual)
  expect(readAddress(new URLSearchParams('unit=week&day=2026-02-30&compare=never'), today)).toEqual(usual)
  expect(readAddress(new URLSearchParams('unit=hour&day=2026-03-29&compare=yearAgo'), today)).toEqual({
    ...{ unit: 'hour', day: parseDate('2026-03-29'), compare: 'yearAgo' },
  })
})

test('each unit has its period, and the server takes it', () => {
  expect(energyUnits.map((unit) => named(unit))).toEqual(['2026-11-30', '2026-11', '2026', '2017 – 2026'])
  for (const unit of energyUnits)
    for (const day of [today, parseDate('2028-02-29')!, parseDate('2024-12-31')!]) {
      const { first, end } = periodOf({ unit, day })
      expect(end - first).toBeLessThanOrEqual(maxEnergyDays)
      expect(rangeProblem(unit, dateText(first), dateText(end))).toBeNull()
    }
})

test('a step back and one forth is the same period again', () => {
  for (const unit of energyUnits) {
    const before = stepped({ unit, day: today }, -1)
    expect(named(unit, before)).not.toBe(named(unit))
    expect(named(unit, stepped({ unit, day: before }, 1))).toBe(named(unit))
  }
})

test('a bar opens into the next smaller unit', () => {
  expect(within('year', '2026')).toEqual({ unit: 'month', day: parseDate('2026-01-01') })
  expect(within('month', '2026-11')).toEqual({ unit: 'day', day: parseDate('2026-11-01') })
  expect(within('day', '2026-11-30')).toEqual({ unit: 'hour', day: today })
  expect(within('hour', '2026-11-30 08:00')).toBeNull()
})
