import { dayMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { civilZone } from '../automation/civil-time.ts'
import { lawRuns } from '../test-runs.ts'
import type { SupplySpan } from './boundary.ts'
import { boundaryOf, upstreamAt } from './boundary.ts'
import type { CivilPeriod } from './compared.ts'
import { dayOfSlot } from './cover.ts'
import { feedPeriods, feedsIn } from './feed-days.ts'
import { startOfDay } from './slots.ts'

const zone = civilZone('Asia/Shanghai')
/** 15 January 2026. */
const start = Date.UTC(2026, 0, 15) / dayMs
const at = (day: number, hour = 0) => startOfDay(zone, start + day) + hour * 3_600_000
const month: CivilPeriod = { first: start, end: start + 30 }
const always: CivilPeriod = { first: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
const span = (lineId: number, upstreamId: number, from: number, to: number | null): SupplySpan => ({
  lineId,
  upstreamId,
  from,
  to,
})
const meters = (...lines: readonly number[]) => new Map(lines.map((lineId) => [lineId, always]))
const dates = (first: number, end: number) => ({ first: start + first, end: start + end })

test('a line that is moved at three in the afternoon was fed otherwise on that whole date, and on none before', () => {
  const spans = [span(3, 1, Number.NEGATIVE_INFINITY, at(10, 15)), span(3, 2, at(10, 15), null)]
  const { fed, roots } = feedsIn(month, meters(1, 2, 3), feedPeriods(zone, spans))
  expect(fed.get(1)).toEqual([{ lineId: 3, periods: [dates(0, 10)] }])
  expect(fed.get(2)).toEqual([{ lineId: 3, periods: [dates(10, 30)] }])
  expect([...roots.keys()]).toEqual([1, 2])
})

test('one that measures nothing passes on what feeds it, and feeds by itself from the date on which it measures', () => {
  const upstream = feedPeriods(zone, [span(2, 1, Number.NEGATIVE_INFINITY, null), span(3, 2, Number.NEGATIVE_INFINITY, null)])
  const { fed } = feedsIn(month, new Map([...meters(1, 3), [2, { first: start + 20, end: always.end }]]), upstream)
  expect(fed.get(1)).toEqual([
    { lineId: 3, periods: [dates(0, 20)] },
    { lineId: 2, periods: [dates(20, 30)] },
  ])
  expect(fed.get(2)).toEqual([{ lineId: 3, periods: [dates(20, 30)] }])
})

test('two that fed each other on one date for an hour, and lines in a circle, keep nobody waiting', () => {
  const hour = [span(2, 1, at(5, 9), at(5, 10))]
  expect(feedsIn(month, meters(1, 2), feedPeriods(zone, hour)).fed.size).toBe(0)
  const ring = [span(2, 1, Number.NEGATIVE_INFINITY, null), span(1, 2, Number.NEGATIVE_INFINITY, null)]
  expect(feedsIn(month, meters(3), feedPeriods(zone, [...ring, span(3, 1, Number.NEGATIVE_INFINITY, null)])).roots).toEqual(
    new Map([[3, [month]]]),
  )
})

const days = 12
/** Lines are fed by others with smaller numbers, each from some hour on until another one; some measure only on some dates. */
const anyFeeds = fc.record({
  moves: fc.array(
    fc.record({ line: fc.integer({ min: 1, max: 7 }), above: fc.nat(6), hour: fc.nat(days * 24), feeds: fc.boolean() }),
    { maxLength: 25 },
  ),
  metered: fc.array(fc.record({ first: fc.integer({ min: -3, max: days }), days: fc.nat(days + 3) }), {
    minLength: 8,
    maxLength: 8,
  }),
})

test('on each date each line is fed by what the boundary and the spans say of that date', () => {
  fc.assert(
    fc.property(anyFeeds, ({ moves, metered }) => {
      const spans = spansOf(moves)
      const meteredOn = new Map(metered.map(({ first, days: count }, line) => [line, dates(first, first + count)]))
      const { fed, roots } = feedsIn(dates(0, days), meteredOn, feedPeriods(zone, spans))
      for (let day = start; day < start + days; day++) {
        const isOn = ({ first, end }: CivilPeriod) => first <= day && day < end
        const lines = new Set([...meteredOn].flatMap(([line, period]) => (isOn(period) ? [line] : [])))
        const upstream = upstreamAt(spans, startOfDay(zone, day + 1) - 1)
        expect([...roots].flatMap(([line, periods]) => (periods.some(isOn) ? [line] : [])).sort()).toEqual(
          boundaryOf(lines, lines, upstream),
        )
        for (const [feeder, children] of fed)
          for (const { lineId, periods } of children)
            if (periods.some(isOn)) expect(boundaryOf(new Set([lineId, feeder]), lines, upstream)).not.toContain(lineId)
      }
    }),
    { numRuns: lawRuns(150) },
  )
})

test('each date of a line that measures has one feeder or none', () => {
  fc.assert(
    fc.property(anyFeeds, ({ moves, metered }) => {
      const meteredOn = new Map(metered.map(({ first, days: count }, line) => [line, dates(first, first + count)]))
      const { fed, roots } = feedsIn(dates(0, days), meteredOn, feedPeriods(zone, spansOf(moves)))
      const counted = new Map<string, number>()
      const count = (line: number, periods: readonly CivilPeriod[]) => {
        for (const { first, end } of periods)
          for (let day = first; day < end; day++) counted.set(`${line} ${day}`, (counted.get(`${line} ${day}`) ?? 0) + 1)
      }
      for (const [line, periods] of roots) count(line, periods)
      for (const children of fed.values()) for (const { lineId, periods } of children) count(lineId, periods)
      const expected = metered.flatMap(({ first, days: length }, line) =>
        Array.from({ length: days }, (_, day) => day).flatMap((day) =>
          first <= day && day < first + length ? [`${line} ${start + day}`] : [],
        ),
      )
      expect([...counted.keys()].sort()).toEqual(expected.sort())
      expect([...counted.values()].every((each) => each === 1)).toBe(true)
    }),
    { numRuns: lawRuns(150) },
  )
})

interface Move {
  readonly line: number
  readonly above: number
  readonly hour: number
  readonly feeds: boolean
}

/** As the table keeps them: each ends where the next begins. */
function spansOf(moves: readonly Move[]): readonly SupplySpan[] {
  const byLine = new Map<number, Move[]>()
  for (const move of moves) byLine.set(move.line, [...(byLine.get(move.line) ?? []), move])
  return [...byLine].flatMap(([line, own]) => {
    const sorted = own.toSorted((one, other) => one.hour - other.hour)
    return sorted.flatMap(({ above, hour, feeds }, index): SupplySpan[] => {
      const next = sorted[index + 1]
      const [from, to] = [at(0, hour), next ? at(0, next.hour) : null]
      return feeds && from !== to ? [span(line, above % line, from, to)] : []
    })
  })
}

test('a date of which clocks fall back over midnight is one date', () => {
  const havana = civilZone('America/Havana')
  const midnight = startOfDay(havana, Date.UTC(2026, 10, 1) / dayMs)
  expect(dayOfSlot(havana, midnight)).toBe(Date.UTC(2026, 10, 1) / dayMs)
  const [period] = feedPeriods(havana, [span(2, 1, midnight, null)]).get(2) ?? []
  expect(period?.first).toBe(Date.UTC(2026, 10, 1) / dayMs)
})
