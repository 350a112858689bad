import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { BoundedDue, DueBounds } from './bounds.ts'
import { boundedDue, maxOccurrences } from './bounds.ts'
import { occurrences } from './occurrences.ts'
import { at, dailySchedule, scheduleOf, shanghai } from './test-timer.ts'
import type { Schedule } from './timer.ts'

const dayMs = 86_400_000
const from = at('2026-11-23T00:00')
const within: DueBounds = { ...maxOccurrences, isOver: () => false }

function all(schedules: readonly Schedule[], days: number, bounds: Partial<DueBounds> = {}): BoundedDue {
  const walk = boundedDue(schedules, shanghai, from, from + days * dayMs, { ...within, ...bounds })
  for (;;) {
    const step = walk.next()
    if (step.done) return step.value
  }
}

const hourly = scheduleOf(Array.from({ length: 8 }, (_, index) => [`0${index}:00`, index % 2 ? 'trip' : 'close'] as const))
const schedules = [dailySchedule, hourly, scheduleOf([['12:00', 'test']], { type: 'monthly', days: [-1] })]

test('within the bounds nothing is cut', () => {
  expect(all(schedules, 366)).toEqual({
    due: schedules.map((each) => occurrences(each, shanghai, from, from + 366 * dayMs)),
    cutAt: null,
  })
})

test('up to where it is cut, what each is due for is whole, and no more is worked out than the bounds allow', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 8, max: 900 }),
      fc.integer({ min: 8, max: 900 }),
      (days, one, most) => {
        const { due, cutAt } = all(schedules, days, { ofTimer: one, ofRequest: most })
        const end = cutAt ?? from + days * dayMs
        expect(due).toEqual(schedules.map((each) => occurrences(each, shanghai, from, end)))
        expect(due.flat().length).toBeLessThanOrEqual(most)
        for (const each of due) expect(each.length).toBeLessThanOrEqual(one)
        // Not a day more would have been within them.
        if (cutAt === null) return
        const more = schedules.map(
          (each) => occurrences(each, shanghai, from, Math.min(cutAt + dayMs, from + days * dayMs)).length,
        )
        expect(more.reduce((sum, each) => sum + each, 0) > most || more.some((each) => each > one)).toBe(true)
      },
    ),
    { numRuns: lawRuns(60) },
  )
})

test('when the time is over it says how far it came', () => {
  for (const looks of [0, 1, 3, 4, 8, 20]) {
    let looked = 0
    const { due, cutAt } = all(schedules, 366, { isOver: () => looked++ >= looks })
    expect(cutAt).not.toBeNull()
    expect(due).toEqual(schedules.map((each) => occurrences(each, shanghai, from, cutAt ?? 0)))
  }
})
