import { describe, expect, test } from 'vitest'
import { hazardAfter } from './hazard.ts'
import { day, hour, t0 } from './test-order.ts'
import type { Origin } from './verification.ts'
import { isProved, lastingProof, onlineShare, quietNeedsOf, showsUnderLoad, verify } from './verification.ts'

type Alarm = Extract<Origin, { kind: 'alarm' }>
type Trip = Extract<Origin, { kind: 'trip' }>
const alarm = (more: Partial<Alarm> = {}): Alarm => ({
  ...{ kind: 'alarm', active: false, lastRaisedAt: t0 - day, returnedAt: t0 - hour, dataShare: 1 },
  needs: quietNeedsOf({ key: 'current.alarm', kind: 'alarm' }),
  ...more,
})
const trip = (more: Partial<Trip> = {}): Trip => ({
  ...{ kind: 'trip', causeRecorded: true, closedSince: t0, lastTripAt: t0 - day, dataShare: 1 },
  ...more,
})

describe('an alarm that was seen to', () => {
  test.each<[string, Partial<Alarm>, number, object]>([
    ['is verified after 24 h of silence', {}, 24 * hour, { state: 'verified' }],
    ['is not a moment before', {}, 24 * hour - 1, { state: 'running', missing: null }],
    [
      'is counted from its return where that came later',
      { returnedAt: t0 + 6 * hour },
      24 * hour,
      { state: 'running', haveMs: 18 * hour },
    ],
    ['still there proves nothing', { active: true }, 48 * hour, { state: 'running', haveMs: 0, missing: 'return' }],
    ['raised again is contradicted', { lastRaisedAt: t0 + hour }, 48 * hour, { state: 'contradicted' }],
    ['raised when it was processed is not', { lastRaisedAt: t0 }, 24 * hour, { state: 'verified' }],
    ['with 80 % of the data is verified', { dataShare: 0.8 }, 24 * hour, { state: 'verified' }],
    ['with less is not, however long', { dataShare: 0.79 }, 24 * hour, { state: 'noData', missing: 'data' }],
    ['of which nothing is known is not', { dataShare: null }, 240 * hour, { state: 'noData' }],
    ['of a load that was three days as before is verified', { loadedDays: 3 }, 24 * hour, { state: 'verified' }],
    ['of a load that was not waits for it, however long', { loadedDays: 2 }, 240 * hour, { state: 'running', missing: 'load' }],
    ['and says early that data is missing', { dataShare: 0 }, hour, { state: 'running', missing: 'data' }],
  ])('%s', (_, more, after, is) => {
    expect(verify(alarm(more), t0, t0 + after)).toMatchObject(is)
  })
})

describe('a protective trip that was seen to', () => {
  test.each<[string, Partial<Trip>, number, object]>([
    ['is verified after seven days without another', {}, 7 * day, { state: 'verified' }],
    ['not a moment before', {}, 7 * day - 1, { state: 'running', missing: null }],
    ['nor without its cause', { causeRecorded: false }, 30 * day, { state: 'running', missing: 'cause' }],
    ['nor with its line open', { closedSince: null }, 30 * day, { state: 'running', missing: 'closed' }],
    ['nor before it is closed for 24 h', { closedSince: t0 + 7 * day - hour }, 7 * day, { state: 'running', missing: 'closed' }],
    ['with 80 % of the data is verified', { dataShare: 0.8 }, 7 * day, { state: 'verified' }],
    ['nor with less of the data, however long', { dataShare: 0.79 }, 30 * day, { state: 'noData', missing: 'data' }],
    ['nor when nothing is known of it', { dataShare: null }, 30 * day, { state: 'noData', missing: 'data' }],
    ['and another trip contradicts it', { lastTripAt: t0 + day }, 8 * day, { state: 'contradicted' }],
  ])('%s', (_, more, after, is) => {
    expect(verify(trip(more), t0, t0 + after)).toMatchObject(is)
  })
})

describe('what only a test, a health check or a patrol can see', () => {
  const look = (passedAt: number | null, failedAt: number | null): Origin => ({ kind: 'look', by: 'exam', passedAt, failedAt })
  test.each<[string, number | null, number | null, string]>([
    ['waits as long as nobody looked', null, null, 'running'],
    ['is verified by a look afterwards that found it right', t0 + hour, null, 'verified'],
    ['not by one from before', t0, null, 'running'],
    ['contradicted by one that still found it', null, t0 + hour, 'contradicted'],
    ['not by one from before', null, t0, 'running'],
    ['verified where it was found once more and right after that', t0 + 2 * hour, t0 + hour, 'verified'],
    ['contradicted where it was right and is wrong again', t0 + hour, t0 + 2 * hour, 'contradicted'],
  ])('%s', (_, passedAt, failedAt, state) => {
    expect(verify(look(passedAt, failedAt), t0, t0 + day).state).toBe(state)
  })

  test('says for whom it waits', () => {
    expect(verify(look(null, null), t0, t0 + day)).toEqual({ state: 'running', haveMs: 0, needMs: 0, missing: 'exam' })
  })
})

test.each([
  ['temperature.alarm', 'alarm', 24, 0.8],
  ['gateway.offline', 'fault', 24, 0.99],
  ['device.stale', 'fault', 24, 0.99],
  ['leakage.drift', 'warning', 72, 0.8],
])('%s (%s) is proved by %s h of silence with %s of the data', (key, kind, hours, dataShare) => {
  expect(quietNeedsOf({ key, kind })).toEqual({ quietMs: hours * hour, dataShare })
})

test('what a person found is looked at by whoever accepts it', () => {
  expect(isProved({ state: 'none' })).toBe(true)
  expect(isProved(verify(alarm(), t0, t0 + hour))).toBe(false)
})

test.each<[string, number | null, number | null]>([
  ['all the time is there all the time', t0 - day, 1],
  ['for a quarter of it counts for that', t0 + 18 * hour, 0.25],
  ['from after its end counts for nothing', t0 + 25 * hour, 0],
  ['not now counts for nothing', null, 0],
])('a device that reports only what changes and is online %s', (_, onlineSince, share) => {
  expect(onlineShare(onlineSince, t0, t0 + day)).toBe(share)
  expect(onlineShare(onlineSince, t0, t0)).toBeNull()
})

test('a proof that was given stays until it is contradicted', () => {
  const verified = { state: 'verified' } as const
  const running = verify(alarm(), t0, t0 + hour)
  const noData = verify(alarm({ dataShare: null }), t0, t0 + 48 * hour)
  for (const now of [running, noData]) {
    expect(lastingProof(verified, now)).toBe(verified)
    expect(lastingProof(null, now)).toBe(now)
    expect(lastingProof(running, now)).toBe(now)
  }
  expect(lastingProof(verified, { state: 'contradicted' })).toEqual({ state: 'contradicted' })
})

test('of an alarm that is kept no more nothing is ever known', () => {
  expect(verify({ kind: 'unknown' }, t0, t0 + 240 * hour)).toMatchObject({ state: 'noData', missing: 'data' })
})

test('a hazard is gone only once its order is accepted and that is proved', () => {
  expect(hazardAfter('dispatched', false)).toBe('ordered')
  expect(hazardAfter('processed', true)).toBe('verifying')
  expect([hazardAfter('accepted', true), hazardAfter('accepted', false)]).toEqual(['gone', 'verifying'])
  expect(hazardAfter('closed', true)).toBe('open')
})

test('leakage and contacts show themselves under load, an alarm and other findings without', () => {
  const of = (key: string, kind: string) => showsUnderLoad({ key, kind })
  expect([
    of('contact', 'warning'),
    of('leakage.drift', 'warning'),
    of('leakage.alarm', 'alarm'),
    of('unbalance', 'warning'),
  ]).toEqual([true, true, false, false])
})
