import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clockGood, clockToleranceMs, movesLive } from './quality.ts'

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
