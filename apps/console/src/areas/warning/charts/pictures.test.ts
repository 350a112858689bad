import { expect, test } from 'vitest'
import { contactPicture, opacityOf } from './contact-picture.ts'
import type { LeakageDayFact, LeakageFacts } from './leakage-picture.ts'
import { excludedDays, leakagePicture } from './leakage-picture.ts'
import { sparkPicture } from './spark-picture.ts'
import type { TrendFacts } from './trend-picture.ts'
import { trendPicture } from './trend-picture.ts'

const day = (at: number, floorMa: number | null, excluded: string | null = null): LeakageDayFact => ({
  day: at,
  floorMa,
  excluded,
})

test('days beside one another that do not count for one reason are one stretch; another reason is another', () => {
  const days = [
    day(1, 8),
    day(2, null, 'tagged'),
    day(3, null, 'tagged'),
    day(4, null, 'coverage'),
    day(5, 8),
    day(6, null, null),
  ]
  expect(excludedDays(days)).toEqual([
    { from: 2, to: 3, reason: 'tagged' },
    { from: 4, to: 4, reason: 'coverage' },
    { from: 6, to: 6, reason: null },
  ])
})

test('0.5 IΔn is in the picture of a leakage also where nothing comes near it', () => {
  const facts: LeakageFacts = {
    days: [day(1, 2), day(2, 2.1)],
    ...{ tripMa: 30, baseline: null, raisedDay: null, presentMa: 2.1 },
  }
  const { y, top, bottom } = leakagePicture(facts, 600, 280, () => '')
  expect(y.at(15)).toBeGreaterThanOrEqual(top)
  expect(y.at(0)).toBe(bottom)
})

test('a reason is not written over the one beside it, nor under the mark of the day on which it was raised', () => {
  const facts: LeakageFacts = {
    days: [
      day(1, null, 'a'),
      day(2, 8),
      day(3, null, 'b'),
      ...Array.from({ length: 30 }, (_, i) => day(4 + i, 8)),
      day(34, null, 'c'),
    ],
    ...{ tripMa: 30, baseline: null, raisedDay: 34, presentMa: 8 },
  }
  const names = leakagePicture(facts, 400, 280, (reason) => `${reason}缺数`).excluded.map(({ name }) => name)
  expect(names).toEqual(['a缺数', null, null])
})

test('a spark line breaks where a day is missing, ends in a dot at the last day that is known, and holds limit and band', () => {
  const size = { width: 128, height: 28 }
  const { path, limitY, band, end } = sparkPicture({ values: [1, null, 2, 4, null], limit: 8, baseline: 1.5, spread: 0.5 }, size)
  expect(path.match(/M/g)).toHaveLength(2)
  expect(end?.x).toBeCloseTo((3 / 4) * 124.5, 1)
  expect(limitY).toBe(3.5)
  expect(band && band.top + band.height).toBeLessThanOrEqual(size.height)
  expect(sparkPicture({ values: [null, null], limit: null, baseline: null, spread: null }, size)).toMatchObject({
    ...{ path: '', limitY: null, band: null, end: null },
  })
})

test('what hardly moves is drawn flat', () => {
  const { path } = sparkPicture({ values: [230, 230.5], limit: null, baseline: null, spread: null }, { width: 128, height: 28 })
  const [from = 0, to = 0] = [...path.matchAll(/ ([\d.]+)/g)].map(([, y]) => Number(y))
  expect(Math.abs(from - to)).toBeLessThan(2)
})

const trend: TrendFacts = {
  days: Array.from({ length: 35 }, (_, at) => ({ day: at, value: at * 0.3 })),
  ...{ unit: 'K', limits: [{ kind: 'warning', value: 15 }], baseline: null, spread: null },
  forecast: { lo: 12, mid: 17, hi: 24, limit: 15 },
}

test('a forecast reaches its limit on the days of its interval', () => {
  const { fan, x, today, future } = trendPicture(trend, 600, 164)
  expect(future).toBeGreaterThanOrEqual(24)
  expect(fan?.lo).toMatchObject({ x: x.at(34 + 12), isReached: true })
  expect(fan?.hi).toMatchObject({ x: x.at(34 + 24), isReached: true })
  expect(fan && [fan.lo.y, fan.hi.y]).toEqual([fan?.limitY, fan?.limitY])
  expect(today.day).toBe(34)
})

test('a forecast that reaches far is cut where the days that were still have their room', () => {
  const { fan, future } = trendPicture({ ...trend, forecast: { lo: 20, mid: 60, hi: 300, limit: 15 } }, 600, 164)
  expect(future).toBeLessThan(35)
  expect([fan?.lo.isReached, fan?.mid.isReached, fan?.hi.isReached]).toEqual([true, false, false])
  expect(fan?.hi.y).toBeGreaterThan(fan?.limitY ?? 0)
  expect(trendPicture({ ...trend, forecast: null }, 600, 164)).toMatchObject({ fan: null, future: 0 })
})

test('of a contact the days fade, today is full, and the own terminal lies over the others', () => {
  expect(opacityOf(0)).toBe(1)
  expect(opacityOf(3)).toBeLessThan(opacityOf(2))
  expect(opacityOf(40)).toBeCloseTo(0.22)
  const hour = (phase: 'a' | 'b', load: number, riseK: number) => ({ phase, load, riseK, age: 0 })
  const facts = {
    hours: [hour('b', 0.5, 20), hour('a', 0.5, 15), hour('b', 9, 400)],
    ...{ phase: 'b' as const, ratedA: 250, othersK: 32, excessK: 12, usualLoad: 0.83 },
  }
  const { hours, loads, ownEnd, othersEnd, usual } = contactPicture(facts, 560, 268)
  expect(hours.map(({ phase }) => phase)).toEqual(['a', 'b'])
  expect(loads.at(-1)).toBe(1)
  expect(ownEnd).toBeLessThan(othersEnd)
  expect(usual.to).toBeLessThan(usual.from)
})
