import { priorities } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { EvidenceSample } from './evidence.ts'
import {
  completedWithinMs,
  evidenceAfterMs,
  evidenceBeforeMs,
  evidenceDueAt,
  evidenceMinuteOf,
  evidenceSpanOf,
  evidenceWhen,
  isCompleted,
  packSamples,
  unpackSamples,
} from './evidence.ts'

const moment = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) })

test('a copy has the minute before and after whatever was raised in its minute', () => {
  fc.assert(
    fc.property(moment, (at) => {
      const { from, to } = evidenceSpanOf(evidenceMinuteOf(at))
      expect(from).toBeLessThanOrEqual(at - evidenceBeforeMs)
      expect(to).toBeGreaterThan(at + evidenceAfterMs)
      expect(to - from).toBe(180_000)
    }),
    { numRuns: lawRuns(10_000) },
  )
})

test('it is copied once the minute after has been reported, and is there within 75 s', () => {
  expect([evidenceBeforeMs, evidenceAfterMs]).toEqual([60_000, 60_000])
  expect(evidenceDueAt(0)).toBeGreaterThan(evidenceAfterMs)
  expect(evidenceDueAt(0)).toBeLessThanOrEqual(70_000)
})

test('values that are back-filled within a day complete a copy, later ones do not', () => {
  expect(completedWithinMs).toBe(86_400_000)
})

test('critical and high are copied when they are raised, medium when somebody opens it, low never', () => {
  expect(priorities.map(evidenceWhen)).toEqual(['raised', 'raised', 'opened', 'never'])
})

const samples = fc
  .integer({ min: 0, max: 12 })
  .chain((width) =>
    fc.array(
      fc.tuple(
        moment,
        fc.array(fc.option(fc.float({ noNaN: true, noDefaultInfinity: true })), { minLength: width, maxLength: width }),
        fc.integer({ min: 0, max: 7 }),
      ),
      { maxLength: 40 },
    ),
  )

test('what is unpacked is what was packed: times, gaps, marks, and values to the digits that readings have', () => {
  fc.assert(
    fc.property(samples, (given) => {
      const sorted: EvidenceSample[] = given.toSorted(([a], [b]) => a - b)
      const back = unpackSamples(JSON.parse(JSON.stringify(packSamples(sorted))))
      expect(back.map(([at, values, quality]) => [at, values.map((each) => each === null), quality])).toEqual(
        sorted.map(([at, values, quality]) => [at, values.map((each) => each === null), quality]),
      )
      for (const [index, [, values]] of sorted.entries())
        for (const [column, value] of values.entries())
          if (value !== null) {
            const found = back[index]?.[1][column] ?? Number.NaN
            expect(Math.abs(found - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-6)
          }
    }),
    { numRuns: lawRuns(2_000) },
  )
})

test.each([
  { whole: true, samples: 12, now: 13, completed: true },
  { whole: true, samples: 12, now: 12, completed: false },
  { whole: false, samples: 12, now: 13, completed: false },
])(
  'a copy that was whole ($whole) with $samples samples and has $now is completed: $completed',
  ({ now, completed, ...before }) => {
    expect(isCompleted(before, now)).toBe(completed)
  },
)
