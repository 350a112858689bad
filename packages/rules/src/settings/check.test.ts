import { families, familyOf } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { settingRange } from '../settings.ts'
import { settingAt, settingProblems, settingStanding } from './check.ts'
import { longestOffMs, offUntilGood, shortestOffMs, weakening } from './weakening.ts'

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
] as const)('desired %s, reported %s: %s', (desired, reported, standing) => {
  expect(settingStanding(desired, reported)).toBe(standing)
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
    // The default is the whole rated current: setting it weakens nothing.
    ['breaker1p', 'overload.alarm', '1P', 63, null],
    // A listed model's default is the edge of its band.
    ['breaker1p', 'overvoltage', '1PN_Z', 60, null],
    ['detectorRs', 'residual.enabled', 'TCQ-RS', 0, 'off'],
    ['detectorRs', 'residual.enabled', 'TCQ-RS', 1, null],
    ['gas', 'gas.low', '', 25, 'insensitive'],
    // Nobody's safety hangs on how long a presence is held, or on a guard that is off by default.
    ['infrared', 'guard.enabled', '', 0, null],
    ['infrared', 'presence.hold', '', 3600, null],
    ['arcDetector', 'arc.halfCycles', 'ARCM620', 14, null],
  ])('%s %s of %s at %d: %s', (family, key, model, value, expected) => {
    expect(weakening(setting(family, key), value, model, 63)).toBe(expected)
  })

  test('is not weakened by its own default, in any family and model', () => {
    for (const family of families)
      for (const model of family.models)
        for (const each of family.settings) {
          const { min, max } = settingRange(each, model, 63)
          for (const value of [min, max])
            if (value !== null && weakening(each, value, model, 63) !== null) expect(each.weak).toBeDefined()
        }
  })

  test.each([
    [shortestOffMs - 1, false],
    [shortestOffMs, true],
    [longestOffMs, true],
    [longestOffMs + 1, false],
  ])('may be off for %d ms: %s', (ms, good) => expect(offUntilGood(1_000 + ms, 1_000)).toBe(good))
})
