import { expect, test } from 'vitest'
import { runEnd } from './run.ts'

test.each([
  [['ordered', 'ordered'], 'done'],
  [['ordered', 'skipped'], 'done'],
  [['ordered', 'refused'], 'partly'],
  [['ordered', 'missed'], 'partly'],
  [['ordered', 'waiting'], 'partly'],
  [['refused', 'missed'], 'refused'],
  [['refused', 'skipped'], 'refused'],
  [['missed', 'skipped'], 'missed'],
  [['waiting'], 'missed'],
  [['skipped', 'skipped'], 'skipped'],
  [[], 'skipped'],
  [['ordered', 'stopped'], 'stopped'],
] as const)('a run whose lines are %j ends as %s', (lines, end) => {
  expect(runEnd(lines)).toBe(end)
})
