import { expect, test } from 'vitest'
import { breaker3p } from '../packages/equipment/src/families/breaker-3p.ts'
import type { ExpectedFiring, FoundRun } from './linkage-oracle.ts'
import { compareFirings, compareTrips } from './linkage-oracle.ts'
import { edges, plannedLinkages, triggersPerGateway } from './linkage-plan.ts'

const expected: readonly ExpectedFiring[] = [
  { linkageId: 1, lineIds: [11], committedAt: 1_000, forMs: 0 },
  { linkageId: 2, lineIds: [12, 13], committedAt: 2_000, forMs: 0 },
  { linkageId: 3, lineIds: [14], committedAt: 3_000, forMs: 2_000 },
]
const run = (linkageId: number, ...trips: [lineId: number, sentAt: number | null][]): FoundRun => ({
  ...{ executionId: `${linkageId}`, linkageId },
  trips: trips.map(([lineId, sentAt]) => ({ lineId, sentAt })),
})
const whole = [run(1, [11, 1_040]), run(2, [12, 2_050], [13, 2_060]), run(3, [14, 5_300])]

test('each firing once, with each of its lines: times from the commit, and beyond a duration apart', () => {
  expect(compareFirings(expected, whole)).toEqual({
    ...{ missing: 0, twice: 0, unexpected: 0, notSent: 0 },
    ...{ sentAfterMs: [40, 50, 60], lateAfterDurationMs: [300] },
  })
})

test.each<[string, readonly FoundRun[], object]>([
  ['one that did not fire', whole.slice(1), { missing: 1, notSent: 0 }],
  ['one that fired twice', [...whole, run(1, [11, 1_900])], { twice: 1, unexpected: 0 }],
  ['one of which nothing was expected', [...whole, run(9, [14, 9_000])], { unexpected: 1, twice: 0 }],
  ['a line without its order', [run(1, [11, null]), ...whole.slice(1)], { missing: 0, notSent: 1 }],
  ['a line of nobody', [run(1, [11, 1_040], [99, 1_050]), ...whole.slice(1)], { notSent: 1 }],
])('%s is found', (_, runs, found) => {
  expect(compareFirings(expected, runs)).toMatchObject(found)
})

test('breakers that moved otherwise than they were to are found', () => {
  expect(compareTrips(['A/1', 'A/2'], ['A/1', 'A/2'])).toEqual({ notTripped: 0, trippedElse: 0 })
  expect(compareTrips(['A/1', 'A/2'], ['A/1'])).toEqual({ notTripped: 1, trippedElse: 0 })
  expect(compareTrips(['A/1'], ['A/1', 'A/1', 'B/1'])).toEqual({ notTripped: 0, trippedElse: 2 })
})

test('each line on which something happens concerns one linkage, and what the others read never comes about', () => {
  const linkages = plannedLinkages(200, 40)
  const firing = linkages.filter(({ edge }) => edge !== null)
  expect(firing.map(({ trigger }) => trigger)).toEqual(Array.from({ length: 40 }, (_, index) => index))
  expect(new Set(firing.map(({ edge }) => edge))).toEqual(new Set(['point', 'alarm', 'state']))
  expect(new Set(firing.map(({ match }) => match))).toEqual(new Set(['all', 'any']))
  expect(firing.filter(({ does }) => does === 'scene').map(({ trigger }) => trigger)).toEqual([
    triggersPerGateway - 1,
    2 * triggersPerGateway - 1,
  ])
  expect(firing.filter(({ forS }) => forS > 0).length).toBeGreaterThan(0)
  const read = ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`
  const rises = new Set(Object.values(edges).map(read))
  for (const { conditions } of linkages.filter(({ edge }) => edge === null))
    for (const condition of conditions.filter(({ on }) => on === 'trigger')) expect(rises).not.toContain(read(condition))
})

test('what the bench makes happen is known of its equipment', () => {
  expect(breaker3p.points.map(({ key }) => key)).toContain(edges.point.key)
  expect(breaker3p.alarms.map(({ key }) => key)).toContain(edges.alarm.key)
  const selfTest = breaker3p.states.find(({ key }) => key === edges.state.key)
  expect(selfTest?.values[edges.state.value]?.key).toBe('failed')
})
