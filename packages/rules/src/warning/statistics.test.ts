import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { huberFit } from './huber-fit.ts'
import {
  centreAndSpread,
  correlationInflation,
  mannKendall,
  median,
  medianInPlace,
  quantile,
  quantileInPlace,
  theilSen,
} from './statistics.ts'

const numbers = fc.array(fc.double({ min: -1_000, max: 1_000, noNaN: true }), { minLength: 1, maxLength: 40 })
const runs = { numRuns: lawRuns(10_000) }

test.each<[string, readonly number[], number]>([
  ['of an odd number, the middle one', [9, 1, 5], 5],
  ['of an even number, halfway', [4, 1, 2, 9], 3],
  ['what is not known does not count', [Number.NaN, 7, Number.NaN, 9], 8],
  ['of none, none', [], Number.NaN],
])('the median: %s', (_, values, expected) => expect(median(values)).toBe(expected))

test('a quantile lies between two values in proportion', () => expect(quantile([10, 20, 30], 0.75)).toBe(25))

test('the median in place is the median', () => {
  fc.assert(
    fc.property(numbers, (values) => {
      expect(medianInPlace(Float64Array.from(values))).toBeCloseTo(median(values), 9)
    }),
    runs,
  )
})

test('a quantile in place is the quantile, to the last bit', () => {
  fc.assert(
    fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      // Plus zero: minus zero is none that anybody sees.
      expect(quantileInPlace(Float64Array.from(values), share) + 0).toBe(quantile(values, share) + 0)
    }),
    runs,
  )
  expect(quantileInPlace(new Float64Array(), 0.5)).toBeNaN()
})

test('centre and spread are medians of what is known', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(Number.NaN)), { maxLength: 20 }), (values) => {
      const known = values.filter((each) => !Number.isNaN(each))
      const centre = median(known)
      const spread = 1.4826 * median(known.map((each) => Math.abs(each - centre)))
      expect(centreAndSpread(values)).toEqual({ centre, spread, known: known.length })
    }),
    runs,
  )
})

test('one wild value moves neither centre nor spread', () => {
  expect(centreAndSpread([10, 11, 12, 13, 9_999])).toEqual({ centre: 12, spread: 1.4826, known: 5 })
})

test('an order that always rises is as far above chance as it can be', () => {
  expect(mannKendall([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBeCloseTo(44 / Math.sqrt(125), 9)
  expect(mannKendall([10, 9, 8])).toBeCloseTo(-2 / Math.sqrt((3 * 2 * 11) / 18), 9)
})

test('values that are all equal rise nowhere', () => expect(mannKendall([3, 3, 3, 3])).toBe(0))

test('ties make an order say more, as there was less chance in it', () => {
  const [tied, apart] = [mannKendall([1, 1, 1, 2, 2, 3]), (11 - 1) / Math.sqrt((6 * 5 * 17) / 18)]
  expect(tied).toBeGreaterThan(apart)
})

test('a trend is found however wild three of ten days are, and where it stands now', () => {
  const values = [0, 2, 400, 6, 8, -300, 12, 14, 999, 18]
  const trend = theilSen([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], values)
  expect(trend?.slope).toBe(2)
  expect(trend?.now).toBeCloseTo(18, 0)
})

test('days that are missing stretch no trend', () => expect(theilSen([0, 1, 10], [0, 3, 30])?.slope).toBe(3))

test('of no hours there is no fit', () => {
  const none = new Float64Array()
  expect(huberFit({ x: none, z: none, y: none }, { k: 0, ridge: 1 })).toBeNull()
})

test('one moment has no trend', () => expect(theilSen([4, 4], [1, 2])).toBeNull())

test('residuals that follow each other make an interval longer, those that alternate do not make it shorter', () => {
  expect(correlationInflation([1, 1, 1, 1, -1, -1, -1, -1])).toBeGreaterThan(1.5)
  expect(correlationInflation([0.01, 0.01, 0.01, 0.01, -0.01, -0.01, -0.01, -0.01])).toBeGreaterThan(1.5)
  expect(correlationInflation([1, -1, 1, -1])).toBe(1)
  expect(correlationInflation([0, 0, 0])).toBe(1)
})

test('the interval of a slope contains it, and shifting or scaling the values shifts and scales the line', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 3, maxLength: 15 }),
      fc.integer({ min: -50, max: 50 }),
      fc.integer({ min: 1, max: 9 }),
      (values, shift, scale) => {
        const at = values.map((_, i) => i)
        const own = theilSen(at, values)
        const other = theilSen(
          at,
          values.map((each) => scale * each + shift),
        )
        if (!own || !other) throw new Error('no trend')
        expect(own.slopeFrom).toBeLessThanOrEqual(own.slope)
        expect(own.slopeTo).toBeGreaterThanOrEqual(own.slope)
        expect(other.slope).toBeCloseTo(scale * own.slope, 6)
        expect(other.now).toBeCloseTo(scale * own.now + shift, 6)
      },
    ),
    runs,
  )
})

const rows = (y: (x: number, z: number, i: number) => number) => {
  const x = Float64Array.from({ length: 60 }, (_, i) => 0.1 + (i % 10) / 20)
  const z = Float64Array.from({ length: 60 }, (_, i) => ((i % 7) - 3) / 30)
  return { x, z, y: x.map((each, i) => y(each, z[i] ?? 0, i)) }
}

test('a fit finds the excess and the rise that were put in, a twelfth of wild hours or not', () => {
  const fit = huberFit(
    rows((x, z, i) => 3 + 12 * x + 32 * z + (i % 12 === 0 ? 40 : 0) + 0.1 * Math.sin(i)),
    { k: 32, ridge: 0.5 },
  )
  expect(fit?.e).toBeCloseTo(12, 0)
  expect(fit?.k).toBeCloseTo(32, 0)
  expect(fit?.eError).toBeLessThan(1)
})

test('where nothing differs between phases, what is known of the family stands', () => {
  const { x, y } = rows((x) => 12 * x)
  expect(huberFit({ x, z: new Float64Array(60), y }, { k: 32, ridge: 0.5 })?.k).toBeCloseTo(32, 6)
})

test('a current that never changes says nothing of a contact', () => {
  const { z, y } = rows(() => 5)
  expect(huberFit({ x: new Float64Array(60).fill(0.2), z, y }, { k: 32, ridge: 0.5 })).toBeNull()
})
