import { expect, test } from 'vitest'
import { isNightlyDue } from './nightly.ts'

const at = (clock: string) => Date.parse(`2026-11-20T${clock}+08:00`)
const wall = { loadedAt: at('00:00:00'), timeZone: 'Asia/Shanghai', share: 0.5 }

test('a wall is loaded anew at ten past four by the clock of its project, and not in the evening', () => {
  expect(
    [at('04:09:59'), at('04:10:00'), at('05:29:59'), at('05:30:00'), at('16:10:00')].map((now) => isNightlyDue(now, wall)),
  ).toEqual([false, true, true, false, false])
  expect(isNightlyDue(at('04:10:00'), { ...wall, timeZone: 'UTC' })).toBe(false)
})

test('each wall has a moment of its own, twenty minutes around', () => {
  const first = (share: number) =>
    Array.from({ length: 120 }, (_, minute) => at('03:00:00') + minute * 60_000).find((now) =>
      isNightlyDue(now, { ...wall, share }),
    )
  expect([0, 0.5, 0.999].map(first)).toEqual([at('03:50:00'), at('04:10:00'), at('04:29:00')])
})

test('it is not loaded twice in a night', () => {
  expect(isNightlyDue(at('04:30:00'), { ...wall, loadedAt: at('04:10:00') })).toBe(false)
})
