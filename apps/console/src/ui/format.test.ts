import { expect, test } from 'vitest'
import { dayTime, dayTimeIn } from './format.ts'

test('a day and time are read as they are written, also with a full-width colon', () => {
  const at = new Date(2026, 10, 22, 18, 30).getTime()
  expect(dayTimeIn(dayTime(at))).toBe(at)
  expect(dayTimeIn(' 2026-11-22T18：30 ')).toBe(at)
})

test.each(['', '18:30', '11/22/2026 18:30', '2026-02-30 08:00', '2026-11-22 25:00', '2026-11-22 18:60'])(
  '%j is no day and time',
  (text) => {
    expect(dayTimeIn(text)).toBeNaN()
  },
)
