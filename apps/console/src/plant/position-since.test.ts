import type { LineState } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { beforeAll, expect, test } from 'vitest'
import { startTestTexts } from '../dev/test-texts.ts'
import { conditionOf } from './line-condition.ts'
import { positionSince } from './position-since.ts'

beforeAll(startTestTexts)

const breaker = familyOf('breaker3p')
const PositionSince = Date.parse('2026-11-20T08:00:00')
const closed: LineState = {
  LineID: 1,
  At: 1,
  ReceivedAt: 1,
  Quality: 'good',
  Values: [],
  States: { position: 'closed', 'trip.cause': 'none' },
  PositionAt: 1,
  PositionSince,
  Active: [],
  Tags: 0,
  Pending: null,
}
const textOf = (state: LineState, link: 'online' | 'offline', named = true) =>
  positionSince(state, conditionOf(state, link, breaker), { named })

test('a line says since when it is closed or open, also one that tripped', () => {
  const tripped = { ...closed, States: { position: 'open', 'trip.cause': 'short' } }
  expect(textOf(closed, 'online')).toBe('合闸自 11-20 08:00:00')
  expect(textOf(tripped, 'online')).toBe('分闸自 11-20 08:00:00')
  expect(textOf(closed, 'online', false)).toBe('自 11-20 08:00:00 起')
})

test('a line that is offline, or about to move, is not so since its position changed', () => {
  const pending = { CommandID: '1', Action: 'trip', Status: 'sent', At: 1, DeadlineAt: 2 } as unknown as LineState['Pending']
  expect(textOf(closed, 'offline')).toBeNull()
  expect(textOf(closed, 'offline', false)).toBeNull()
  expect(textOf({ ...closed, Pending: pending }, 'online', false)).toBeNull()
})

test('a change that nobody observed has no time', () => expect(textOf({ ...closed, PositionSince: null }, 'online')).toBeNull())
