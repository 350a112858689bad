import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { civilZone, dateText, parseDate } from '../automation/civil-time.ts'
import { lawRuns } from '../test-runs.ts'
import type { Cycle, PlanDates } from './cycle.ts'
import { cyclesAfter, dueAfter, nextDue, shortestCycleDays, windowOf } from './cycle.ts'

const day = (text: string): number => parseDate(text) ?? Number.NaN
const texts = (first: string, cycle: Cycle, count: number) =>
  Array.from({ length: count }, (_, times) => dateText(cyclesAfter(day(first), cycle, times)))

const cycles = fc.oneof(
  fc.record({ unit: fc.constantFrom('day' as const), every: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ unit: fc.constantFrom('week' as const), every: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ unit: fc.constantFrom('month' as const), every: fc.integer({ min: 1, max: 24 }) }),
  fc.record({ unit: fc.constantFrom('year' as const), every: fc.integer({ min: 1, max: 4 }) }),
)
const days = fc.integer({ min: day('2020-01-01'), max: day('2030-12-31') })

describe('dates of a cycle', () => {
  test('the last day stands for days that a month has not, and none drifts by it', () => {
    expect(texts('2026-01-31', { every: 1, unit: 'month' }, 5)).toEqual([
      ...['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
    ])
    expect(texts('2024-02-29', { every: 1, unit: 'year' }, 5)).toEqual([
      ...['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ])
    expect(texts('2026-12-30', { every: 2, unit: 'week' }, 3)).toEqual(['2026-12-30', '2027-01-13', '2027-01-27'])
    expect(texts('2026-02-27', { every: 3, unit: 'day' }, 3)).toEqual(['2026-02-27', '2026-03-02', '2026-03-05'])
  })

  test('the next of a series is the first that lies after a day, and no cycle is shorter than it says', () => {
    fc.assert(
      fc.property(days, cycles, days, (first, cycle, after) => {
        const next = dueAfter(first, cycle, after)
        expect(next).toBeGreaterThan(after)
        let times = 0
        while (cyclesAfter(first, cycle, times) <= after) times++
        expect(next).toBe(cyclesAfter(first, cycle, times))
        expect(cyclesAfter(first, cycle, 1) - first).toBeGreaterThanOrEqual(shortestCycleDays(cycle))
      }),
      { numRuns: lawRuns(10_000) },
    )
  })
})

describe('the next due date', () => {
  const monthly: PlanDates = { firstDue: day('2026-01-31'), cycle: { every: 1, unit: 'month' }, countsFrom: 'plan' }
  const from = (plan: Partial<PlanDates>, so: Partial<Parameters<typeof nextDue>[1]>) => {
    const next = nextDue({ ...monthly, ...plan }, { madeUpTo: null, newestDue: null, completedOn: null, ...so })
    return next === null ? null : dateText(next)
  }
  const done = (date: string) => ({ day: day(date), stage: 'done' as const })

  test('by the plan it is the next of its series, however early or late a round was done', () => {
    expect(from({}, {})).toBe('2026-01-31')
    expect(from({}, { newestDue: done('2026-01-31'), completedOn: day('2026-01-25') })).toBe('2026-02-28')
    expect(from({}, { newestDue: done('2026-01-31'), completedOn: day('2026-02-07') })).toBe('2026-02-28')
    expect(from({}, { newestDue: { day: day('2026-01-31'), stage: 'open' } })).toBe('2026-02-28')
  })

  test('by completion it is a cycle after the last one was finished, early or late', () => {
    const counts = { countsFrom: 'completion' } as const
    expect(from(counts, {})).toBe('2026-01-31')
    expect(from(counts, { newestDue: done('2026-01-31'), completedOn: day('2026-01-25') })).toBe('2026-02-25')
    expect(from(counts, { newestDue: done('2026-01-31'), completedOn: day('2026-02-07') })).toBe('2026-03-07')
  })

  test('by completion none is due while one is open, and one that was missed counts from its date', () => {
    const counts = { countsFrom: 'completion' } as const
    expect(from(counts, { newestDue: { day: day('2026-01-31'), stage: 'open' } })).toBeNull()
    expect(from(counts, { newestDue: { day: day('2026-01-31'), stage: 'missed' } })).toBe('2026-02-28')
    const between = { newestDue: { day: day('2026-01-31'), stage: 'missed' as const }, completedOn: day('2026-02-10') }
    expect(from(counts, between)).toBe('2026-03-10')
  })

  test('what came before the plan is not made up', () => {
    expect(from({}, { madeUpTo: day('2026-06-15') })).toBe('2026-06-30')
    expect(from({ countsFrom: 'completion' }, { madeUpTo: day('2026-06-15') })).toBe('2026-06-30')
  })

  test('whatever happens to rounds, each due date comes once and they go forward', () => {
    const steps = fc.array(
      fc.record({ stage: fc.constantFrom('done' as const, 'missed' as const), offset: fc.integer({ min: -5, max: 5 }) }),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(
        days,
        cycles,
        fc.constantFrom('plan' as const, 'completion' as const),
        steps,
        (firstDue, cycle, countsFrom, all) => {
          const plan = { firstDue, cycle, countsFrom }
          const room = shortestCycleDays(cycle) - 1
          let so: Parameters<typeof nextDue>[1] = { madeUpTo: null, newestDue: null, completedOn: null }
          for (const { stage, offset } of all) {
            const next = nextDue(plan, so)
            if (next === null) throw new Error('nothing is open')
            expect(next).toBeGreaterThan(so.newestDue?.day ?? Number.NEGATIVE_INFINITY)
            // Asked again by another server, or after a restart, it is the same.
            expect(nextDue(plan, so)).toBe(next)
            expect(nextDue(plan, { ...so, newestDue: { day: next, stage: 'open' } })).toBe(
              countsFrom === 'completion' ? null : dueAfter(firstDue, cycle, next),
            )
            const early = Math.max(-room, Math.min(room, offset))
            so = {
              madeUpTo: next,
              newestDue: { day: next, stage },
              completedOn: stage === 'done' ? next + early : so.completedOn,
            }
            if (countsFrom === 'completion')
              expect(nextDue(plan, so)).toBe(cyclesAfter(stage === 'done' ? next + early : next, cycle, 1))
          }
        },
      ),
      { numRuns: lawRuns(10_000) },
    )
  })
})

describe('the window of a due date', () => {
  const zone = civilZone('Asia/Shanghai')

  test('opens at the beginning of its first day and lapses when its last day is over', () => {
    const { opensAt, lapsesAt } = windowOf(day('2026-11-30'), { before: 3, after: 2 }, zone, false)
    expect([opensAt, lapsesAt].map((at) => new Date(at).toISOString())).toEqual([
      '2026-11-26T16:00:00.000Z',
      '2026-12-02T16:00:00.000Z',
    ])
  })

  test('of an online round it opens in the morning of the due date', () => {
    const { opensAt } = windowOf(day('2026-11-30'), { before: 3, after: 0 }, zone, true)
    expect(new Date(opensAt).toISOString()).toBe('2026-11-29T21:00:00.000Z')
  })

  test('lies in the days of the project, also where the clock is moved', () => {
    const berlin = civilZone('Europe/Berlin')
    const { opensAt, lapsesAt } = windowOf(day('2026-03-29'), { before: 0, after: 0 }, berlin, false)
    expect(lapsesAt - opensAt).toBe(23 * 3_600_000)
  })

  test('two windows of a plan never overlap', () => {
    fc.assert(
      fc.property(days, cycles, fc.nat(400), fc.nat(400), (first, cycle, before, after) => {
        const room = shortestCycleDays(cycle) - 1
        const window = { before: Math.min(before, room), after: Math.min(after, room - Math.min(before, room)) }
        const [own, next] = [windowOf(first, window, zone, false), windowOf(cyclesAfter(first, cycle, 1), window, zone, false)]
        expect(own.lapsesAt).toBeLessThanOrEqual(next.opensAt)
      }),
      { numRuns: lawRuns(10_000) },
    )
  })
})
