import { describe, expect, test } from 'vitest'
import { availabilityOf, meanAvailability } from './availability.ts'
import { beginsChatter, countStep } from './counting.ts'
import { changeOf, rank } from './frequent.ts'
import { rateOf } from './rate.ts'
import { responsesOf } from './response.ts'
import { floodVerdict, longActiveVerdict, mixVerdict, rateVerdict } from './targets.ts'

const s = 1_000
test.each<[string, readonly number[], boolean]>([
  ['the first raise', [], false],
  ['the second', [0], false],
  ['the third within a minute', [59 * s, 0], true],
  ['the third, a moment after the minute', [40 * s, -1], false],
  ['the fourth: the chatter goes on', [50 * s, 40 * s, 30 * s], false],
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

const windows = (...counts: number[]) => counts.map((announced, ten) => ({ ten, announced }))
describe('verdicts', () => {
  test.each([
    ['ten in a window, of which one in a thousand', rateOf(windows(10), 1_000), 'met'],
    ['eleven in one', rateOf(windows(11), 1_000), 'missed'],
    ['no window at all', rateOf([], 0), 'unknown'],
  ])('the rate with %s', (_, rate, verdict) => expect(rateVerdict(rate)).toBe(verdict))

  const flood = (minutes: number) => [{ from: 0, to: minutes * 60_000, announced: 99, peak: 50 }]
  test.each([
    [[], 1_000_000, 'met'],
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
      2,
    ),
  ).toEqual([
    { of: 'd', count: 60, share: 0.6, cumulated: 0.6 },
    { of: 'b', count: 30, share: 0.3, cumulated: 0.9 },
  ])
})

test('under 20 events there are counts and no percentages', () => {
  expect(rank([['a', 19]] as const)).toEqual([{ of: 'a', count: 19, share: null, cumulated: null }])
  expect(rank([['a', 20]] as const)[0]?.share).toBe(1)
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
