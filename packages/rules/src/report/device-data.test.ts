import { dayMs, hourMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CivilClock } from './civil.ts'
import { repeatedTime, usualPeriodOf } from './civil.ts'
import { completenessOf, edgesOf, isPeriod, stepFor } from './device-data.ts'

/** Of a zone as ICU knows it; slow, and written without the clock of the product. */
function clockOf(timeZone: string): CivilClock {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const local = (at: number) => Date.parse(`${format.format(Math.floor(at / 1000) * 1000).replace(' ', 'T')}Z`)
  return {
    local,
    moment(wanted) {
      const guess = wanted - (local(wanted) - wanted)
      const at = guess + wanted - local(guess)
      return local(at) === wanted ? at : Math.max(at, guess)
    },
  }
}

const quarterMs = hourMs / 4
const far = Date.UTC(2100, 0, 1)
const berlin = clockOf('Europe/Berlin')
const shanghai = clockOf('Asia/Shanghai')
const day = (clock: CivilClock, text: string) => {
  const from = clock.moment(Date.parse(`${text}T00:00:00Z`))
  return { from, to: clock.moment(Date.parse(`${text}T00:00:00Z`) + dayMs) }
}
const slots = (...args: Parameters<typeof edgesOf>) => Math.max(0, edgesOf(...args).length - 1)

test.each([
  ['Europe/Berlin', '2026-03-29', 92, 23],
  ['Europe/Berlin', '2026-10-25', 100, 25],
  ['Europe/Berlin', '2026-06-01', 96, 24],
  // Clocks are set by half an hour, and hours are those of UTC.
  ['Australia/Lord_Howe', '2026-04-05', 98, 25],
  ['Asia/Kathmandu', '2026-06-01', 96, 24],
])('%s %s has %i quarters and %i hours', (zone, text, quarters, hours) => {
  const clock = clockOf(zone)
  const period = day(clock, text)
  expect([slots('quarter', period, clock, far), slots('hour', period, clock, far)]).toEqual([quarters, hours])
  expect(edgesOf('day', period, clock, far)).toEqual([period.from, period.to])
})

test('a day that a zone skipped has no slot, and the days around it lie side by side', () => {
  const apia = clockOf('Pacific/Apia')
  const from = apia.moment(Date.UTC(2011, 11, 29))
  const edges = edgesOf('day', { from, to: apia.moment(Date.UTC(2012, 0, 1)) }, apia, far)
  expect(edges.map((at) => new Date(apia.local(at)).getUTCDate())).toEqual([29, 31, 1])
})

test('slots lie side by side, begin within the period and have begun, in every zone', () => {
  const zones = ['Asia/Shanghai', 'Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu'].map(clockOf)
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom('quarter' as const, 'hour' as const, 'day' as const),
      fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
      fc.integer({ min: 1, max: 5 * dayMs }),
      fc.integer({ min: -dayMs, max: 6 * dayMs }),
      (clock, step, from, span, since) => {
        const edges = edgesOf(step, { from, to: from + span }, clock, from + since)
        for (const [i, at] of edges.entries()) if (i > 0) expect(at).toBeGreaterThan(edges[i - 1] ?? 0)
        const starts = edges.slice(0, -1)
        expect(starts.filter((at) => at < from || at >= from + span || at > from + since)).toEqual([])
        if (step === 'day') expect(edges.map((at) => clock.local(at) % dayMs < 2 * hourMs)).not.toContain(false)
        else expect(edges.map((at) => at % quarterMs)).toEqual(edges.map(() => 0))
      },
    ),
    { numRuns: 60 },
  )
})

test('a period ends after it begins and is as long as its step allows, on a day of 25 hours too', () => {
  const sunday = day(berlin, '2026-10-25')
  const long = { from: sunday.from, to: sunday.from + 31 * dayMs + hourMs }
  expect([isPeriod(long, 'raw'), isPeriod({ ...long, to: long.to + 1 }, 'raw')]).toEqual([true, false])
  expect(isPeriod({ from: 5, to: 5 }, 'day')).toBe(false)
  expect(stepFor({ from: 0, to: 100 * dayMs }, 'raw')).toBe('hour')
  expect(stepFor({ from: 0, to: 100 * dayMs }, 'day')).toBe('day')
  expect(stepFor({ from: 0, to: 4_000 * dayMs }, 'raw')).toBeNull()
})

describe('usual periods are those of the project', () => {
  // A Monday, 30 November, 23:30 in Shanghai and still the afternoon in Berlin.
  const now = Date.UTC(2026, 10, 30, 15, 30)
  test.each([
    ['today', '2026-11-30', '2026-12-01'],
    ['yesterday', '2026-11-29', '2026-11-30'],
    ['week', '2026-11-30', '2026-12-07'],
    ['month', '2026-11-01', '2026-12-01'],
  ] as const)('%s', (name, from, to) => {
    const shown = usualPeriodOf(name, shanghai, now)
    const text = (at: number) => new Date(shanghai.local(at)).toISOString()
    expect([text(shown.from), text(shown.to)]).toEqual([`${from}T00:00:00.000Z`, `${to}T00:00:00.000Z`])
  })

  test('a Sunday belongs to the week before it', () => {
    const sunday = usualPeriodOf('week', shanghai, now - dayMs)
    expect(new Date(shanghai.local(sunday.from)).toISOString()).toBe('2026-11-23T00:00:00.000Z')
  })
})

test('an hour that the clock shows twice is told apart, and no other', () => {
  const two = Date.UTC(2026, 9, 25, 0)
  const hours = [-1, 0, 1, 2].map((h) => repeatedTime(berlin, two + h * hourMs))
  expect(hours).toEqual([null, 'first', 'second', null])
  expect(repeatedTime(shanghai, two)).toBeNull()
})

describe('a slot is as complete as there are readings for it', () => {
  const slot = { readings: 90, from: 0, to: quarterMs, periodMs: 10_000, now: hourMs }
  test.each([
    ['whole', {}, 100],
    ['more readings than wanted', { readings: 200 }, 100],
    ['half of it', { readings: 45 }, 50],
    ['one is missing: it is not called whole', { readings: 89 }, 98],
    ['none', { readings: 0 }, 0],
    ['not over: as far as it is', { readings: 30, now: quarterMs / 3 }, 100],
    ['equipment that reports when something changes', { periodMs: 0 }, null],
    ['not begun', { now: 0 }, null],
  ])('%s', (_, other, percent) => expect(completenessOf({ ...slot, ...other })).toBe(percent))
})
