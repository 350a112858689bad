import { expect, test } from 'vitest'
import type { ClaimFacts } from './claim.ts'
import { missedWhy, runSkip, turnOrder, turnsEndAt, turnsMs } from './claim.ts'
import { at } from './test-timer.ts'

const due = at('2026-11-24T08:00')
const facts: ClaimFacts = { claimedAt: due, keptSince: due - 3_600_000, databaseBackAt: null, clockSetAt: null }
const claimed = (lateMs: number, more: Partial<ClaimFacts> = {}): ClaimFacts => ({ ...facts, claimedAt: due + lateMs, ...more })

test.each([
  ['close', 5_000, null],
  ['close', 5_001, 'overloaded'],
  ['run', 5_001, 'overloaded'],
  ['test', 5_001, 'overloaded'],
  ['trip', 5_001, null],
  ['trip', 60_000, null],
  ['trip', 60_001, 'overloaded'],
  ['close', -3_600_000, null],
] as const)('a %s claimed %d ms after it was due is missed as %s', (action, lateMs, why) => {
  expect(missedWhy(action, due, claimed(lateMs))).toBe(why)
})

test.each([
  [{ keptSince: due + 8_000 }, 'serverDown'],
  [{ databaseBackAt: due + 8_000 }, 'databaseAway'],
  [{ databaseBackAt: due - 1 }, 'overloaded'],
  [{ clockSetAt: due + 8_000, keptSince: due + 8_000 }, 'clockSet'],
] as const)('with %o a close is missed as %s', (more, why) => {
  expect(missedWhy('close', due, claimed(9_000, more))).toBe(why)
})

const row = { enabled: true, changed: false, skip: null, skipNext: null, merged: false, dueAt: due } as const
test.each([
  [{}, null],
  [{ enabled: false, skip: 'skipOnce' }, 'disabledMeanwhile'],
  [{ changed: true, skip: 'skipOnce' }, 'changedMeanwhile'],
  [{ skip: 'skipOnce' }, 'skipOnce'],
  [{ skipNext: { since: 0, until: due } }, 'skipOnce'],
  [{ skipNext: { since: 0, until: due - 1 } }, null],
  [{ skip: 'noSun', skipNext: { since: 0, until: due } }, 'noSun'],
  [{ merged: true }, 'merged'],
] as const)('a due row with %o is skipped as %s', (more, why) => {
  expect(runSkip({ ...row, ...more })).toBe(why)
})

test('two hundred closes take three minutes and twenty seconds less one turn, and half a minute more ends the last', () => {
  expect(turnsMs(200, 1_000)).toBe(199_000)
  expect(turnsMs(0, 1_000)).toBe(0)
  expect(turnsEndAt(due, 200, 1_000) - due).toBe(235_000)
})

test('trips go first and at once, the rest one after another in its order', () => {
  const line = (action: 'trip' | 'close' | 'test', order: number) => ({ action, order })
  expect(turnOrder([line('close', 3), line('trip', 4), line('test', 1), line('trip', 2)])).toEqual({
    trips: [line('trip', 2), line('trip', 4)],
    turns: [line('test', 1), line('close', 3)],
  })
})
