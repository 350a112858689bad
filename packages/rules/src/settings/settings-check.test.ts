import type { Setting } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { offenders } from '../../../../tests/kit/offenders.ts'
import { settingFault, settingRange } from './settings.ts'

const table = families.flatMap((family) =>
  family.models.flatMap((model) => family.settings.map((setting) => [family.key, model, setting.key, setting] as const)),
)
const bounds = (setting: Setting, model: string, ratedA: number) => {
  const { min, max } = settingRange(setting, model, ratedA)
  if (min === null || max === null) throw new Error('the range must be known')
  return { min, max }
}

// 63 A makes 1.2In an odd 75.6 A, 50 A an even 60 A.
test.each([6, 50, 63])('on a %d A line every setting of every model ends where its range does', async (ratedA) => {
  const wrong = await offenders(table, (_family, model, _key, setting) => {
    const { min, max } = bounds(setting, model, ratedA)
    const fault = (value: number) => settingFault(setting, value, model, ratedA)
    expect(fault(min)).toBeNull()
    expect(fault(max)).toBeNull()
    expect(fault(min + setting.step)).toBeNull()
    expect(fault(min - setting.step)).toBe('too_low')
    expect(fault(max + setting.step)).toBe('too_high')
    expect(fault(min + setting.step / 2)).toBe('off_step')
  })
  expect(wrong).toEqual([])
})

// Specification 5 and 9, from the text and not from the families.
test.each([
  ['overload.trip', '1P', 1, 60],
  ['overload.delay', '1P', 1, 3600],
  ['overload.warning', '1P', 1, 50],
  ['overload.alarm', '1P', 1, 50],
  ['temperature.alarm', '1P', 1, 120],
  ['overvoltage', '1P', 240, 300],
  ['undervoltage', '1P', 150, 200],
  ['leakage.trip', '1P', 30, 500],
  ['overvoltage', '3P_H', 0, 500],
  ['undervoltage', '3P_H', 0, 500],
  ['overvoltage', '2P_H', 270, 280],
  ['undervoltage', '2P_H', 160, 170],
  ['overvoltage', 'a1NWrOwdXKN', 55, 65],
  ['undervoltage', 'a1NWrOwdXKN', 35, 45],
  ['overvoltage', '3PN_S', 255, 350],
  ['undervoltage', '3PN_S', 120, 195],
  ['overvoltage', '1PN_Z', 58, 60],
  ['undervoltage', '1PN_Z', 40, 48],
])('%s of %s may be %d to %d', (key, model, min, max) => {
  const found = table.find(([, of, setting]) => of === model && setting === key)?.[3]
  if (!found) throw new Error(`${model} has no ${key}`)
  expect([min, max].map((value) => settingFault(found, value, model, 50))).toEqual([null, null])
  expect([min - 1, max + 1].map((value) => settingFault(found, value, model, 50))).toEqual(['too_low', 'too_high'])
})

test('nothing is set on a line of unknown rated current where the range depends on it', () => {
  const found = table.find(([, , key]) => key === 'overload.trip')?.[3]
  if (!found) throw new Error('no overload.trip')
  expect(settingFault(found, 5, '1P', null)).toBe('rated_current_unknown')
})

test('no number is no setting', () => {
  for (const [, model, , setting] of table)
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(settingFault(setting, value, model, 50)).not.toBeNull()
})
