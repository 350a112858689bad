import { dayMs, hourMs } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LinkLife, SeatLife } from './links.ts'
import { linkOver, seatOver, secretShown, silentSince } from './links.ts'

const now = Date.UTC(2026, 5, 15)
const link: LinkLife = { revokedAt: null, hardUntil: null }
const seat: SeatLife = { rotatedAt: now, lastBeat: now, endedWhy: null }

test.each<[string, Partial<LinkLife>, ReturnType<typeof linkOver>]>([
  ['that nothing ended opens', {}, null],
  ['that was revoked does not', { revokedAt: now - 1 }, 'revoked'],
  ['ends when it is to end', { hardUntil: now }, 'expired'],
  ['does not before', { hardUntil: now + 1 }, null],
  ['that was revoked and would be over anyway was revoked', { revokedAt: now, hardUntil: now }, 'revoked'],
])('a link %s', (_, difference, over) => expect(linkOver({ ...link, ...difference }, now)).toBe(over))

test.each<[string, Partial<LinkLife>, Partial<SeatLife>, ReturnType<typeof seatOver>]>([
  ['that is heard shows', {}, {}, null],
  ['whose link was revoked does not', { revokedAt: now }, {}, 'revoked'],
  ['whose link ended does not', { hardUntil: now }, {}, 'expired'],
  ['that another took does not', {}, { endedWhy: 'taken' }, 'taken'],
  ['that was not heard for thirty days does not', {}, { lastBeat: now - 30 * dayMs }, 'idle'],
  ['that was heard a moment less long ago does', {}, { lastBeat: now - 30 * dayMs + 1 }, null],
  ['that was taken before its link was revoked was taken', { revokedAt: now }, { endedWhy: 'taken' }, 'taken'],
])('a seat %s', (_, ofLink, ofSeat, over) => expect(seatOver({ ...link, ...ofLink }, { ...seat, ...ofSeat }, now)).toBe(over))

describe('a secret', () => {
  test.each<['current' | 'previous', number, ReturnType<typeof secretShown>]>([
    ['current', 0, 'keep'],
    ['current', 23 * hourMs - 1, 'keep'],
    ['current', 23 * hourMs, 'rotate'],
    ['current', 400 * dayMs, 'rotate'],
    ['previous', 0, 'rotate'],
    ['previous', dayMs - 1, 'rotate'],
    ['previous', dayMs, 'wrong'],
  ])('the %s one, %d ms after it was replaced: %s', (which, age, shown) => expect(secretShown(which, now - age, now)).toBe(shown))

  test('that was replaced is never let in again once a day has passed', () => {
    fc.assert(
      fc.property(fc.integer({ min: dayMs, max: 10_000 * dayMs }), (age) => secretShown('previous', now - age, now) === 'wrong'),
    )
  })
})

test.each<[number, number | null]>([
  [0, null],
  [119_999, null],
  [120_000, now - 120_000],
  [dayMs, now - 120_000],
])('of a server that was there for %d ms the last beat of a dark wall was at %s', (age, since) =>
  expect(silentSince(now - age, now)).toBe(since),
)
