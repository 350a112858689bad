import { describe, expect, test } from 'vitest'
import { families, familyOf, familyOfModel } from './catalogue.ts'
import type { Text } from './family.ts'
import { COUNTER_SLOT, SLOTS } from './family.ts'

const textsOf = (family: (typeof families)[number]): Text[] => [
  family.label,
  ...[...family.points, ...family.states, ...family.settings, ...family.actions, ...family.alarms].map((each) => each.label),
  ...family.states.flatMap((state) => state.values.map((value) => value.label)),
]

describe.each(families.map((each) => [each.key, each] as const))('family %s', (key, family) => {
  test('is found by its key and by each of its models', () => {
    expect(familyOf(key)).toBe(family)
    for (const model of family.models) expect(familyOfModel(model)).toBe(family)
  })

  test('gives every point its own key and its own slot', () => {
    expect(new Set(family.points.map((point) => point.key)).size).toBe(family.points.length)
    expect(new Set(family.points.map((point) => point.slot)).size).toBe(family.points.length)
    for (const point of family.points) expect(point.slot).toBeLessThan(SLOTS)
  })

  test('keeps only counters in the counter slot', () => {
    for (const point of family.points) expect(point.slot === COUNTER_SLOT).toBe(point.quantity === 'energy')
  })

  test('names for every action the reported state that confirms it', () => {
    for (const action of family.actions) {
      const state = family.states.find((each) => each.key === action.confirmedBy.state)
      expect(state?.values.map((value) => value.key)).toContain(action.confirmedBy.value)
    }
  })

  test('raises alarms only from points, states and settings it has', () => {
    for (const alarm of family.alarms) {
      if (alarm.on === 'state') {
        const state = family.states.find((each) => each.key === alarm.state)
        for (const value of alarm.values) expect(state?.values.map((each) => each.key)).toContain(value)
      } else {
        for (const point of alarm.points) expect(family.points.map((each) => each.key)).toContain(point)
        const { limit } = alarm
        if ('setting' in limit) expect(family.settings.map((each) => each.key)).toContain(limit.setting)
      }
    }
  })

  test('speaks both languages', () => {
    for (const text of textsOf(family)) {
      expect(text.zh).toMatch(/\p{Script=Han}/u)
      expect(text.en).toMatch(/^[\x20-\x7e]+$/)
    }
  })
})

test('a three-phase breaker reports 17 values, a full wide row', () => {
  expect(familyOf('breaker3p')?.points).toHaveLength(SLOTS)
})
