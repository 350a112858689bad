import { expect, test } from 'vitest'
import type { PlantLine } from '../../plant/plant.ts'
import type { LineWords, StoredWord } from '../../store/automation/override.ts'
import { skippedBy } from './overrides.ts'

const now = Date.UTC(2026, 10, 24, 8)
const minute = 60_000

/** Open by hand; the moments are of its report, in minutes before now. */
const byHand = (positionAt: number | null, positionSince: number | null, cause = 'manual') =>
  ({
    states: new Map([
      ['position', 'open'],
      ['trip.cause', cause],
    ]),
    positionAt: positionAt === null ? null : now - positionAt * minute,
    positionSince: positionSince === null ? null : now - positionSince * minute,
  }) as unknown as PlantLine

const ordered = (action: 'trip' | 'close', minutes: number, fence = 1): LineWords => ({
  given: null,
  ordered: { action, at: now - minutes * minute, actor: 'admin', fence },
})
const given = (kind: StoredWord['kind'], minutes: number, fence = 1): LineWords => ({
  given: { kind, since: now - minutes * minute, until: null, actor: 'admin', reason: '', fence },
  ordered: null,
})

test.each<[string, PlantLine, LineWords, string | null]>([
  ['opened by hand while its gateway was away, after a close', byHand(1, null), ordered('close', 40_000), 'personTripped'],
  ['opened by hand, by a clock four minutes behind a close', byHand(1, 5), ordered('close', 3), 'personTripped'],
  ['opened by hand while its gateway was away, after a release', byHand(1, null), given('released', 40_000), 'personTripped'],
  [
    'opened by hand while its gateway was away, after a word until the next action',
    byHand(1, null),
    given('next', 2),
    'personTripped',
  ],
  ['opened by hand, by a clock four minutes behind a release', byHand(1, 5), given('released', 3), 'personTripped'],
  ['opened by hand and reported nobody knows when', byHand(null, null), given('released', 0), 'personTripped'],
  ['opened by hand, then released', byHand(60, 60), given('released', 1), null],
  ['opened by hand long ago, reported again after its release', byHand(0, 60), given('released', 1), null],
  ['opened by hand unobserved, then released', byHand(60, null), given('released', 1), null],
  ['opened otherwise, after a close', byHand(1, null, 'none'), ordered('close', 2), null],
  ['opened by hand, then tripped', byHand(60, 60), ordered('trip', 1), 'personTripped'],
])('a timed close of a line that was %s', (_, line, words, why) => {
  expect(skippedBy(line, words, 'close', now)?.key ?? null).toBe(why)
})

const open = byHand(1, null, 'none')
const both = (one: LineWords, other: LineWords): LineWords => ({
  given: one.given ?? other.given,
  ordered: one.ordered ?? other.ordered,
})
test.each<[string, LineWords, string | null]>([
  [
    'tripped after its release, by a clock an hour behind',
    both(given('released', 1, 7), ordered('trip', 61, 8)),
    'personTripped',
  ],
  ['released after its trip, by a clock an hour behind', both(ordered('trip', 1, 7), given('released', 61, 8)), null],
  ['tripped with a word until the next action', both(ordered('trip', 1, 8), given('next', 1, 8)), null],
  [
    'tripped after a close with a word, by a clock an hour ahead',
    both(given('next', -60, 7), ordered('trip', 1, 8)),
    'personTripped',
  ],
  ['closed after a word that it stays, by a clock an hour behind', both(given('stay', 1, 7), ordered('close', 61, 8)), null],
])('the later word counts whatever clocks say: a timed close of a line that was %s', (_, words, why) => {
  expect(skippedBy(open, words, 'close', now)?.key ?? null).toBe(why)
})
