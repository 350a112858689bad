import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { BalanceMeter } from './balance.ts'
import { balanceOf, causesTried, likelyCausesOf } from './balance.ts'
import type { SupplySpan } from './boundary.ts'
import { boundaryOf, circleOf, circleSince, upstreamAt } from './boundary.ts'

const numRuns = lawRuns(300)
const meter = (wh: number | null, accuracyPercent = 1): BalanceMeter => ({ wh, accuracyPercent, stepWh: 1, stretches: 1 })

test.each<[string, BalanceMeter, readonly BalanceMeter[], string]>([
  ['a rest within the error says nothing', meter(1_000_000), [meter(990_000)], 'withinError'],
  ['a rest above the error is not metered', meter(1_000_000), [meter(600_000)], 'unmetered'],
  ['parts above the whole by more than the error', meter(1_000_000), [meter(700_000), meter(400_000)], 'partsAboveWhole'],
  ['a part that is not known is not nought', meter(1_000_000), [meter(600_000), meter(null)], 'unknown'],
  ['a whole that is not known has no rest', meter(null), [meter(600_000)], 'unknown'],
  ['nothing used and nothing in the parts', meter(0), [], 'withinError'],
])('%s', (_name, parent, children, verdict) => expect(balanceOf(parent, children).verdict).toBe(verdict))

test('the error is twice the standard uncertainty of all meters together', () => {
  // Class 0.5 on 39,900 kWh and class 0.5 on 38,300 kWh.
  const { restWh, errorWh } = balanceOf(meter(39_900_000, 0.5), [meter(20_200_000, 0.5), meter(18_100_000, 0.5)])
  expect(restWh).toBe(1_600_000)
  const standard = [39_900, 20_200, 18_100].map((kwh) => (0.005 * kwh) / Math.sqrt(3))
  expect(errorWh! / 1_000).toBeCloseTo(2 * Math.hypot(...standard), 6)
})

test('what a coarse register cannot tell is within the error, and more of it for each stretch', () => {
  // Half an hour of a feeder that counts by the Wh, and of a line whose register counts by the kilowatt hour.
  const coarse = { ...meter(2_000), stepWh: 1_000 }
  expect(balanceOf(meter(1_500), [meter(2_000)]).verdict).toBe('partsAboveWhole')
  expect(balanceOf(meter(1_500), [coarse]).verdict).toBe('withinError')
  expect(balanceOf(meter(1_500), [coarse]).errorWh).toBeCloseTo(2 * Math.sqrt(1_000 ** 2 / 6 + (15 ** 2 + 20 ** 2) / 3), -1)
  expect(balanceOf(meter(900), [coarse]).verdict).toBe('partsAboveWhole')
  expect(balanceOf(meter(900), [{ ...coarse, stretches: 4 }]).verdict).toBe('withinError')
  expect(balanceOf(meter(1_500), [{ ...coarse, stepWh: null }]).verdict).toBe('partsAboveWhole')
})

test('parts and what is not metered sum to the whole', () => {
  const anyMeter = fc.record({
    wh: fc.integer({ min: 0, max: 10 ** 12 }),
    accuracyPercent: fc.constantFrom(0.2, 0.5, 1, 2),
    stepWh: fc.constantFrom(null, 1, 100, 1_000),
    stretches: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(anyMeter, fc.array(anyMeter, { maxLength: 50 }), (parent, children) => {
      const { restWh } = balanceOf(parent, children)
      expect(children.reduce((sum, { wh }) => sum + wh, restWh ?? Number.NaN)).toBe(parent.wh)
    }),
    { numRuns },
  )
})

test('one child with twice its multiplier is named, and none where the rest is within the error', () => {
  const children = [meter(300_000), meter(800_000), meter(290_000)]
  expect(likelyCausesOf(meter(1_000_000), children)).toEqual([{ child: 1, factor: 2, restWh: 10_000 }])
  expect(likelyCausesOf(meter(1_000_000), [meter(300_000), meter(110_000), meter(370_000)])).toEqual([
    { child: 1, factor: 1 / 3, restWh: 0 },
  ])
  expect(likelyCausesOf(meter(1_000_000), [meter(995_000)])).toEqual([])
  expect(likelyCausesOf(meter(1_000_000), [meter(null)])).toEqual([])
})

test('a child that another line feeds explains what is above the parent, and never what is not metered', () => {
  const elsewhere = [meter(700_000), meter(299_000), meter(420_000)]
  expect(likelyCausesOf(meter(1_000_000), elsewhere)).toEqual([{ child: 2, factor: null, restWh: 1_000 }])
  expect(likelyCausesOf(meter(1_000_000), [meter(400_000), meter(10_000)])).toEqual([])
  expect([causesTried('partsAboveWhole', 3), causesTried('unmetered', 2), causesTried('withinError', 2)]).toEqual([12, 6, 0])
})

const all = new Set([1, 2, 3, 4, 5])
/** 1 supplies 2 and 3; 3 measures nothing and supplies 4; 5 stands alone. */
const upstream = new Map([
  [2, 1],
  [3, 1],
  [4, 3],
])

test('the boundary of a set is what is supplied from outside of it, through lines that measure nothing', () => {
  const metered = new Set([1, 2, 4, 5])
  expect(boundaryOf(all, metered, upstream)).toEqual([1, 5])
  expect(boundaryOf(new Set([2, 4]), metered, upstream)).toEqual([2, 4])
  expect(boundaryOf(new Set([1, 4]), metered, upstream)).toEqual([1])
  expect(boundaryOf(new Set([3]), metered, upstream)).toEqual([])
})

test('a line that is moved to another supply at an instant is below the old one until then', () => {
  const spans: readonly SupplySpan[] = [
    { lineId: 2, upstreamId: 1, from: Number.NEGATIVE_INFINITY, to: 1_000 },
    { lineId: 2, upstreamId: null, from: 1_000, to: null },
  ]
  const boundaryAt = (at: number) => boundaryOf(new Set([1, 2]), new Set([1, 2]), upstreamAt(spans, at))
  expect([boundaryAt(999), boundaryAt(1_000)]).toEqual([[1], [1, 2]])
})

test('a circle of supplies is named with its path, and one that is there keeps nobody waiting', () => {
  expect(circleOf(upstream, 1, 4)).toEqual([1, 4, 3, 1])
  expect(circleOf(upstream, 5, 4)).toBeNull()
  expect(circleOf(upstream, 5, 5)).toEqual([5, 5])
  const ring = new Map([
    [1, 2],
    [2, 1],
  ])
  expect(circleOf(ring, 3, 1)).toBeNull()
  expect(boundaryOf(new Set([1, 2]), new Set([1, 2]), ring)).toEqual([])
})

/** Any forest: each line is supplied by one with a smaller number, or by none. */
const anyForest = fc.array(fc.option(fc.nat()), { minLength: 1, maxLength: 30 }).map((picks) => {
  const found = new Map<number, number>()
  for (const [line, pick] of picks.entries()) if (pick !== null && line > 0) found.set(line, pick % line)
  return { lines: picks.map((_, line) => line), upstream: found }
})

test('energy of a set is counted once: each line is in the boundary or below exactly one line of it', () => {
  fc.assert(
    fc.property(anyForest, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), ({ lines, upstream: above }, picks) => {
      const metered = new Set(lines)
      const set = new Set(lines.filter((line) => picks[line]))
      const boundary = new Set(boundaryOf(set, metered, above))
      for (const line of set) {
        // Up to where the set ends: the boundary's line is the last one of an unbroken row.
        let top = line
        for (let next = above.get(top); next !== undefined && set.has(next); next = above.get(next)) top = next
        expect(boundary.has(top)).toBe(true)
        expect(top === line).toBe(boundary.has(line))
      }
    }),
    { numRuns },
  )
})

test('a feed from a past date is a circle where it would be one on any date since, and only there', () => {
  const spans = [
    { lineId: 2, upstreamId: 1, from: 0, to: 10 },
    { lineId: 3, upstreamId: 2, from: 5, to: 20 },
    { lineId: 1, upstreamId: 9, from: Number.NEGATIVE_INFINITY, to: null },
  ]
  // From 5 on line 3 hung under 2, and 2 under 1 until 10.
  expect(circleSince(spans, 1, 3, 0)).toEqual({ at: 5, path: [1, 3, 2, 1] })
  expect(circleSince(spans, 1, 3, 10)).toBeNull()
  expect(circleSince(spans, 1, 2, 9)).toEqual({ at: 9, path: [1, 2, 1] })
  expect(circleSince(spans, 1, 2, 20)).toBeNull()
  expect(circleSince(spans, 4, 4, 0)).toEqual({ at: 0, path: [4, 4] })
})
