import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gapsOf, runsOf } from './gaps.ts'
import { maxBuckets, planMeasures, planUse, samplesAllowed } from './plan.ts'

const hour = 3_600_000
const day = 24 * hour
const ask = (span: number, more: Partial<Parameters<typeof planMeasures>[0]> = {}) => ({
  from: 0,
  to: span,
  width: 1_200,
  periodMs: 10_000,
  lines: 8,
  ...more,
})

test.each<[string, number, ReturnType<typeof planMeasures>]>([
  ['an hour is shown as it was reported', hour, { level: 'raw', bucketMs: 0 }],
  ['a day is two-minute bands', day, { level: 'raw', bucketMs: 120_000 }],
  ['a week of eight lines is ten-minute bands', 6 * day, { level: 'raw', bucketMs: 600_000 }],
  ['a month is hours', 30 * day, { level: 'hour', bucketMs: hour }],
  ['a quarter is three hours', 90 * day, { level: 'hour', bucketMs: 3 * hour }],
  ['a year is days', 365 * day, { level: 'day', bucketMs: day }],
  ['ten years are weeks', 3_650 * day, { level: 'day', bucketMs: 7 * day }],
])('%s', (_, span, plan) => expect(planMeasures(ask(span))).toEqual(plan))

test('no range and no width brings more than a thousand buckets or the samples allowed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000, max: 3_660 * day }),
      fc.integer({ min: 50, max: 8_000 }),
      fc.integer({ min: 500, max: hour }),
      fc.integer({ min: 1, max: 8 }),
      (span, width, periodMs, lines) => {
        for (const plan of [planMeasures, planUse]) {
          const { bucketMs } = plan({ from: 0, to: span, width, periodMs, lines })
          if (bucketMs === 0) expect(span / periodMs).toBeLessThanOrEqual(samplesAllowed(width))
          else expect(span / bucketMs).toBeLessThanOrEqual(maxBuckets)
        }
      },
    ),
  )
})

test('lines that report every second are not read a week long', () => {
  expect(planMeasures(ask(5 * day, { periodMs: 1_000 }))).toEqual({ level: 'hour', bucketMs: hour })
})

test('energy is never shown per sample', () => {
  expect(planUse(ask(60_000)).bucketMs).toBe(60_000)
  expect(planUse(ask(day)).bucketMs).toBe(300_000)
})

test('three periods of silence are no gap, a moment more is one', () => {
  const within = { from: 0, to: 60_000, periodMs: 10_000 }
  const samples = (...at: number[]) => at.map((each) => [each, each] as const)
  expect(gapsOf(samples(0, 30_000, 60_000), within)).toEqual([])
  expect(gapsOf(samples(0, 30_001, 60_000), within)).toEqual([[0, 30_001]])
  expect(gapsOf(samples(31_000), within)).toEqual([[0, 31_000]])
  expect(gapsOf(samples(5_000), within)).toEqual([[5_000, 60_000]])
})

test('equipment that used to report less often than now was not silent in between', () => {
  const minutes = Array.from({ length: 20 }, (_, i) => [i * 60_000, i * 60_000] as const)
  const within = { from: 0, to: 20 * 60_000, periodMs: 1_000 }
  expect(gapsOf(minutes, within)).toEqual([])
  expect(gapsOf(minutes.toSpliced(10, 3), within)).toEqual([[9 * 60_000, 13 * 60_000]])
})

test('equipment that reports more often from some moment on had no gaps before it, and those since are found', () => {
  const minutes = Array.from({ length: 60 }, (_, i): [number, number] => [i * 60_000, i * 60_000])
  const seconds = Array.from({ length: 1_800 }, (_, i): [number, number] => [hour + i * 2_000, hour + i * 2_000])
  const within = { from: 0, to: 2 * hour, periodMs: 2_000 }
  expect(gapsOf([...minutes, ...seconds], within)).toEqual([])
  expect(gapsOf([...minutes.toSpliced(20, 4), ...seconds.toSpliced(500, 10)], within)).toEqual([
    [19 * 60_000, 24 * 60_000],
    [hour + 499 * 2_000, hour + 510 * 2_000],
  ])
})

test('nothing at all is one gap', () => expect(gapsOf([], { from: 5, to: hour, periodMs: 10_000 })).toEqual([[5, hour]]))

test('a bucket that began before the range covers its beginning', () =>
  expect(gapsOf([[-hour, hour]], { from: 0, to: hour, periodMs: 10_000 })).toEqual([]))

test('gaps lie in the range, in order, apart, and hold no sample', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 8 }), (given) => {
      const at = given.sort((a, b) => a - b)
      const gaps = gapsOf(
        at.map((each) => [each, each] as const),
        { from: 0, to: 1_000, periodMs: 20 },
      )
      let before = 0
      for (const [from, to] of gaps) {
        expect(from).toBeGreaterThanOrEqual(before)
        expect(to - from).toBeGreaterThan(60)
        expect(at.filter((each) => each > from && each < to)).toEqual([])
        before = to
      }
      expect(before).toBeLessThanOrEqual(1_000)
    }),
  )
})

test('marked samples that follow each other are one run', () => {
  expect(runsOf([0, 10, 20, 30], (i) => i !== 1, 5)).toEqual([
    [0, 5],
    [20, 35],
  ])
})
