import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { Meter, TypedMeter } from './meters.ts'
import { changedBetween, correctedAt, meterProblems, meterTexts, plainMeter, replacedAt, withoutMeter } from './meters.ts'

const numRuns = lawRuns(300)
const { from: always, to: _, ...typed } = plainMeter
const of = (more: Partial<TypedMeter>): TypedMeter => ({ ...typed, ...more })
const reading = (at: number, kwh: number) => ({ at, kwh, quality: 0 })
const nothingRead = { first: null, last: null, highest: null }

test('another meter ends the one before it, and has the time that is left of it', () => {
  const replaced = replacedAt([], 100, { endRegisterKwh: 7, next: of({ serial: 'B', multiplier: 2, startRegisterKwh: 1 }) })
  expect(replaced).toEqual([
    { ...plainMeter, to: 100, endRegisterKwh: 7 },
    { ...plainMeter, from: 100, serial: 'B', multiplier: 2, startRegisterKwh: 1 },
  ])
  // One between them takes over what was read off at the end of its time.
  const between = replacedAt(replaced ?? [], 50, { endRegisterKwh: 3, next: of({ serial: 'A' }) })
  expect(between?.map(({ from, to, serial, endRegisterKwh }) => [from, to, serial, endRegisterKwh])).toEqual([
    [always, 50, '', 3],
    [50, 100, 'A', 7],
    [100, null, 'B', null],
  ])
  expect(replacedAt(replaced ?? [], 100, { endRegisterKwh: null, next: of({}) })).toBeNull()
})

test('a corrected meter moves the end of the one before it, and never beyond a neighbour', () => {
  const meters = [0, 50, 100].reduce<readonly Meter[]>(
    (all, at) => (at === 0 ? all : (replacedAt(all, at, { endRegisterKwh: null, next: of({}) }) ?? all)),
    [],
  )
  const corrected = correctedAt(meters, 1, of({ multiplier: 3 }), 60)
  expect(corrected?.map(({ from, to, multiplier }) => [from, to, multiplier])).toEqual([
    [always, 60, 1],
    [60, 100, 3],
    [100, null, 1],
  ])
  expect(correctedAt(meters, 1, of({}), 100)).toBeNull()
  expect(correctedAt(meters, 0, of({}), 10)).toBeNull()
  expect(correctedAt(meters, 2, of({}), 50)).toBeNull()
})

test('a meter that is taken out leaves its time to the one before it; the first goes only when it is the last', () => {
  const meters = replacedAt([plainMeter], 50, { endRegisterKwh: 3, next: of({ multiplier: 2 }) }) ?? []
  expect(withoutMeter(meters, 1)).toEqual([plainMeter])
  expect(withoutMeter(meters, 0)).toBeNull()
  expect(withoutMeter([plainMeter], 0)).toEqual([])
})

test('the meters of a line have all of its time, without a hole, whatever is entered in whatever order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.integer({ min: 1, max: 50 }), act: fc.nat(2), place: fc.nat(9) }), { maxLength: 12 }),
      (acts) => {
        let meters: readonly Meter[] = []
        for (const { at, act, place } of acts) {
          const next = of({ multiplier: at })
          const changed =
            act === 0
              ? replacedAt(meters, at, { endRegisterKwh: null, next })
              : act === 1
                ? correctedAt(meters, place, next, at)
                : withoutMeter(meters, place)
          meters = changed ?? meters
        }
        for (const [index, { from, to }] of meters.entries()) {
          expect(from).toBe(index === 0 ? always : meters[index - 1]?.to)
          expect(to === null || from < to).toBe(true)
          expect(to === null).toBe(index === meters.length - 1)
        }
      },
    ),
    { numRuns },
  )
})

test.each<[string, Partial<Meter>, object, readonly string[]]>([
  ['a healthy one', { endRegisterKwh: 120, to: 9, startRegisterKwh: 100 }, {}, []],
  ['no multiplier', { multiplier: 0 }, {}, ['multiplierWrong']],
  ['too large a one', { multiplier: 100_001 }, {}, ['multiplierWrong']],
  ['too fine a one', { multiplier: 0.33333 }, {}, ['multiplierWrong']],
  ['a third', { multiplier: 0.3333 }, {}, []],
  ['an end below what was read', { to: 9, endRegisterKwh: 119 }, {}, ['endBelow']],
  ['an end of a register that begins again', { to: 9, endRegisterKwh: 2, registerMaxKwh: 1_000 }, {}, []],
  ['an end of one in use', { endRegisterKwh: 130 }, {}, ['noEnd']],
  ['a beginning above what was read', { startRegisterKwh: 101 }, {}, ['startAbove']],
  ['a register that showed more than it can', { registerMaxKwh: 119 }, {}, ['maxTooLow']],
  ['none of it read', { to: 9, endRegisterKwh: 0, startRegisterKwh: 5 }, nothingRead, []],
])('%s', (_name, more, read, problems) => {
  const readings = { first: reading(1, 100), last: reading(8, 120), highest: reading(8, 120), ...read }
  expect(meterProblems({ ...plainMeter, ...more }, readings).map(({ problem }) => problem)).toEqual(problems)
})

test('what is made anew is where the multiplier is another, and where a meter begins', () => {
  const two = replacedAt([], 100, { endRegisterKwh: null, next: of({ multiplier: 2 }) }) ?? []
  expect(changedBetween([], two)).toEqual([{ from: 100, to: Number.POSITIVE_INFINITY, factor: 2 }])
  expect(changedBetween(two, correctedAt(two, 1, of({ multiplier: 2, serial: 'B' }), 100) ?? [])).toEqual([])
  expect(changedBetween(two, correctedAt(two, 1, of({ multiplier: 2, startRegisterKwh: 4 }), 100) ?? [])).toEqual([
    { from: 99, to: 101, factor: 1 },
  ])
  expect(changedBetween(two, correctedAt(two, 1, of({ multiplier: 2 }), 150) ?? [])).toEqual([
    { from: 100, to: 150, factor: 0.5 },
    { from: 149, to: 151, factor: 1 },
  ])
  expect(changedBetween([], correctedAt([plainMeter], 0, of({ multiplier: 3 }), always) ?? [])).toEqual([
    { from: always, to: Number.POSITIVE_INFINITY, factor: 3 },
  ])
})

test('what is printed of a register, times the multiplier, is the energy to the Wh', () => {
  expect(meterTexts(1, [1_234_567, null])).toEqual(['1234.567', null])
  expect(meterTexts(100, [1_234_568])).toEqual(['12.34568'])
  expect(meterTexts(0.5, [1_000, 1_001])).toEqual(['2.000', '2.002'])
  fc.assert(
    fc.property(
      fc.oneof(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 99_999 }).map((each) => each / 10_000),
      ),
      fc.nat(2 ** 40),
      fc.nat(10 ** 9),
      (multiplier, opening, used) => {
        const [one, other] = meterTexts(multiplier, [opening, opening + used])
        expect(Math.round((Number(other) - Number(one)) * multiplier * 1_000)).toBe(used)
      },
    ),
    { numRuns },
  )
})
