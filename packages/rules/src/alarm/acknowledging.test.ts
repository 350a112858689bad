import { expect, test } from 'vitest'
import { acknowledgeable, isAnotherCount } from './acknowledging.ts'
import { alarmStates } from './lifecycle.ts'

test('an acknowledgement waits for what is unacknowledged, and a journal entry never takes one', () => {
  expect([...alarmStates, null].map((state) => [state, acknowledgeable(state)])).toEqual([
    ['active', 'waits'],
    ['acknowledged', 'already'],
    ['returned', 'waits'],
    ['normal', 'already'],
    [null, 'never'],
  ])
})

test.each([
  [100, 100, false],
  [100, 110, false],
  [100, 111, true],
  [100, 90, false],
  [100, 89, true],
  [3, 3, false],
  [3, 4, true],
  [3, 0, true],
])('of %i that a person was shown, %i by now are another count: %s', (expected, now, another) =>
  expect(isAnotherCount(expected, now)).toBe(another),
)
