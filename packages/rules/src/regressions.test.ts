// Each of these went wrong once.
import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { gate } from './account/index.ts'
import { compileLimits, evaluateLimit, newEvaluationState } from './alarm/index.ts'
import { foldCommand, gatewayRefusal } from './control/index.ts'
import { liveTime, movesLive } from './monitor/index.ts'

const minute = 60_000
const unknown = {
  action: 'close',
  state: 'unknown',
  outcome: null,
  issuedAt: 0,
  deadline: 5_000,
  sentAt: 0,
  acknowledgedAt: null,
  verifiedAt: null,
  endedAt: null,
  tripMs: null,
  positionAfter: null,
} as const

test('a report measured before the deadline, though it arrives after it, does not say that nothing happened', () => {
  const late = foldCommand(unknown, { kind: 'position', value: 'open', deviceAt: 1_000, at: 11_000 })
  expect(foldCommand(late, { kind: 'position', value: 'closed', deviceAt: 2_000, at: 11_100 }).state).toBe('verified')
})
test('the lock lasts fifteen minutes from the last failure, also when the first of the five ages out', () => {
  const failures = [0, 3, 6, 9, 12].map((at) => at * minute)
  expect(gate(failures, 12 * minute)).toEqual({ open: false, until: 27 * minute })
  expect(gate(failures, 15 * minute)).toEqual({ open: false, until: 27 * minute })
})
test('a close without a deadline or a fence is not executed', () => {
  const facts = {
    now: 1,
    clockSynchronised: true,
    bdSeq: 1,
    seenIds: new Set<string>(),
    lastFence: 9,
    localLock: false,
    knownLine: true,
    actions: ['trip', 'close'],
  }
  expect(gatewayRefusal({ id: 'c', action: 'close', deadline: Number.NaN, fence: 10, bdSeq: 1 }, facts)).not.toBeNull()
  expect(gatewayRefusal({ id: 'c', action: 'close', deadline: 5, fence: Number.NaN, bdSeq: 1 }, facts)).not.toBeNull()
})
test('a reading from the far future counts as of the moment it came', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(movesLive(liveTime(Date.UTC(2099, 0, 1), now), now + 1_000, false)).toBe(true)
})
test('a 48 V line that sags below its limit raises undervoltage', () => {
  const family = familyOf('breaker1p')
  if (!family) throw new Error('no family')
  for (const model of ['1PN_Z', 'a1NWrOwdXKN']) {
    const limit = compileLimits({ family, model, ratedCurrentA: 40, reported: new Map() }).find(
      ({ alarm }) => alarm.key === 'voltage.under',
    )
    if (!limit) throw new Error('no limit')
    const evaluationState = newEvaluationState()
    evaluateLimit(limit, evaluationState, 30, 0)
    expect(evaluateLimit(limit, evaluationState, 30, 5_000)).toBe('raised')
  }
})
test('a trip is proven by a gateway whose clock runs ten seconds behind, which is within tolerance', () => {
  const sent = {
    ...unknown,
    action: 'trip' as const,
    state: 'sent' as const,
    issuedAt: 100_000,
    deadline: 130_000,
    sentAt: 100_000,
  }
  expect(foldCommand(sent, { kind: 'position', value: 'open', deviceAt: 90_500, at: 100_500 }).state).toBe('verified')
})
