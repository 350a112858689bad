import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { AlarmSeries } from './series.ts'
import {
  chatterAnnounceMs,
  chatterRaises,
  chatterWithinMs,
  isChattering,
  isFleeting,
  isRaiseAnnounced,
  seriesAfterRaise,
  seriesWithinMs,
} from './series.ts'

const hourMs = 3_600_000
const now = Date.UTC(2026, 0, 15, 8)

/** The series after raises at these times; each returns at once. */
function raised(times: readonly number[]): AlarmSeries | null {
  let series: AlarmSeries | null = null
  for (const at of times) series = { ...seriesAfterRaise(series, at), returnedAt: at }
  return series
}

test.each([
  { what: 'less than a day after its return', returnedAt: now - seriesWithinMs + 1, occurrences: 6 },
  { what: 'a day after its return', returnedAt: now - seriesWithinMs, occurrences: 1 },
])('raised again $what it is occurrence $occurrences', ({ returnedAt, occurrences }) => {
  const before = {
    occurrences: 5,
    raises: [now - 40 * hourMs],
    returnedAt,
    announcedAt: null,
    chatterSince: null,
    chatterAt: null,
  }
  expect(seriesAfterRaise(before, now).occurrences).toBe(occurrences)
})

test('three raises within a minute are chatter, two are not, nor are three in a minute', () => {
  const chatters = (...seconds: number[]) => isChattering(raised(seconds.map((each) => now + each * 1_000)) as AlarmSeries, now)
  expect(chatters(0, 20, 59)).toBe(true)
  expect(chatters(0, 20)).toBe(false)
  expect(chatters(0, 20, 60)).toBe(false)
  expect(chatters(0, 100, 110, 130)).toBe(true)
})

test('a row says since when it chatters; ten quiet minutes later it would begin anew', () => {
  const first = raised([0, 10, 20].map((each) => now + each * 1_000))
  expect(first).toMatchObject({ chatterSince: now + 20_000, chatterAt: now + 20_000 })
  const on = raised([0, 10, 20, 40, 50].map((each) => now + each * 1_000))
  expect(on).toMatchObject({ chatterSince: now + 20_000, chatterAt: now + 50_000 })
  const later = now + 20_000 + chatterAnnounceMs
  expect(isChattering(first as AlarmSeries, later)).toBe(false)
  const anew = raised([now, now + 10_000, now + 20_000, later, later + 1_000, later + 2_000])
  expect(anew).toMatchObject({ chatterSince: later + 2_000 })
})

const raise = { priority: 'critical' as Priority, isDanger: false, lastRaisedAt: null }
const chatterOf = (more: Partial<AlarmSeries>): AlarmSeries => ({
  occurrences: 9,
  raises: [],
  returnedAt: null,
  announcedAt: now - 60_000,
  chatterSince: now,
  chatterAt: now,
  ...more,
})

test.each([
  { what: 'what chatters was announced a minute ago', series: chatterOf({}), announced: false },
  { what: 'ten minutes ago', series: chatterOf({ announcedAt: now - chatterAnnounceMs }), announced: true },
  { what: 'never', series: chatterOf({ announcedAt: null }), announced: true },
  { what: 'by a clock that was ahead', series: chatterOf({ announcedAt: now + hourMs }), announced: true },
  { what: 'and it does not chatter', series: chatterOf({ chatterAt: null }), announced: true },
])('announced is $announced where $what', ({ series, announced }) => {
  expect(isRaiseAnnounced(series, { ...raise, at: now })).toBe(announced)
})

test('fire, gas and arc call each time, however they chatter', () => {
  expect(isRaiseAnnounced(chatterOf({}), { ...raise, isDanger: true, at: now })).toBe(true)
})

test('a high alarm that is open still calls ten minutes after its last raise, a trip each time', () => {
  const quiet = chatterOf({ chatterAt: null })
  const again = (priority: Priority, agoMs: number) =>
    isRaiseAnnounced(quiet, { priority, isDanger: false, at: now, lastRaisedAt: now - agoMs })
  expect([again('high', 599_999), again('high', 600_000), again('critical', 1)]).toEqual([false, true, true])
})

test('however it chatters, no alarm but a danger is announced more than once in ten minutes of chatter, and every raise counts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 100, max: 30_000 }), { minLength: chatterRaises + 1, maxLength: 120 }),
      fc.constantFrom(...priorities),
      (distances, priority) => {
        let series: AlarmSeries | null = null
        let at = now
        const announced: number[] = []
        for (const distance of distances) {
          at += distance
          const after = seriesAfterRaise(series, at)
          const isAnnounced = isRaiseAnnounced(after, { priority, isDanger: false, at, lastRaisedAt: null })
          if (isAnnounced && isChattering(after, at)) announced.push(at)
          series = { ...after, returnedAt: at, announcedAt: isAnnounced ? at : after.announcedAt }
        }
        for (const [index, each] of announced.entries())
          if (index > 0) expect(each - (announced[index - 1] ?? 0)).toBeGreaterThanOrEqual(chatterAnnounceMs)
        expect(series?.occurrences).toBe(distances.length)
        expect(series?.raises.length).toBe(Math.min(chatterRaises, distances.length))
      },
    ),
    { numRuns: lawRuns(10_000) },
  )
  expect(chatterWithinMs).toBeLessThan(chatterAnnounceMs)
})

test.each([
  { what: 'after five seconds', returnedAt: 5_000, acknowledgedAt: null, fleeting: true },
  { what: 'later', returnedAt: 5_001, acknowledgedAt: null, fleeting: false },
  { what: 'after somebody acknowledged it', returnedAt: 4_000, acknowledgedAt: 3_000, fleeting: false },
  { what: 'and somebody acknowledged it afterwards', returnedAt: 4_000, acknowledgedAt: 9_000, fleeting: true },
  { what: 'not yet', returnedAt: null, acknowledgedAt: null, fleeting: false },
])('an alarm that returned $what was fleeting: $fleeting', ({ fleeting, ...alarm }) => {
  expect(isFleeting({ raisedAt: 0, ...alarm })).toBe(fleeting)
})
