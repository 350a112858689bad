import { describe, expect, test } from 'vitest'
import { availabilityOf, meanAvailability } from './availability.ts'
import { beginsChatter, countStep } from './counting.ts'
import { changeOf, rank } from './frequent.ts'
import { rateOf } from './rate.ts'
import { responsesOf } from './response.ts'
import { floodMs, floodVerdict, longActiveVerdict, mixVerdict, rateVerdict, targets } from './targets.ts'

const s = 1_000
test.each<[string, readonly number[], boolean]>([
  ['the first raise', [], false],
  ['the second', [0], false],
  ['the third within a minute', [59 * s, 0], true],
  ['the third, a moment after the minute', [40 * s, -1], false],
  ['the fourth: the chatter goes on', [50 * s, 40 * s, 30 * s], false],
  ['the fourth, where the one before was the third of just a minute', [59 * s, 10 * s, -1 * s], false],
  ['the third after a pause', [50 * s, 40 * s, -60 * s], true],
])('%s begins a chatter: only where three are within 60 s and the one before was not among them', (_, before, begins) =>
  expect(beginsChatter(60 * s, before)).toBe(begins),
)

const dayLength = 86_400_000
const utc = { dayOf: (at: number) => Math.floor(at / dayLength), startOf: (day: number) => day * dayLength }
const at = Date.UTC(2026, 10, 24, 12)
const none = { announced: false, historical: false, activeSince: null, calledAt: null, actedOn: false, raisesBefore: [] }
test.each<[string, Partial<Parameters<typeof countStep>[0]>]>([
  ['raised by a clock that was never set', { act: 'return', at, activeSince: 0 }],
  ['returned by a clock of the year 2099', { act: 'return', at: Date.UTC(2099, 0, 1), activeSince: at }],
  ['returned by a clock that was set back meanwhile', { act: 'return', at: at - 1, activeSince: at }],
  ['raised by a clock that was never set and acknowledged today', { act: 'acknowledge', at, calledAt: 0 }],
])('how long an alarm took that was %s is not known, and not counted', (_, step) =>
  expect([...countStep({ ...none, act: 'return', at, ...step }, utc)]).toEqual([]),
)

test('what is aimed at is what EEMUA 191, ISA-18.2 and IEC 62682 say', () =>
  expect(targets).toEqual({
    ...{ windowsAbove: 0.01, maxInWindow: 10, floodTime: 0.01, topTen: 0.05, single: 0.02, chatter: 0, longActive: 5 },
    mix: { lowMedium: 0.8, high: 0.15, critical: 0.05 },
  }))

describe('how long an alarm was there is counted', () => {
  const returned = (activeMs: number, more: Partial<Parameters<typeof countStep>[0]> = {}) =>
    countStep({ ...none, act: 'return', at, activeSince: at - activeMs, ...more }, utc).get(Math.floor(at / dayLength))
  test.each([
    [5 * s, 1, 1],
    [5 * s + 1, 0, 1],
    [60 * s, 0, 1],
    [60 * s + 1, 0, 0],
  ])('%i ms: fleeting %i, too short to act on %i', (ms, fleeting, unjustified) => {
    expect(returned(ms)).toMatchObject({ fleeting, unjustified, activeMs: ms })
    expect(returned(ms, { actedOn: true })).toMatchObject({ fleeting: 0, unjustified: 0, activeMs: ms })
  })
  test('up to two years are believed', () => {
    const twoYears = 2 * 366 * dayLength
    expect(countStep({ ...none, act: 'return', at, activeSince: at - twoYears }, utc).size).toBe(2 * 366 + 1)
    expect(countStep({ ...none, act: 'return', at, activeSince: at - twoYears - 1 }, utc).size).toBe(0)
  })
  test('on each of its days, and over the day where it had lasted one when that began', () => {
    const midnight = Math.floor(at / dayLength) * dayLength
    const counts = countStep({ ...none, act: 'return', at: midnight + 5, activeSince: midnight - dayLength - 10 }, utc)
    expect([...counts.values()].map(({ activeMs, overDay }) => [activeMs, overDay])).toEqual([
      [10, 0],
      [dayLength, 0],
      [5, 1],
    ])
    const whole = countStep({ ...none, act: 'return', at: midnight + 5, activeSince: midnight - dayLength }, utc)
    expect([...whole.values()].at(-1)?.overDay).toBe(0)
  })
  test('each raise, announcement and folding by itself; what came late begins no chatter', () => {
    const day = Math.floor(at / dayLength)
    const raise = { ...none, act: 'raise', at, announced: true, raisesBefore: [at - 1, at - 2] } as const
    expect(countStep(raise, utc).get(day)).toMatchObject({ raised: 1, announced: 1, folded: 0, bursts: 1 })
    expect(countStep({ ...raise, historical: true, announced: false }, utc).get(day)).toMatchObject({ announced: 0, bursts: 0 })
    expect(countStep({ ...none, act: 'fold', at }, utc).get(day)).toMatchObject({ raised: 0, folded: 1 })
    expect(countStep({ ...none, act: 'acknowledge', at, calledAt: at - 1_600 }, utc).get(day)).toMatchObject({ ackSeconds: [2] })
    expect(countStep({ ...none, act: 'acknowledge', at, calledAt: at + 9_000 }, utc).get(day)).toMatchObject({ ackSeconds: [0] })
    expect(countStep({ ...none, act: 'comment', at }, utc).size).toBe(0)
  })
})

const windows = (...counts: number[]) => counts.map((announced, ten) => ({ ten, announced }))
describe('verdicts', () => {
  test.each([
    ['ten in a window, of which one in a thousand', rateOf(windows(10), 1_000), 'met'],
    ['eleven in one', rateOf(windows(11), 1_000), 'missed'],
    ['a single window', rateOf(windows(1), 1), 'met'],
    ['no window at all', rateOf([], 0), 'unknown'],
  ])('the rate with %s', (_, rate, verdict) => expect(rateVerdict(rate)).toBe(verdict))

  test('windows above ten must be fewer than one in a hundred, and none above it', () => {
    const rate = { ...rateOf([], 1_000), max: 10 }
    expect([9, 10].map((many) => rateVerdict({ ...rate, many }))).toEqual(['met', 'missed'])
    expect(rateOf(windows(1, 2, 10, 11), 7)).toMatchObject({ windows: 7, none: 3, one: 1, few: 2, many: 1, max: 11 })
    expect(rateOf(windows(1, 3), 4)).toMatchObject({ median: 0, p95: 3 })
    expect(rateOf(windows(1, 3, 7), 4)).toMatchObject({ median: 1, p99: 7 })
  })
  test('floods last from their beginnings to their ends', () =>
    expect(
      floodMs([
        { from: 5, to: 9, announced: 1, peak: 1 },
        { from: 20, to: 26, announced: 1, peak: 1 },
      ]),
    ).toBe(10))

  const flood = (minutes: number) => [{ from: 0, to: minutes * 60_000, announced: 99, peak: 50 }]
  test.each([
    [[], 1_000_000, 'met'],
    [[], 1, 'met'],
    [flood(10), 1_001 * 60_000, 'met'],
    [flood(10), 1_000 * 60_000, 'missed'],
    [flood(10), 0, 'unknown'],
  ])('floods %j of %i ms', (floods, spanMs, verdict) => expect(floodVerdict(floods, spanMs)).toBe(verdict))

  test.each([
    [[4, 0, 4], 'met'],
    [[0, 5], 'missed'],
    [[], 'unknown'],
  ])('long active %j', (counts, verdict) => expect(longActiveVerdict(counts)).toBe(verdict))

  test.each([
    [{ critical: 5, high: 15, medium: 40, low: 40 }, 'met'],
    [{ critical: 0, high: 0, medium: 0, low: 20 }, 'met'],
    [{ critical: 11, high: 4, medium: 40, low: 45 }, 'missed'],
    [{ critical: 5, high: 21, medium: 40, low: 34 }, 'missed'],
    [{ critical: 19, high: 0, medium: 0, low: 0 }, 'unknown'],
  ])('priorities %j', (mix, verdict) => expect(mixVerdict(mix)).toBe(verdict))
})

test('the response of each priority is held against its own time, and nobody who answered nothing meets one', () => {
  const [critical, high, , low] = responsesOf(
    new Map([
      [
        'critical',
        [
          [60, 8],
          [1_800, 1],
          [1_801, 1],
        ],
      ],
      ['high', [[7_201, 1]]],
    ]),
  )
  expect(critical).toMatchObject({ acknowledged: 10, medianS: 60, p90S: 1_800, limitS: 1_800, verdict: 'met' })
  expect(high).toMatchObject({ p90S: 7_201, verdict: 'missed' })
  expect(low).toMatchObject({ acknowledged: 0, medianS: null, p90S: null, verdict: 'unknown' })
})

test('the most frequent come first, each with its share and that of all before it; of nothing there is no row', () => {
  expect(
    rank(
      [
        ['a', 10],
        ['b', 30],
        ['c', 0],
        ['d', 60],
      ] as const,
      { most: 2 },
    ),
  ).toEqual([
    { of: 'd', count: 60, share: 0.6, cumulated: 0.6 },
    { of: 'b', count: 30, share: 0.3, cumulated: 0.9 },
  ])
})

test('under 20 events there are counts and no percentages', () => {
  expect(rank([['a', 19]] as const)).toEqual([{ of: 'a', count: 19, share: null, cumulated: null }])
  expect(rank([['a', 20]] as const)[0]?.share).toBe(1)
  expect(rank([['a', 20]] as const, { total: 80 })[0]?.share).toBe(0.25)
  expect([changeOf(19, 40), changeOf(40, 19), changeOf(30, 40)]).toEqual([null, null, -0.25])
})

describe('availability', () => {
  const day = (gatewayId: number, day: number, lines: number, lineHours: number) => ({ gatewayId, day, lines, lineHours })
  const hours = () => 24
  test('is the hours with readings of those of all lines', () =>
    expect(availabilityOf([day(1, 5, 2, 48), day(2, 5, 2, 36)], [5], hours)).toEqual([{ day: 5, share: 84 / 96 }]))
  test('whoever has reported is expected: a gateway that is silent all day lowers it', () =>
    expect(availabilityOf([day(1, 4, 1, 24), day(2, 4, 3, 72), day(1, 5, 1, 24)], [5], hours)).toEqual([{ day: 5, share: 0.25 }]))
  test('a day on which nobody reported, before one on which somebody did, has none', () =>
    expect(availabilityOf([day(1, 4, 1, 24), day(1, 6, 1, 24)], [5], hours)).toEqual([{ day: 5, share: 0 }]))
  test('of a day that is not over, and of equipment that never reported, nothing is known', () =>
    expect([
      ...availabilityOf([day(1, 4, 1, 24)], [5], hours),
      ...availabilityOf([], [5], hours),
      meanAvailability([{ day: 5, share: null }]),
    ]).toEqual([{ day: 5, share: null }, { day: 5, share: null }, null]))
  test('a day of 23 hours is full with 23', () =>
    expect(availabilityOf([day(1, 5, 1, 23)], [5], () => 23)).toEqual([{ day: 5, share: 1 }]))
  test('days weigh the same', () =>
    expect(
      meanAvailability([
        { day: 1, share: 1 },
        { day: 2, share: 0.5 },
        { day: 3, share: null },
      ]),
    ).toBe(0.75))
})
