import type { Setting } from '@linewarden/equipment'
import { families, familyOf } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { effectiveSetting, figure, settingRange } from './settings.ts'

const setting = (key: string): Setting => {
  const found = familyOf('breaker1p')?.settings.find((each) => each.key === key)
  if (!found) throw new Error(`no setting ${key}`)
  return found
}

describe('a figure', () => {
  test('stands for itself', () => expect(figure(265, null)).toBe(265))
  test('or is a multiple of the rated current', () => expect(figure({ timesIn: 1.2 }, 50)).toBe(60))
  test('which may be unknown', () => expect(figure({ timesIn: 1.2 }, null)).toBeNull())
})

describe('what rules go by', () => {
  test('is what the equipment reports, even where it is out of range', () => {
    expect(effectiveSetting(setting('leakage.trip'), 20, '1P', 40)).toBe(20)
  })

  test('is what the equipment reports, also for listed models', () => {
    expect(effectiveSetting(setting('overvoltage'), 59, '1PN_Z', 40)).toBe(59)
  })

  test('is a reported zero, which is not the same as nothing reported', () => {
    expect(effectiveSetting(setting('leakage.trip'), 0, '1P', 40)).toBe(0)
  })

  test('else is the default', () => {
    expect(effectiveSetting(setting('leakage.trip'), null, '1P', 40)).toBe(300)
    expect(effectiveSetting(setting('overload.trip'), null, '1P', 40)).toBeCloseTo(44, 9)
  })

  test('else is the outer edge of the band of a listed model', () => {
    expect(effectiveSetting(setting('overvoltage'), null, '1PN_Z', 40)).toBe(60)
    expect(effectiveSetting(setting('undervoltage'), null, '1PN_Z', 40)).toBe(40)
  })

  test('is not known when the default is a multiple of an unknown rated current', () => {
    expect(effectiveSetting(setting('overload.trip'), null, '1P', null)).toBeNull()
  })

  test('has no band where the setting is no voltage', () => {
    expect(effectiveSetting(setting('temperature.alarm'), null, '1PN_Z', 40)).toBe(80)
  })
})

describe("the form's range", () => {
  // Specification section 5.
  test.each([
    ['overload.trip', 1, 60],
    ['overload.delay', 1, 3600],
    ['overload.warning', 1, 50],
    ['overload.alarm', 1, 50],
    ['temperature.alarm', 1, 120],
    ['overvoltage', 240, 300],
    ['undervoltage', 150, 200],
    ['leakage.trip', 30, 500],
  ])('of %s is %d to %d on a 50 A line', (key, min, max) => {
    expect(settingRange(setting(key), '1P', 50)).toEqual({ min, max })
  })

  test.each([
    ['2P_H', [270, 280], [160, 170]],
    ['a1NWrOwdXKN', [55, 65], [35, 45]],
    ['1PN_Z', [58, 60], [40, 48]],
  ])('of %s is its voltage band', (model, over, under) => {
    expect(settingRange(setting('overvoltage'), model, 50)).toEqual({ min: over[0], max: over[1] })
    expect(settingRange(setting('undervoltage'), model, 50)).toEqual({ min: under[0], max: under[1] })
  })

  test('of other settings does not follow the voltage band', () => {
    expect(settingRange(setting('leakage.trip'), '1PN_Z', 50)).toEqual({ min: 30, max: 500 })
  })

  test('has no upper end while the rated current is unknown', () => {
    expect(settingRange(setting('overload.trip'), '1P', null)).toEqual({ min: 1, max: null })
  })
})

test('every default of every model lies in its range', () => {
  for (const family of families)
    for (const model of family.models)
      for (const each of family.settings) {
        const { min, max } = settingRange(each, model, 50)
        const value = effectiveSetting(each, null, model, 50)
        expect([each.key, model, value !== null && min !== null && max !== null && value >= min && value <= max]).toEqual([
          each.key,
          model,
          true,
        ])
      }
})
