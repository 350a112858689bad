import { expect, test } from 'vitest'
import { isAmiss, lineOutcome } from './run-line.ts'

test.each([
  ['it was ordered and its position is reported so', { state: 'ordered', why: null, command: 'verified' }, 'verified'],
  ['the gateway acknowledged, and no position came yet', { state: 'ordered', why: null, command: 'acknowledged' }, 'underWay'],
  ['it was ordered, and another position is reported', { state: 'ordered', why: null, command: 'failed' }, 'failed'],
  ['the gateway refused the order', { state: 'ordered', why: null, command: 'refused' }, 'failed'],
  ['the order was never sent', { state: 'ordered', why: null, command: 'expired' }, 'failed'],
  ['no report came by the deadline', { state: 'ordered', why: null, command: 'unknown' }, 'unknown'],
  ['its order cannot be found', { state: 'ordered', why: null, command: null }, 'unknown'],
  ['its turn has not come', { state: 'waiting', why: null, command: null }, 'waiting'],
  ['its order is on the way and its turn not stored yet', { state: 'waiting', why: null, command: 'sent' }, 'underWay'],
  ['it was closed before, by a timer', { state: 'skipped', why: 'alreadySo', command: null }, 'already'],
  ['it was closed before, by a scene', { state: 'skipped', why: 'scene already so', command: null }, 'already'],
  ['another timer still wants it', { state: 'skipped', why: 'stillWanted', command: null }, 'skipped'],
  ['a permit stands against it', { state: 'refused', why: 'line tagged', command: null }, 'refused'],
  ['its time passed', { state: 'missed', why: 'timed action missed', command: null }, 'missed'],
  ['somebody stopped the run', { state: 'stopped', why: null, command: null }, 'stopped'],
] as const)('what became of a line: %s', (_fact, line, outcome) => {
  expect(lineOutcome(line)).toBe(outcome)
})

test('a line that stands as meant, or was left out on purpose, needs nobody', () => {
  expect((['verified', 'already', 'skipped', 'underWay', 'waiting'] as const).filter(isAmiss)).toEqual([])
})
