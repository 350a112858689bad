import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clockGood, clockToleranceMs, isSetBack, mistakenUnit, movesLive } from './quality.ts'

const receivedAt = Date.UTC(2026, 4, 1)

describe('a device clock is believed', () => {
  test.each([0, 1, -1, 300_000, -300_000])('%i ms off', (off) => {
    expect(clockGood(receivedAt + off, receivedAt)).toBe(true)
  })

  test.each([300_001, -300_001, 3_600_000])('not %i ms off', (off) => {
    expect(clockGood(receivedAt + off, receivedAt)).toBe(false)
  })

  test('to five minutes', () => expect(clockToleranceMs).toBe(5 * 60_000))

  test('not when it is no number', () => expect(clockGood(Number.NaN, receivedAt)).toBe(false))
})

describe('the live value', () => {
  test('is moved by the first reading', () => expect(movesLive(null, 5, false)).toBe(true))
  test('is moved by a newer one', () => expect(movesLive(4, 5, false)).toBe(true))
  test('is moved by another of the same moment', () => expect(movesLive(5, 5, false)).toBe(true))
  test('is not moved by an older one', () => expect(movesLive(6, 5, false)).toBe(false))
  test('is not moved by a back-filled one, not even the first', () => {
    expect(movesLive(null, 5, true)).toBe(false)
    expect(movesLive(4, 5, true)).toBe(false)
  })
})

test('in whatever order readings come, the newest one that is not back-filled is shown', () => {
  const readings = fc.array(fc.record({ at: fc.nat(1_000), historical: fc.boolean() }))
  fc.assert(
    fc.property(readings, (all) => {
      const live = all.reduce<number | null>((at, each) => (movesLive(at, each.at, each.historical) ? each.at : at), null)
      const newest = all.filter(({ historical }) => !historical).map(({ at }) => at)
      expect(live).toBe(newest.length === 0 ? null : Math.max(...newest))
    }),
  )
})

describe('a time is taken to be in another unit', () => {
  const yearMs = 366 * 86_400_000
  const now = receivedAt
  test.each([
    ['seconds', now / 1_000],
    ['seconds', (now - yearMs) / 1_000],
    ['microseconds', now * 1_000],
    ['nanoseconds', now * 1_000_000],
  ])('%s, where only that is near now', (unit, at) => expect(mistakenUnit(at, now, yearMs)).toBe(unit))

  test.each([
    ['now', now],
    ['as far off as is asked for', now - yearMs],
    ['as far off in future', now + yearMs],
    ['1970, from a clock that was never set', 86_400_000],
    ['the year 2150', Date.UTC(2150, 0, 1)],
    ['seconds from longer ago', (now - 2 * yearMs) / 1_000],
    ['nought', 0],
    ['before 1970', -1],
  ])('and not %s', (_, at) => expect(mistakenUnit(at, now, yearMs)).toBeNull())
})

describe('a clock was set back', () => {
  const now = Date.UTC(2026, 0, 15)
  const report = { at: now - clockToleranceMs - 1, receivedAt: now, historical: false }

  test.each([
    ['when what it tells of the present lies far before what it told last', {}, now - 1, true],
    ['not when it told nothing later', {}, report.at, false],
    ['not when it may have come out of order', { at: now - clockToleranceMs }, now, false],
    ['not when it tells of the past', { historical: true }, now, false],
  ])('%s', (_, difference, newestAt, expected) => expect(isSetBack(newestAt, { ...report, ...difference })).toBe(expected))
})
