import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { levelOfPoint, levelsOf } from './levels.ts'

const of = (key: string, settings: Readonly<Record<string, number>> = {}) => {
  const family = familyOf(key)
  if (!family) throw new Error(`there is no family ${key}`)
  return levelsOf(family, (setting) => settings[setting] ?? null)
}

test('gas is read against its low limit, of which the warning is only half; the high one is fixed', () => {
  const levels = of('gas', { 'gas.low': 10 })
  expect(levels.map(({ key, value }) => [key, value])).toEqual([
    ['gas.rising', 5],
    ['gas.low', 10],
    ['gas.high', 50],
  ])
  expect(levelOfPoint(levels, 'gas')?.value).toBe(10)
})

test('a low battery is below its level, and that level needs no setting', () => {
  expect(levelOfPoint(of('smoke'), 'battery')).toMatchObject({ side: 'under', value: 15, kind: 'warning' })
})

test('a level nobody knows is left out, and so is a point without one', () => {
  expect(of('gas').map(({ key }) => key)).toEqual(['gas.high'])
  expect(levelOfPoint(of('smoke'), 'smoke')).toBeNull()
})

test('residual current of a breaker is read against the level at which it trips', () => {
  const levels = of('breaker1p', { 'leakage.trip': 30 })
  expect(levelOfPoint(levels, 'residual')).toMatchObject({ key: 'leakage.trip', value: 30 })
})

test('a setting that is itself an alarm level stands there once', () => {
  expect(of('arcDetector', { 'temperature.alarm': 80 }).map(({ key, value }) => [key, value])).toEqual([
    ['temperature.warning', 68],
    ['temperature.alarm', 80],
  ])
})

test('a point with a fixed alarm is read against that, and not against a warning that is set', () => {
  const level = { label: { zh: '', en: '' }, points: ['x'], side: 'over' } as const
  const [warning, fixed] = [
    { ...level, key: 'w', kind: 'warning', value: 99 },
    { ...level, key: 'f', kind: 'alarm', value: 50, fixed: true },
  ] as const
  expect(levelOfPoint([warning, fixed], 'x')?.key).toBe('f')
  expect(levelOfPoint([warning, fixed, { ...level, key: 's', kind: 'alarm', value: 30 }], 'x')?.key).toBe('s')
})

test('half-cycles of an arc detector are read against the count it alarms at by itself', () => {
  expect(levelOfPoint(of('arcDetector', { 'arc.halfCycles': 14 }), 'arc.halfCycles')?.value).toBe(14)
})
