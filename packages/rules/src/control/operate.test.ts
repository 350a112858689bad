import { describe, expect, test } from 'vitest'
import type { BlockReason } from './block-reason.ts'
import type { ActorFacts, LineFacts } from './line-facts.ts'
import { reaches } from './line-facts.ts'
import { operateConditions } from './permit.ts'
import { healthy, now } from './test-line.ts'

const operator: ActorFacts = { mayOperate: true, shared: false }

/** A closed line on which everything may be done. */
const line: LineFacts = { ...healthy, position: 'closed' }
/** A detector: it has no position and no lock. */
const detector: LineFacts = {
  ...line,
  switches: false,
  position: null,
  tripCause: null,
  localLock: 'absent',
  selfTest: 'notDone',
}

const reasons = (action: 'silence' | 'selfTest' | 'set', facts: LineFacts, actor = operator): BlockReason[] =>
  operateConditions(action, facts, actor, now)
    .filter(({ met }) => !met)
    .map(({ key }) => key)

describe.each(['silence', 'selfTest', 'set'] as const)('%s', (action) => {
  test('of a sound detector is permitted', () => {
    expect(reasons(action, detector)).toEqual([])
  })

  test.each([
    ['online', { link: 'stale' }],
    // Of a gateway that is away it is not asked whether the device is on it.
    ['online', { link: 'offline', reach: 'not_connected' }],
    ...reaches.filter((reach) => reach !== 'yes').map((reach) => ['reachable', { reach }] as const),
    ['clock', { clockGood: false }],
    ['inspection', { inspectionUntil: now + 1 }],
    ['pending', { pending: { action: 'trip' } }],
  ] as const)('is blocked by %s', (key, difference) => {
    expect(reasons(action, { ...detector, ...difference })).toEqual([key])
    expect(reasons(action, { ...line, ...difference })).toEqual([key])
  })

  test('is not for those who may not operate', () => {
    expect(reasons(action, detector, { mayOperate: false, shared: false })).toEqual(['permission'])
    expect(reasons(action, detector, { mayOperate: true, shared: true })).toEqual(['notShared'])
  })
})

describe.each(['selfTest', 'set'] as const)('%s of a line', (action) => {
  test('is permitted on a sound one', () => {
    expect(reasons(action, line)).toEqual([])
  })

  test.each([
    ['localLock', { localLock: 'on' }],
    ['localLock', { localLock: null }],
    ['tags', { tags: [{ on: 'gateway', holder: 'A', reason: 'B' }] }],
  ] as const)('is blocked by %s', (key, difference) => {
    expect(reasons(action, { ...line, ...difference })).toEqual([key])
  })
})

test.each([
  ['fresh', { liveReceivedAt: now - 60_000 }],
  ['closed', { position: 'open' }],
  ['closed', { position: null }],
  ['gap', { lastOperationAt: now - 9_000 }],
] as const)('a self-test opens the line, so it is blocked by %s; a setting is not', (key, difference) => {
  expect(reasons('selfTest', { ...line, ...difference })).toEqual([key])
  expect(reasons('set', { ...line, ...difference })).toEqual([])
})

test('of what can never be operated from here that is said first, also while it is away', () => {
  const pushed = { ...detector, link: 'offline', reach: 'push_only' } as const
  expect(reasons('silence', pushed)).toEqual(['reachable', 'online'])
})
