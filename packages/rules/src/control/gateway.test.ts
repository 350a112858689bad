import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GatewayFacts, ReceivedCommand } from './gateway.ts'
import { gatewayRefusal } from './gateway.ts'

const now = 1_000_000
const close: ReceivedCommand = { id: 'c1', action: 'close', deadline: now + 4_000, fence: 8, bdSeq: 3 }
const trip: ReceivedCommand = { ...close, action: 'trip', deadline: now + 29_000 }

/** A gateway that would execute: in step with the server, nothing seen, nothing locked. */
const ready: GatewayFacts = {
  now,
  clockSynchronised: true,
  bdSeq: 3,
  seenIds: new Set(),
  lastFence: 7,
  localLock: false,
  knownLine: true,
  actions: ['trip', 'close', 'selfTest', 'set'],
}

test.each([close, trip])('a timely $action is executed', (command) => {
  expect(gatewayRefusal(command, ready)).toBeNull()
})

test.each([8, 0])('the first command of a line is executed, with fence %i', (fence) => {
  expect(gatewayRefusal({ ...close, fence }, { ...ready, lastFence: null })).toBeNull()
})

describe.each(['close', 'selfTest', 'set'])('a %s is refused', (action) => {
  test.each([
    ['past its deadline', 'deadline_passed', { now: close.deadline + 1 }],
    ['by a gateway that does not know the time', 'clock_unsynchronised', { clockSynchronised: false }],
    ['when it was meant for another session', 'other_session', { bdSeq: 4 }],
    ['when it was seen', 'seen_id', { seenIds: new Set(['c1']) }],
    ['when a newer one was executed', 'older_fence', { lastFence: 9 }],
    ['when another of the same fence was executed', 'older_fence', { lastFence: 8 }],
    ['when the line is locked on site', 'local_lock', { localLock: true }],
    ['for a line it does not have', 'unknown_line', { knownLine: false }],
  ] as const)('%s', (_, refusal, difference) => {
    expect(gatewayRefusal({ ...close, action }, { ...ready, ...difference })).toBe(refusal)
  })

  test('not in the last instant of its time', () => {
    expect(gatewayRefusal(close, { ...ready, now: close.deadline })).toBeNull()
  })
})

describe('a trip', () => {
  test.each([
    ['the clock is not synchronised', { clockSynchronised: false }],
    ['the clock is not synchronised and seems past the deadline', { clockSynchronised: false, now: trip.deadline + 1 }],
    ['the session is another', { bdSeq: 4 }],
    ['the line is locked on site', { localLock: true }],
  ] as const)('is executed though %s', (_, difference) => {
    expect(gatewayRefusal(trip, { ...ready, ...difference })).toBeNull()
  })

  test.each([
    ['past its deadline by a clock that can be believed', 'deadline_passed', { now: trip.deadline + 1 }],
    ['when a newer command was executed', 'older_fence', { lastFence: 9 }],
    ['when another command of the same fence was executed', 'older_fence', { lastFence: 8 }],
    ['for a line it does not have', 'unknown_line', { knownLine: false }],
  ] as const)('is refused %s', (_, refusal, difference) => {
    expect(gatewayRefusal(trip, { ...ready, ...difference })).toBe(refusal)
  })

  test('is executed in the last instant of its time', () => {
    expect(gatewayRefusal(trip, { ...ready, now: trip.deadline })).toBeNull()
  })

  test('that was seen is said to be seen, also when it comes again late', () => {
    const seen = { ...ready, seenIds: new Set(['c1']), lastFence: 8 }
    expect(gatewayRefusal(trip, seen)).toBe('seen_id')
    expect(gatewayRefusal(trip, { ...seen, now: trip.deadline + 1 })).toBe('seen_id')
  })
})

test.each(['silence', '', 'CLOSE', 'close '])('%j is no action of a breaker', (action) => {
  expect(gatewayRefusal({ ...close, action }, ready)).toBe('unknown_action')
})

const anyCommand: fc.Arbitrary<ReceivedCommand> = fc.record({
  id: fc.constantFrom('c1', 'c2'),
  action: fc.constantFrom('trip', 'close', 'selfTest', 'set'),
  deadline: fc.integer({ min: now - 40_000, max: now + 40_000 }),
  fence: fc.nat(20),
  bdSeq: fc.nat(3),
})
const anyGateway: fc.Arbitrary<GatewayFacts> = fc.record({
  now: fc.integer({ min: now - 40_000, max: now + 40_000 }),
  clockSynchronised: fc.boolean(),
  bdSeq: fc.nat(3),
  seenIds: fc.constantFrom(new Set<string>(), new Set(['c1'])),
  lastFence: fc.option(fc.nat(20), { nil: null }),
  localLock: fc.boolean(),
  knownLine: fc.boolean(),
  actions: fc.constant(ready.actions),
})

test('nothing but a trip is executed late, twice, out of order, in another session, against a lock or without a clock', () => {
  fc.assert(
    fc.property(anyCommand, anyGateway, (command, gateway) => {
      if (command.action === 'trip' || gatewayRefusal(command, gateway) !== null) return
      expect(gateway.now).toBeLessThanOrEqual(command.deadline)
      expect(gateway.seenIds.has(command.id)).toBe(false)
      expect(command.fence).toBeGreaterThan(gateway.lastFence ?? -1)
      expect(command.bdSeq).toBe(gateway.bdSeq)
      expect(gateway).toMatchObject({ clockSynchronised: true, localLock: false, knownLine: true })
    }),
    { numRuns: 5_000 },
  )
})

test.each(['close', 'selfTest', 'set'])(
  'a %s whose fence cannot be read is refused, also where nothing was executed yet',
  (action) => {
    for (const lastFence of [null, 7])
      expect(gatewayRefusal({ ...close, action, fence: Number.NaN }, { ...ready, lastFence })).toBe('older_fence')
  },
)
