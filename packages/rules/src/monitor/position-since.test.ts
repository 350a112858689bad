import { minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { movedUnobserved, positionSince } from './position-since.ts'

const received = 1_800_000_000_000

test.each([
  ['as the device says', received - minuteMs, false, received - minuteMs],
  ['no later than it was received', received + minuteMs, false, received],
  ['as it was received, where the clock is wrong', received - 60 * minuteMs, false, received],
  ['not known, of the first since a birth', received - minuteMs, true, null],
] as const)('a position stands since: %s', (_, at, first, since) => {
  expect(positionSince({ at, receivedAt: received }, first)).toBe(since)
})

const since = received - minuteMs
/** An hour-old connection brings late that the line was open; it stands closed for a minute. */
const late = { value: 'open', at: received - minuteMs + 1, receivedAt: received }

test.each([
  ['another position after its last change', {}, { value: 'closed', since }, true],
  ['another position at that very moment', { at: since }, { value: 'closed', since }, true],
  ['another position before it', { at: since - 1 }, { value: 'closed', since }, false],
  ['the same position', { value: 'closed' }, { value: 'closed', since }, false],
  ['another position, of one whose change was not observed anyway', {}, { value: 'closed', since: null }, false],
  ['a position of one that was never told', {}, { value: undefined, since }, true],
])('a line has moved unobserved when told late: %s', (_, difference, present, moved) => {
  expect(movedUnobserved({ ...late, ...difference }, present)).toBe(moved)
})
