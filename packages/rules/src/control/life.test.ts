import { expect, test } from 'vitest'
import type { Life } from './life.ts'
import { isSameLife } from './life.ts'

const sent: Life = {
  state: 'sent',
  outcome: null,
  issuedAt: 1,
  deadline: 5,
  sentAt: 2,
  acknowledgedAt: null,
  verifiedAt: null,
  endedAt: null,
}

test.each<readonly [string, Partial<Life>, boolean]>([
  ['the same', {}, true],
  ['another time of sending', { sentAt: 3 }, true],
  ['another state', { state: 'acknowledged' }, false],
  ['another outcome', { outcome: 'offline' }, false],
  ['never sent', { sentAt: null }, false],
  ['acknowledged meanwhile', { acknowledgedAt: 3 }, false],
])('a life has come equally far, or not: %s', (_, other, expected) => {
  expect(isSameLife(sent, { ...sent, ...other })).toBe(expected)
})
