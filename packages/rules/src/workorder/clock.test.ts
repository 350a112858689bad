import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCalendar } from '../automation/calendar.ts'
import { civilZone } from '../automation/civil-time.ts'
import { zonesOfTests } from '../automation/test-civil.ts'
import { lawRuns } from '../test-runs.ts'
import type { Interruption, OrderClock, OrderTime } from './clock.ts'
import { newRound, overdueAt, resumedAt, slaClock, slaTargets, withInterruption, withPriority } from './clock.ts'
import { hour, minute, t0 } from './test-order.ts'

const shanghai: OrderTime = { timeZone: 'Asia/Shanghai', calendar: createCalendar({}) }
const resolve = (clock: OrderClock, now: number, time = shanghai) => slaClock(clock, time, now)?.resolve
const pause = (fromH: number, untilH: number): Interruption => ({
  ...{ from: t0 + fromH * hour, until: t0 + untilH * hour },
  processed: false,
})

describe('the time to resolve', () => {
  test.each<[string, Priority, number, number]>([
    ['a critical one counts round the clock', 'critical', 30, 30],
    ['a medium one counts working hours: from 09:00 on a Monday 9 of them', 'medium', 24, 9 + 1],
    ['nothing of a night', 'medium', 15, 9],
    ['nothing of a weekend', 'low', 7 * 24, 9 + 4 * 10 + 1],
  ])('%s', (_, priority, afterH, countsH) => {
    expect(resolve(newRound(t0, priority), t0 + afterH * hour)?.usedMs).toBe(countsH * hour)
  })

  test('a holiday does not count, a make-up Saturday does', () => {
    const entered = [
      { date: '2026-11-17', class: 'holiday', name: 'x', origin: 'person' },
      { date: '2026-11-21', class: 'workday', name: 'x', origin: 'person' },
    ] as const
    const time = { ...shanghai, calendar: createCalendar({ project: entered }) }
    expect(resolve(newRound(t0, 'low'), t0 + 2 * 24 * hour, time)?.usedMs).toBe(10 * hour)
    expect(resolve(newRound(t0, 'low'), t0 + 6 * 24 * hour, time)?.usedMs).toBe((9 + 3 * 10 + 10) * hour)
  })

  test('a pause stops it for what of it counts, and not for its night', () => {
    const clock = withInterruption(newRound(t0, 'medium'), pause(5, 23))
    expect(resolve(clock, t0 + 24 * hour)?.usedMs).toBe(6 * hour)
    expect(resolve(withInterruption(newRound(t0, 'high'), pause(5, 23)), t0 + 24 * hour)?.usedMs).toBe(6 * hour)
  })

  test('a pause that is ended early stops it no longer', () => {
    const clock = resumedAt(withInterruption(newRound(t0, 'high'), pause(1, 20)), t0 + 2 * hour)
    expect(resolve(clock, t0 + 4 * hour)?.usedMs).toBe(3 * hour)
  })

  test('another priority leaves what has run, and counts its own way from then on', () => {
    const clock = withPriority(newRound(t0, 'medium'), 'critical', t0 + 12 * hour)
    expect(resolve(clock, t0 + 14 * hour)).toEqual({ usedMs: 11 * hour, allowedMs: 4 * hour, mark: 'over' })
  })

  test.each<[number, string]>([
    [19.19, 'onTime'],
    [19.2, 'near'],
    [23.99, 'near'],
    [24, 'over'],
  ])('after %s of 24 h it is %s', (afterH, mark) => {
    expect(resolve(newRound(t0, 'high'), t0 + afterH * hour)?.mark).toBe(mark)
  })
})

test('the time to respond ends when somebody takes it', () => {
  const clock = { ...newRound(t0, 'critical'), takenAt: t0 + 20 * minute }
  expect(slaClock(clock, shanghai, t0 + 9 * hour)?.respond).toEqual({
    usedMs: 20 * minute,
    allowedMs: 30 * minute,
    mark: 'onTime',
  })
  expect(slaClock(newRound(t0, 'critical'), shanghai, t0 + 9 * hour)?.respond.mark).toBe('over')
})

test('what nobody has runs no clock', () => {
  expect(slaClock({ ...newRound(t0, 'high'), respondFrom: null, resolveFrom: null }, shanghai, t0 + hour)).toBeNull()
})

test('a clock that stands is never overdue by itself', () => {
  const processed = withInterruption(newRound(t0, 'high'), { from: t0 + hour, until: null, processed: true })
  expect(overdueAt(processed, shanghai, t0 + 2 * hour)).toBeNull()
  expect(overdueAt(newRound(t0, 'high'), shanghai, t0 + 30 * hour)).toBe(t0 + 30 * hour)
})

/** Some weeks around a change of the clocks, in whole minutes. */
const begin = Date.UTC(2026, 2, 20)
const minutes = (max: number) => fc.integer({ min: 0, max }).map((each) => each * minute)
const anyCase = fc
  .record({
    timeZone: fc.constantFrom(...zonesOfTests),
    start: minutes(20 * 1_440),
    runs: minutes(12 * 1_440),
    first: fc.constantFrom(...priorities),
    change: fc.option(fc.record({ after: minutes(10 * 1_440), priority: fc.constantFrom(...priorities) }), { nil: null }),
    pauses: fc.array(fc.record({ after: minutes(12 * 1_440), lasts: minutes(4 * 1_440) }), { maxLength: 4 }),
    days: fc.array(
      fc.record({ day: fc.integer({ min: 0, max: 40 }), class: fc.constantFrom('workday' as const, 'holiday' as const) }),
      {
        maxLength: 6,
      },
    ),
  })
  .map(({ timeZone, start, runs, first, change, pauses, days }) => {
    const at = begin + start
    const round = newRound(at, first)
    const changed = change ? withPriority(round, change.priority, at + change.after) : round
    const project = days.map((each) => ({
      ...{ date: new Date(begin + each.day * 24 * hour).toISOString().slice(0, 10), class: each.class },
      ...{ name: 'x', origin: 'person' as const },
    }))
    const stops = pauses.map(({ after, lasts }) => ({ from: at + after, until: at + after + lasts, processed: false }))
    const time: OrderTime = { timeZone, calendar: createCalendar({ project }) }
    const clock: OrderClock = { ...changed, interruptions: stops }
    return { at, now: at + runs, time, clock }
  })

/** Minute by minute, as somebody would count with a watch and a calendar on the wall. */
function countedByHand({ at, now, time, clock }: { at: number; now: number; time: OrderTime; clock: OrderClock }): number {
  const zone = civilZone(time.timeZone)
  let sum = 0
  for (let each = at; each < now; each += minute) {
    const priority = clock.priorities.findLast(({ from }) => from <= each)?.priority ?? 'medium'
    const wall = zone.wallAt(each)
    const hourOfDay = Math.floor((wall % (24 * hour)) / hour)
    const isWorking = time.calendar.classOf(zone.dayAt(each)).class === 'workday' && hourOfDay >= 8 && hourOfDay < 18
    const isStopped = clock.interruptions.some(({ from, until }) => from <= each && each < (until ?? Number.POSITIVE_INFINITY))
    if (!isStopped && (slaTargets[priority].counts === 'always' || isWorking)) sum += minute
  }
  return sum
}

test('what has run is what somebody counts minute by minute, over calendars and changes of the clocks', () => {
  fc.assert(
    fc.property(anyCase, (each) => {
      expect(resolve(each.clock, each.now, each.time)?.usedMs).toBe(countedByHand(each))
    }),
    { numRuns: lawRuns(150) },
  )
})

test('it never runs back and never below zero, and whoever pauses more has used no more', () => {
  fc.assert(
    fc.property(anyCase, minutes(1_440), ({ at, now, time, clock }, step) => {
      const used = (until: number, of = clock) => resolve(of, until, time)?.usedMs ?? -1
      expect(used(at)).toBe(0)
      expect(used(now + step)).toBeGreaterThanOrEqual(used(now))
      const more = withInterruption(clock, { from: at + step, until: at + 3 * step, processed: false })
      expect(used(now, more)).toBeGreaterThanOrEqual(0)
      expect(used(now, more)).toBeLessThanOrEqual(used(now))
    }),
    { numRuns: lawRuns(500) },
  )
})

test('a pause in two parts is one pause', () => {
  fc.assert(
    fc.property(anyCase, fc.double({ min: 0, max: 1, noNaN: true }), ({ now, time, clock }, part) => {
      const split = clock.interruptions.flatMap((each) => {
        const middle = each.from + Math.floor(((each.until ?? each.from) - each.from) * part)
        return [
          { ...each, until: middle },
          { ...each, from: middle },
        ]
      })
      expect(slaClock({ ...clock, interruptions: split }, time, now)).toEqual(slaClock(clock, time, now))
    }),
    { numRuns: lawRuns(500) },
  )
})

test('it is overdue at the instant that was foreseen, and not before', () => {
  fc.assert(
    fc.property(anyCase, ({ at, time, clock }) => {
      const due = overdueAt(clock, time, at)
      const changes = clock.priorities.length > 1
      if (due === null || changes) return
      expect(resolve(clock, due, time)?.mark).toBe('over')
      expect(resolve(clock, due - 1, time)?.mark).not.toBe('over')
    }),
    { numRuns: lawRuns(500) },
  )
})
