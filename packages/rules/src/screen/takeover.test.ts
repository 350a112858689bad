import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { CallingEvent } from './takeover.ts'
import { isSoundDue, takeoverOf } from './takeover.ts'

const minute = 60_000
const event = (eventId: string, storedAt = 0, isLifeSafety = false): CallingEvent => ({
  ...{ eventId, isLifeSafety, storedAt, raisedAt: storedAt },
})

const shownOver = (events: readonly CallingEvent[], from: number, turns: number) =>
  Array.from({ length: turns }, (_, turn) => takeoverOf(events, from + turn * 8_000).takeover?.shown.eventId)

test('one event takes over for ten minutes and leaves a banner until it is acknowledged or over', () => {
  const calling = [event('a', minute)]
  expect(takeoverOf(calling, 11 * minute - 1)).toMatchObject({ takeover: { place: 0, count: 1 }, banner: [] })
  expect(takeoverOf(calling, 11 * minute)).toMatchObject({ takeover: null, banner: [{ eventId: 'a' }] })
  expect(takeoverOf([], 11 * minute)).toEqual({ takeover: null, banner: [] })
})

test('several take turns of eight seconds, the earliest first, each with its place', () => {
  const calling = [event('c', 3), event('a', 1), event('b', 2)]
  expect(shownOver(calling, 0, 4)).toEqual(['a', 'b', 'c', 'a'])
  expect(takeoverOf(calling, 8_000).takeover).toMatchObject({ place: 1, count: 3 })
})

test('where people are in danger nothing else takes a turn, and it has the whole screen', () => {
  const calling = [event('trip', 1), event('smoke', 2, true), event('gas', 3, true)]
  expect(shownOver(calling, 0, 3)).toEqual(['smoke', 'gas', 'smoke'])
  expect(takeoverOf(calling, 0).takeover).toMatchObject({ isLifeSafety: true, count: 2 })
  // Once it has only a banner the others come back.
  expect(takeoverOf([event('trip', 10 * minute), event('smoke', 0, true)], 11 * minute)).toMatchObject({
    ...{ takeover: { shown: { eventId: 'trip' }, isLifeSafety: false }, banner: [{ eventId: 'smoke' }] },
  })
})

test('a device whose clock is wrong does not shorten what it says, and does not stretch it for ever', () => {
  const dayMs = 86_400_000
  const behind = { ...event('a', 100 * dayMs), raisedAt: 99 * dayMs }
  const ahead = { ...event('a', 100 * dayMs), raisedAt: 101 * dayMs }
  for (const each of [behind, ahead]) {
    expect(takeoverOf([each], 100 * dayMs + 1).takeover).not.toBeNull()
    expect(takeoverOf([each], 100 * dayMs + 10 * minute).takeover).toBeNull()
  }
  // Raised again, it calls anew.
  expect(takeoverOf([{ ...event('a', 0), raisedAt: 20 * minute }], 21 * minute).takeover).not.toBeNull()
})

test('it is heard at once and then every thirty seconds at most, and no more when nothing takes over', () => {
  expect(isSoundDue(true, null, 0)).toBe(true)
  expect(isSoundDue(true, 0, 29_999)).toBe(false)
  expect(isSoundDue(true, 0, 30_000)).toBe(true)
  expect(isSoundDue(true, 90_000, 30_000)).toBe(true)
  expect(isSoundDue(false, null, 0)).toBe(false)
})

test('whatever calls is shown in its turn or stands in the banner, in any order of events', () => {
  const some = fc.record({
    ...{ eventId: fc.uuid(), isLifeSafety: fc.boolean() },
    ...{ storedAt: fc.nat(20 * minute), raisedAt: fc.nat(40 * minute) },
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(some, { selector: ({ eventId }) => eventId, maxLength: 12 }),
      fc.nat(30 * minute),
      (events, at) => {
        const now = at - (at % 8_000)
        const { takeover, banner } = takeoverOf(events, now)
        const shown = new Set(Array.from({ length: takeover?.count ?? 0 }, (_, turn) => turn))
        expect(takeover === null).toBe(banner.length === events.length)
        const turns = events.filter((each) => !banner.includes(each))
        const urgent = turns.filter(({ isLifeSafety }) => isLifeSafety)
        expect(shown.size).toBe(urgent.length > 0 ? urgent.length : turns.length)
      },
    ),
    { numRuns: lawRuns(200) },
  )
})
