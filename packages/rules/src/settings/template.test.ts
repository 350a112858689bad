import { families, familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { settingFault, settingRange } from './settings.ts'
import { templateFault, templateRanges } from './template.ts'

function found(key: string, settingKey: string) {
  const family = familyOf(key)
  const setting = family?.settings.find((each) => each.key === settingKey)
  if (!family || !setting) throw new Error(`no ${key} ${settingKey}`)
  return { family, setting }
}

test.each([
  ['leakage.trip', 30, null],
  ['leakage.trip', 29, 'too_low'],
  ['leakage.trip', 501, 'too_high'],
  ['leakage.trip', 30.5, 'off_step'],
  ['leakage.trip', Number.NaN, 'no_number'],
  // Models of 230 V, and of 48 V: both are ranges of the family, and what lies between them is nobody's.
  ['overvoltage', 300, null],
  ['overvoltage', 58, null],
  ['overvoltage', 150, 'too_low'],
  // 1.2 of a rated current that only a line has.
  ['overload.trip', 75.6, null],
  ['overload.trip', 4_000, null],
  ['overload.trip', 0, 'too_low'],
] as const)('a template of single-phase breakers with %s %d: %s', (key, value, fault) => {
  const { family, setting } = found('breaker1p', key)
  expect(templateFault(family, setting, value)).toBe(fault)
})

test('ranges of the models are told as ranges, apart where they are apart', () => {
  const over = found('breaker1p', 'overvoltage')
  expect(templateRanges(over.family, over.setting)).toEqual([
    { min: 55, max: 65 },
    { min: 240, max: 300 },
  ])
  const trip = found('breaker1p', 'overload.trip')
  expect(templateRanges(trip.family, trip.setting)).toEqual([{ min: 1, max: null }])
})

test('what any line of a family may have, its template may hold', () => {
  for (const family of families)
    for (const setting of family.settings)
      for (const model of family.models)
        for (const ratedA of [6, 40, 63]) {
          const { min, max } = settingRange(setting, model, ratedA)
          for (const value of [min, max]) {
            expect(value !== null && settingFault(setting, value, model, ratedA)).toBeNull()
            expect([family.key, model, setting.key, templateFault(family, setting, value ?? Number.NaN)]).toEqual([
              family.key,
              model,
              setting.key,
              null,
            ])
          }
        }
})
