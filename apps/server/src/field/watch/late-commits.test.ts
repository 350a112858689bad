import { beforeEach, expect, test } from 'vitest'
import { LateCommits } from './late-commits.ts'

const noon = Date.UTC(2026, 0, 15, 12)
const s = 1_000

let monotonic = 0
let late: LateCommits
beforeEach(() => {
  monotonic = 0
  late = new LateCommits(() => monotonic)
})
/** Commits that each took so long, one after the other, the last just over. Answers what time it is. */
function commits(...seconds: number[]): number {
  for (const each of seconds) {
    late.begin()
    monotonic += each * s
    late.end(noon + monotonic)
  }
  return noon + monotonic
}
/** So long after the first began, by either clock: since when somebody who last reported then counts as silent, in seconds. */
function silentFrom(lastAt: number, atS: number): number {
  monotonic = atS * s
  return (late.silentFrom(noon + lastAt * s, noon + monotonic) - noon) / s
}

test('an ordinary commit excuses nobody', () => {
  commits(0.02, 1, 0.9)
  expect(silentFrom(0, 2)).toBe(0)
})

test('what a commit takes beyond a second is no silence of those who wait for it, while it is under way and after', () => {
  late.begin()
  expect([0.5, 1, 4].map((at) => silentFrom(0, at))).toEqual([0, 0, 3])
  monotonic = 5 * s
  late.end(noon + monotonic)
  // Heard before it, in the middle of it and after it.
  expect([-20, 0, 3, 6].map((lastAt) => silentFrom(lastAt, 9))).toEqual([-16, 4, 5, 6])
})

test('several are counted together, and however slow the database is, a minute beyond the usual nobody is excused', () => {
  commits(3, 0.1, 4)
  expect(silentFrom(-10, 8)).toBe(-5)
  commits(...Array.from({ length: 200 }, () => 5))
  expect(silentFrom(0, 1_100)).toBe(60)
})

test('nobody counts as silent from a time that has not come, whatever the clock does', () => {
  late.begin()
  monotonic = 9 * s
  expect(late.silentFrom(noon, noon + 2 * s)).toBe(noon + 2 * s)
  expect(late.silentFrom(noon, noon - s)).toBe(noon)
})
