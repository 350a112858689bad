import { expect, test } from 'vitest'
import type { LinkageCause } from './linkage-chain.ts'
import { isConsequence, mayBeConsequence, worstCause } from './linkage-chain.ts'
import { decideFiring, maxChain } from './linkage-limits.ts'

const s = 1_000
/** A trip that was ordered at ten seconds, and reported a second later. */
const trip: LinkageCause = { orderedAt: 10 * s, reportedAt: 11 * s, endedAt: 11 * s, isDirect: true, linkageIds: [1] }
const change = (after: number, by: number) => ({ after: after * s, by: by * s })

test.each<[string, Partial<LinkageCause>, readonly [number, number], { readonly known: boolean; readonly possible: boolean }]>([
  ['seen at once', {}, [10, 11], { known: true, possible: true }],
  // The position may be seen before it is written down that it confirms the order.
  ['seen before it counts as reported', {}, [9, 10], { known: true, possible: true }],
  ['half a minute later', {}, [40, 41], { known: true, possible: true }],
  ['later than that', {}, [42, 43], { known: false, possible: false }],
  ['long before', {}, [1, 4], { known: false, possible: false }],
  ['just before, by the clock of another server', {}, [5, 6], { known: false, possible: true }],
  ['seen with the next report, a minute later', {}, [5, 65], { known: false, possible: true }],
  [
    'of an order that nobody has heard of since',
    { reportedAt: null, endedAt: null },
    [200, 201],
    { known: false, possible: true },
  ],
  ['of an order that came to nothing', { reportedAt: null, endedAt: 15 * s }, [46, 47], { known: false, possible: false }],
  ['soon after an order that came to nothing', { reportedAt: null, endedAt: 15 * s }, [30, 31], { known: true, possible: true }],
  ['of what the line feeds', { isDirect: false }, [10, 12], { known: false, possible: true }],
])('a change %s: whether it comes of a trip', (_name, own, [after, by], { known, possible }) => {
  const cause = { ...trip, ...own }
  expect([isConsequence(cause, change(after, by)), mayBeConsequence(cause, change(after, by))]).toEqual([known, possible])
})

test('of several causes that one counts in which the linkage stands itself, else the longest chain, else the last', () => {
  const of = (orderedAt: number, ...linkageIds: number[]) => ({ ...trip, orderedAt, linkageIds })
  expect(worstCause([], 1)).toBeNull()
  expect(worstCause([of(1, 9, 1), of(2, 2, 3, 4), of(3, 5)], 1)?.linkageIds).toEqual([9, 1])
  expect(worstCause([of(1, 2), of(2, 2, 3), of(3, 5)], 1)?.linkageIds).toEqual([2, 3])
  expect(worstCause([of(2, 2), of(3, 5), of(1, 4)], 1)?.linkageIds).toEqual([5])
})

// What a run keeps of the runs that led to it is cut to three: it never has more to cut.
test('a run that acts has fewer causes than are kept with it and what comes of it', () => {
  const limits = { cooldownS: 300, maxPerHour: 6, maxPerDay: 24 }
  const acts = (causes: number) => {
    const chain = Array.from({ length: causes }, (_, index) => index + 2)
    return decideFiring(1, limits, [], chain, true, 0).do === 'act'
  }
  expect([0, 1, 2, 3].map(acts)).toEqual([true, true, true, false])
  expect(maxChain).toBe(3)
})
