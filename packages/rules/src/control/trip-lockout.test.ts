import { expect, test } from 'vitest'
import { lockoutCause } from './trip-lockout.ts'

const cause = (before: string | undefined, value: string) => ({ state: 'trip.cause', before, value })
const position = (before: string | undefined, value: string) => ({ state: 'position', before, value })

test.each([
  ['leakage is reported', cause('none', 'leakage'), 'leakage', 'leakage'],
  ['a short circuit is reported', cause('none', 'short'), 'short', 'short'],
  ['an arc is reported', cause('leakage', 'arc'), 'arc', 'arc'],
  ['the first report tells of leakage', cause(undefined, 'leakage'), 'leakage', 'leakage'],
  ['the same cause is told once more', cause('leakage', 'leakage'), 'leakage', null],
  ['overload is reported', cause('none', 'overload'), 'overload', null],
  ['a remote trip is reported after it', cause('leakage', 'remote'), 'remote', null],
  ['the line opens with that cause standing', position('closed', 'open'), 'leakage', 'leakage'],
  ['it is told open by a birth', position(undefined, 'open'), 'leakage', null],
  ['it is still open', position('open', 'open'), 'leakage', null],
  ['it closes', position('open', 'closed'), 'leakage', null],
  ['it opens, and no cause was ever told', position('closed', 'open'), undefined, null],
  ['it opens after an overload', position('closed', 'open'), 'overload', null],
  ['something else changes', { state: 'lock.local', before: 'off', value: 'on' }, 'leakage', null],
] as const)('a line is locked out when %s', (_, report, cause, locked) => {
  expect(lockoutCause(report, cause)).toBe(locked)
})
