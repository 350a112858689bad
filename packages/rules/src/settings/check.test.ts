import { families, familyOf } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { bypassKind, maxOffMs, minOffMs, offUntilGood } from './bypass-kind.ts'
import { settingAt, settingDeviation, settingProblems } from './check.ts'
import { settingRange } from './settings.ts'

const familyNamed = (key: string) => {
  const found = familyOf(key)
  if (!found) throw new Error(`no family ${key}`)
  return found
}
const breaker = familyNamed('breaker1p')
const setting = (family: string, key: string) => {
  const found = familyNamed(family).settings.find((each) => each.key === key)
  if (!found) throw new Error(`no setting ${key}`)
  return found
}

describe('an order', () => {
  const line = { family: breaker, model: '1P', ratedCurrentA: 63 }

  test('within its ranges has no problem', () => {
    expect(settingProblems(line, { 'overload.trip': 75.6, 'leakage.trip': 30 })).toEqual([])
  })

  test('is told every problem at once, with the range of this very line', () => {
    const problems = settingProblems(line, { 'overload.trip': 76, 'leakage.trip': 29, 'gas.low': 10, 'overload.delay': 60 })
    expect(problems.map(({ key, fault, min, max }) => [key, fault, min, max])).toEqual([
      ['overload.trip', 'too_high', 1, 75.6],
      ['leakage.trip', 'too_low', 30, 500],
      ['gas.low', 'unknown', null, null],
    ])
  })

  test('that needs the rated current is refused where it is not known', () => {
    expect(settingProblems({ ...line, ratedCurrentA: null }, { 'overload.trip': 5 })[0]?.fault).toBe('rated_current_unknown')
  })
})

test('every setting of every family has one place in /status/{ID}/{type}/{attr}, and only its own', () => {
  for (const family of families)
    for (const each of family.settings) {
      const [type = '', attr = 'trip'] = each.key.split('.')
      expect([family.key, settingAt(family, type, attr)?.key]).toEqual([family.key, each.key])
    }
  expect(settingAt(breaker, 'leakage', 'colour')).toBeNull()
  expect(settingAt(breaker, 'leakage.trip', 'alarm')).toBeNull()
  expect(settingAt(breaker, '__proto__', 'constructor')).toBeNull()
})

test.each([
  [null, null, 'notReported'],
  [100, null, 'notReported'],
  [null, 100, 'notSet'],
  [100, 100, 'same'],
  [75.6, Math.fround(75.6), 'same'],
  [100, 101, 'drift'],
] as const)('desired %s, reported %s: %s', (desired, reported, deviation) => {
  expect(settingDeviation(desired, reported)).toBe(deviation)
})

describe('a protection', () => {
  test.each([
    ['breaker1p', 'leakage.trip', '1P', 500, 'insensitive'],
    ['breaker1p', 'leakage.trip', '1P', 499, null],
    ['breaker1p', 'overload.trip', '1P', 75.6, 'insensitive'],
    ['breaker1p', 'overload.trip', '1P', 75, null],
    ['breaker1p', 'undervoltage', '1P', 150, 'insensitive'],
    ['breaker1p', 'undervoltage', '1P', 200, null],
    ['breaker1p', 'overvoltage', '1P', 300, 'insensitive'],
    // The whole range lies within the rated current.
    ['breaker1p', 'overload.alarm', '1P', 63, null],
    // The edge of a listed model's band is what it is made with, and is all the same the end where it protects least.
    ['breaker3p', 'undervoltage', '3P_H', 0, 'insensitive'],
    ['breaker3p', 'undervoltage', '3P_H', 140, 'insensitive'],
    ['breaker3p', 'undervoltage', '3P_H', 141, null],
    ['breaker3p', 'overvoltage', '3P_H', 500, 'insensitive'],
    ['breaker3p', 'overvoltage', '3P_H', 440, null],
    ['breaker3p', 'undervoltage', '3PN_S', 120, 'insensitive'],
    ['breaker3p', 'undervoltage', '3PN_S', 121, null],
    ['breaker3p', 'overvoltage', '3PN_S', 350, 'insensitive'],
    ['breaker1p', 'undervoltage', '1PN_Z', 40, 'insensitive'],
    ['breaker1p', 'overvoltage', '1PN_Z', 60, 'insensitive'],
    ['breaker1p', 'overvoltage', '1PN_Z', 59, null],
    ['detectorRs', 'residual.enabled', 'TCQ-RS', 0, 'off'],
    ['detectorRs', 'residual.enabled', 'TCQ-RS', 1, null],
    ['gas', 'gas.low', '', 25, 'insensitive'],
    // Nobody's safety hangs on how long a presence is held, or on a guard that is off by default.
    ['infrared', 'guard.enabled', '', 0, null],
    ['infrared', 'presence.hold', '', 3600, null],
    ['arcDetector', 'arc.halfCycles', 'ARCM620', 14, null],
  ])('%s %s of %s at %d: %s', (family, key, model, value, expected) => {
    const line = { model, ratedCurrentA: 63 }
    const weak = (presentValue: number | null) => bypassKind(setting(family, key), value, { ...line, presentValue })
    expect(weak(null)).toBe(expected)
    // From a value that protects it is the same; where it stands already nothing is bypassed.
    const { min, max } = settingRange(setting(family, key), model, 63)
    expect(weak(((min ?? 0) + (max ?? 0)) / 2)).toBe(expected)
    expect(weak(value)).toBeNull()
  })

  test('that is set to its weak end needs an expiry in every family and model, whatever it is made with', () => {
    for (const family of families)
      for (const model of family.models)
        for (const each of family.settings) {
          const { min, max } = settingRange(each, model, 63)
          const end = each.weak === 'high' ? max : min
          const line = { model, ratedCurrentA: 63, presentValue: null }
          if (end !== null) expect([each.key, bypassKind(each, end, line) !== null]).toEqual([each.key, each.weak !== undefined])
        }
  })

  test.each([
    [minOffMs - 1, false],
    [minOffMs, true],
    [maxOffMs, true],
    [maxOffMs + 1, false],
  ])('may be off for %d ms: %s', (ms, good) => expect(offUntilGood(1_000 + ms, 1_000)).toBe(good))
})
