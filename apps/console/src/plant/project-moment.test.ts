import { expect, test } from 'vitest'
import { projectMoment, projectMomentIn } from './project-moment.ts'

test.each([
  ['a time in Shanghai', '2026-11-24 18:00', 'Asia/Shanghai', Date.UTC(2026, 10, 24, 10)],
  ['the first of two in the night of a clock set back', '2026-10-25 02:30', 'Europe/Berlin', Date.UTC(2026, 9, 25, 0, 30)],
  ['a time that the clock skips', '2026-03-29 02:30', 'Europe/Berlin', null],
  ['no time at all', '2026-06-31 10:00', 'Asia/Shanghai', null],
])('%s is read on the clock of the project', (_, text, zone, at) => {
  expect(projectMomentIn(text, zone)).toBe(at)
  if (at !== null) expect(projectMoment(at, zone)).toBe(text)
})
