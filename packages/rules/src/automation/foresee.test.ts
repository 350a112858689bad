import { expect, test } from 'vitest'
import type { LineAhead } from './foresee.ts'
import { foresee } from './foresee.ts'
import type { TimerAction } from './timer.ts'

const at = 1_000_000
const sound: LineAhead = {
  ...{ isInProject: true, ownerMay: true, override: null, wantedBy: null, isAway: false, lockedOut: false, tags: [] },
}
const stay = { kind: 'stay', since: 0 } as const

test.each<[string, TimerAction, Partial<LineAhead>, boolean, string | null]>([
  ['a sound line', 'close', {}, true, null],
  ['a trip while another timer wants it on', 'trip', { wantedBy: '夜班' }, true, 'skipped stillWanted 夜班'],
  ['a close while another timer wants it on', 'close', { wantedBy: '夜班' }, true, null],
  ['a line of another project', 'trip', { isInProject: false }, true, 'refused gone null'],
  ['a close after a person tripped it', 'close', { override: stay }, true, 'skipped personTripped null'],
  ['a trip after a person tripped it', 'trip', { override: stay }, true, null],
  ['a hold that lasts', 'trip', { override: { kind: 'until', since: 0, until: at + 1 } }, true, 'skipped override null'],
  ['a hold that is over by then', 'trip', { override: { kind: 'until', since: 0, until: at } }, true, null],
  ['an owner without rights', 'trip', { ownerMay: false }, false, 'refused orphan null'],
  ['no connection, next run', 'close', { isAway: true }, true, 'refused away null'],
  ['no connection, a later run', 'close', { isAway: true }, false, null],
  ['no connection, a trip', 'trip', { isAway: true }, true, null],
  ['a trip that nobody explained', 'close', { lockedOut: true }, false, 'refused tripCause null'],
  ['a test after such a trip', 'test', { lockedOut: true }, false, null],
  ['a tag without end', 'close', { tags: [{ by: '王', expectedEnd: null }] }, false, 'refused tagged 王'],
  ['a tag that is off by then', 'close', { tags: [{ by: '王', expectedEnd: at }] }, false, null],
  ['a trip of a tagged line', 'trip', { tags: [{ by: '王', expectedEnd: null }] }, false, null],
])('%s', (_, action, line, isNext, expected) => {
  const found = foresee(action, at, { ...sound, ...line }, isNext)
  expect(found && `${found.outcome} ${found.why} ${found.by}`).toBe(expected)
})
