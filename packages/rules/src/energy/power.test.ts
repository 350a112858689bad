import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { isTooCoarse, registerAt, registerByPower, registerStepWh, withPower } from './power.ts'
import { registerOf } from './register.ts'
import { risingFrom } from './test-energy.ts'

const minuteMs = 60_000
const readings = (...kwh: number[]) => kwh.map((each, index) => ({ at: index * minuteMs, kwh: each, quality: 0 }))

test('the step of a register is what all its differences are whole steps of', () => {
  expect(registerStepWh(registerOf(readings(100, 100, 100.2, 100.5, 100.5), [], 63))).toBe(100)
  expect(registerStepWh(registerOf(readings(100, 100, 100), [], 63))).toBeNull()
  expect(registerStepWh(registerOf(readings(0, 5 / 12, 10 / 12, 15 / 12), [], 63))).toBe(1)
})

test('a step of more than two per cent of a quarter says nothing by the quarter', () => {
  expect(isTooCoarse(100, 5_000)).toBe(false)
  expect(isTooCoarse(100, 4_999)).toBe(true)
})

test('energy by power ends with a silence and begins anew after it', () => {
  const samples = [0, 1, 2, 10, 11].map((minute) => ({ at: minute * minuteMs, kw: 60 }))
  expect(registerByPower(samples, minuteMs).map(({ kwh, epoch, source }) => [kwh, epoch, source])).toEqual([
    [0, 0, 'power'],
    [1, 0, 'power'],
    [2, 0, 'power'],
    [0, 1, 'power'],
    [1, 1, 'power'],
  ])
})

test('the register at an instant is straight between two readings, and unknown outside them', () => {
  const knots = registerOf(readings(100, 101), [], 63)
  expect([-1, 0, minuteMs / 2, minuteMs, minuteMs + 1].map((at) => registerAt(knots, at))).toEqual([null, 100, 100.5, 101, null])
})

test('power moves when energy was used, and never how much', () => {
  const anyPower = fc.array(fc.integer({ min: -5, max: 50 }), { minLength: 100, maxLength: 400 })
  fc.assert(
    fc.property(risingFrom(0), anyPower, (reported, kws) => {
      const knots = registerOf(reported, [], null)
      const samples = kws.map((kw, index) => ({ at: index * minuteMs, kw }))
      const finer = withPower(knots, samples, 5 * minuteMs)
      for (const [index, { at, kwh }] of finer.entries()) {
        const before = finer[index - 1]
        if (before) expect(at).toBeGreaterThan(before.at)
        if (before) expect(kwh).toBeGreaterThanOrEqual(before.kwh)
      }
      expect([finer[0], finer.at(-1)]).toEqual([knots[0], knots.at(-1)])
      const stepped = knots.filter(({ kwh }, index) => kwh !== knots[index - 1]?.kwh)
      for (const knot of stepped) expect(finer).toContainEqual(knot)
    }),
    { numRuns: lawRuns(100) },
  )
})
