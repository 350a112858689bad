import { expect, test } from 'vitest'
import { drawnSwitch, sceneMatch } from './scene-match.ts'

const now = 1_000_000
const closed = { link: 'online', reach: 'yes', position: 'closed', liveReceivedAt: now - 1_000 } as const

test.each([
  ['closed as it is to be', 'close', closed, 'inForce'],
  ['closed, and to be open', 'trip', closed, 'mismatch'],
  ['open as it is to be', 'trip', { ...closed, position: 'open' }, 'inForce'],
  ['open, and to be closed', 'close', { ...closed, position: 'open' }, 'mismatch'],
  ['of no known position', 'close', { ...closed, position: null }, 'unknown'],
  ['offline', 'close', { ...closed, link: 'offline' }, 'unknown'],
  ['not on its gateway', 'trip', { ...closed, reach: 'device_gone' }, 'unknown'],
  ['reported too long ago', 'close', { ...closed, liveReceivedAt: now - 10_001 }, 'unknown'],
  ['never reported', 'trip', { ...closed, liveReceivedAt: null }, 'unknown'],
] as const)('a line that is %s', (_, action, line, match) => expect(sceneMatch(action, line, now)).toBe(match))

const drawn = { ...closed, tripCause: null } as const

test.each([
  ['closed', drawn],
  ['open', { ...drawn, position: 'open', tripCause: 'remote' }],
  ['tripped', { ...drawn, position: 'open', tripCause: 'leakage' }],
  ['closed', { ...drawn, tripCause: 'leakage' }],
  ['unknown', { ...drawn, position: null }],
  ['unknown', { ...drawn, liveReceivedAt: now - 10_001 }],
  ['unknown', { ...drawn, link: 'stale' }],
  ['offline', { ...drawn, link: 'offline' }],
  ['offline', { ...drawn, link: 'never' }],
  ['offline', { ...drawn, reach: 'device_gone' }],
] as const)('a switch is drawn %s where its equipment says so, or says nothing of now: %o', (drawnAs, line) =>
  expect(drawnSwitch(line, now)).toBe(drawnAs),
)
