import { expect, test } from 'vitest'
import { isUse, provedLately, sessionAlive } from './session.ts'

const minute = 60_000
const hour = 60 * minute
const limits = { idleMs: 30 * minute, absoluteMs: 12 * hour }

test('a session in use is alive', () => {
  expect(sessionAlive({ createdAt: hour, lastUsedAt: 2 * hour }, limits, 2 * hour + minute)).toBe(true)
})

test('unused it ends with the idle limit, to the millisecond', () => {
  expect(sessionAlive({ createdAt: hour, lastUsedAt: 2 * hour }, limits, 2 * hour + 30 * minute - 1)).toBe(true)
  expect(sessionAlive({ createdAt: hour, lastUsedAt: 2 * hour }, limits, 2 * hour + 30 * minute)).toBe(false)
})

test('however much it is used it ends with the absolute limit', () => {
  expect(sessionAlive({ createdAt: hour, lastUsedAt: 13 * hour - 1 }, limits, 13 * hour - 1)).toBe(true)
  expect(sessionAlive({ createdAt: hour, lastUsedAt: 13 * hour - 1 }, limits, 13 * hour)).toBe(false)
})

test('a password counts for five minutes, to the millisecond; one that was not given never', () => {
  expect(provedLately(hour, hour + 5 * minute - 1)).toBe(true)
  expect(provedLately(hour, hour + 5 * minute)).toBe(false)
  expect(provedLately(null, hour)).toBe(false)
})

test.each([
  ['a call of a console that somebody is at', {}, true, true],
  ['its poll, too', { keepsAlive: false }, true, true],
  ['a call of a console that everybody has left', {}, false, false],
  ['its poll', { keepsAlive: false }, false, false],
  ['a call of whoever does not say', {}, null, true],
  ['a poll of theirs', { keepsAlive: false }, null, false],
] as const)('%s: a use of the session or not', (_, call, attended, is) => expect(isUse(call, attended)).toBe(is))
