import { describe, expect, test } from 'vitest'
import { families } from './catalogue.ts'
import type { Quantity } from './family.ts'
import { isPlausible } from './plausible.ts'

describe('no value', () => {
  test.each<[Quantity, number]>([
    ['energy', -0.1],
    ['voltage', 3.4e38],
    ['voltage', -100_001],
    ['temperature', -273.2],
    ['temperature', 4_294_967_290],
    ['powerFactor', 98],
    ['battery', -1],
    ['count', -1],
    ['residual', Number.POSITIVE_INFINITY],
    ['current', Number.NaN],
  ])('%s of %d', (quantity, value) => expect(isPlausible({ quantity }, value)).toBe(false))
})

describe('a value', () => {
  test.each<[Quantity, number]>([
    ['energy', 0],
    ['energy', 4e9],
    // Power that is fed back, and what arcs and short circuits come to.
    ['power', -40],
    ['current', 150_000],
    ['temperature', -40],
    ['temperature', 1_200],
    ['powerFactor', -1],
    ['gas', 2_000],
  ])('%s of %d', (quantity, value) => expect(isPlausible({ quantity }, value)).toBe(true))
})

test('whatever an alarm is raised at is a value, and so is ten times as much: a sensor at the end of its scale still alarms', () => {
  const limits = families.flatMap(({ alarms, points, settings }) =>
    alarms.flatMap((alarm) => {
      if (alarm.on !== 'limit' || alarm.side !== 'over') return []
      const { limit } = alarm
      const setting = 'setting' in limit ? settings.find(({ key }) => key === limit.setting) : undefined
      const figure = 'value' in limit ? limit.value : typeof setting?.max === 'number' ? setting.max : 6_300
      return alarm.points.map((key) => ({ figure, point: points.find((each) => each.key === key) }))
    }),
  )
  expect(limits.length).toBeGreaterThan(10)
  for (const { figure, point } of limits)
    expect([point?.key, point && isPlausible(point, figure * 10)]).toEqual([point?.key, true])
})
