import { familyOf } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { OnlineFacts } from './online.ts'
import { checkOnline, gradeOf, onlineChecks } from './online.ts'

const now = Date.UTC(2026, 10, 29, 8)
const dayMs = 86_400_000
const family = familyOf('breaker3p')
if (!family) throw new Error('the family is there')

const values = new Float64Array(17).fill(Number.NaN)
for (const { quantity, slot } of family.points)
  values[slot] = { voltage: 230, current: 20, residual: 5, temperature: 40 }[quantity as 'voltage'] ?? 1

/** A line of which everything is known and in order. */
const sound: OnlineFacts = {
  ...{ family, model: '3PN', ratedA: 63, link: 'online', periodMs: 10_000, receivedAt: now - 5_000, clockGood: true },
  ...{ position: 'closed', values, ordered: new Map(), alarms: [], hazards: [], firmwareWithdrawn: false },
  settings: new Map(
    family.settings.map(({ key }) => [
      key,
      { overvoltage: 250, undervoltage: 180, 'leakage.trip': 30, 'temperature.alarm': 80 }[key] ?? 50,
    ]),
  ),
  selfTest: { last: { at: now - 10 * dayMs, result: 'passed' }, enabled: true, everyDays: 31 },
}
const found = (more: Partial<OnlineFacts>) =>
  checkOnline({ ...sound, ...more }, now).map(({ check, grade }) => `${check} ${grade}`)
const withValue = (quantity: string, value: number) => {
  const changed = Float64Array.from(values)
  changed[family.points.find((point) => point.quantity === quantity)?.slot ?? 0] = value
  return changed
}

test('a line of which everything is known and in order has nothing found', () => {
  expect(checkOnline(sound, now)).toEqual([])
  expect(gradeOf([])).toBe('ok')
})

describe('what is found', () => {
  test.each<[string, Partial<OnlineFacts>, readonly string[]]>([
    ['it is offline', { link: 'offline' }, ['link defect']],
    [
      'it never reported',
      { link: 'never', receivedAt: null, position: null },
      ['link unknown', 'age unknown', 'position unknown'],
    ],
    ['values of three periods', { receivedAt: now - 30_000 }, []],
    ['values of more than three periods', { receivedAt: now - 30_001 }, ['age defect']],
    ['values of an hour, of what reports changes only', { periodMs: 0, receivedAt: now - 3_600_000 }, []],
    ['a clock that is off', { clockGood: false }, ['clock defect']],
    ['a clock of which nothing is known', { clockGood: null }, ['clock unknown']],
    ['a position that is not known', { position: null }, ['position unknown']],
    ['a current of the rating', { values: withValue('current', 63) }, []],
    ['a current beyond it', { values: withValue('current', 63.1) }, ['values defect']],
    ['a residual current beyond what trips', { values: withValue('residual', 31) }, ['values defect']],
    ['a terminal hotter than its alarm', { values: withValue('temperature', 81) }, ['values defect']],
    ['a value that was not reported', { values: withValue('temperature', Number.NaN) }, ['values unknown']],
    ['what was ordered is set', { ordered: new Map([['leakage.trip', 30]]) }, []],
    ['what was ordered is set otherwise', { ordered: new Map([['leakage.trip', 100]]) }, ['template defect']],
    ['a set point beyond its band', { settings: new Map([...sound.settings, ['overvoltage', 266]]) }, ['band defect']],
    ['a set point at the end of its band', { settings: new Map([...sound.settings, ['overvoltage', 265]]) }, []],
    ['settings that were not reported', { settings: new Map() }, ['band unknown']],
    ['a failed self-test', { selfTest: { ...sound.selfTest, last: { at: now, result: 'failed' } } }, ['selfTest defect']],
    ['none ever', { selfTest: { ...sound.selfTest, last: null } }, ['selfTest defect']],
    ['one overdue', { selfTest: { ...sound.selfTest, last: { at: now - 32 * dayMs, result: 'passed' } } }, ['selfTest defect']],
    ['none where none is planned', { selfTest: { ...sound.selfTest, last: null, enabled: false } }, []],
    ['an open alarm', { alarms: [{ zh: '过温', en: 'Hot' }] }, ['alarms defect']],
    ['an open hazard', { hazards: [{ zh: '松动', en: 'Loose' }] }, ['hazards defect']],
    ['withdrawn firmware', { firmwareWithdrawn: true }, ['firmware defect']],
    ['firmware that is not reported', { firmwareWithdrawn: null }, ['firmware unknown']],
  ])('%s', (_, more, expected) => expect(found(more)).toEqual(expected))

  test('a detector has no position, set points or self-test of its own to miss', () => {
    const detector = familyOf('smoke')
    if (!detector) throw new Error('the family is there')
    const own = new Float64Array(17).fill(1)
    for (const { quantity, slot } of detector.points) if (quantity === 'battery') own[slot] = 90
    const checks = checkOnline({ ...sound, family: detector, values: own, position: null, settings: new Map() }, now).map(
      ({ check }) => check,
    )
    for (const none of ['position', 'band', 'selfTest']) expect(checks).not.toContain(none)
  })
})

test('one fact less never makes a defect, and one more that is wrong never makes a line sound', () => {
  const facts = fc.record({
    link: fc.constantFrom('online' as const, 'offline' as const, 'stale' as const),
    receivedAt: fc.option(fc.integer({ min: now - 120_000, max: now }), { nil: null }),
    clockGood: fc.option(fc.boolean(), { nil: null }),
    position: fc.constantFrom('open' as const, 'closed' as const, null),
    firmwareWithdrawn: fc.option(fc.boolean(), { nil: null }),
    alarms: fc.constantFrom([], [{ zh: '过温', en: 'Hot' }]),
  })
  fc.assert(
    fc.property(facts, (known) => {
      const all = checkOnline({ ...sound, ...known }, now)
      const defects = (of: typeof all) => of.filter(({ grade }) => grade === 'defect').length
      const less = checkOnline({ ...sound, ...known, clockGood: null, position: null, firmwareWithdrawn: null }, now)
      expect(defects(less)).toBeLessThanOrEqual(defects(all))
      const worse = checkOnline({ ...sound, ...known, hazards: [{ zh: '松动', en: 'Loose' }] }, now)
      expect(gradeOf(worse)).toBe('defect')
      for (const { check, text } of all)
        expect([onlineChecks.includes(check), text.zh !== '', text.en !== '']).toEqual([true, true, true])
    }),
    { numRuns: lawRuns(10_000) },
  )
})
