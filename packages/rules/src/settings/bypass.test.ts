import { expect, test } from 'vitest'
import { afterRefusedRestore, inRestoreWindow, restoreWindowMs } from './bypass.ts'

const due = 1_800_000_000_000

test.each([
  ['just due', due, 0, true],
  ['at the end of its window', due + restoreWindowMs - 1, 0, true],
  ['after its window', due + restoreWindowMs, 0, false],
  ['due while the server was away', due + 10 * restoreWindowMs, due + 10 * restoreWindowMs, true],
  ['due before the server came back, and its window is over', due + restoreWindowMs + 1, due + 1, false],
])('a protection is tried again: %s', (_, now, startedAt, again) => expect(inRestoreWindow(due, startedAt, now)).toBe(again))

test.each([
  ['away', true, 'wait'],
  ['busy', true, 'wait'],
  ['refused', true, 'giveUp'],
  ['away', false, 'giveUp'],
  ['busy', false, 'giveUp'],
  ['refused', false, 'giveUp'],
] as const)('a restoring order that finds it %s (within its window: %s): %s', (why, inWindow, next) => {
  expect(afterRefusedRestore(why, inWindow)).toBe(next)
})
