import { expect, test } from 'vitest'
import type { Impact, ImpactLine } from './impact.ts'
import { countToConfirm, impactOf, isConfirmed } from './impact.ts'

const line = (id: number, more: Partial<ImpactLine> = {}): ImpactLine => ({
  id,
  upstreamId: null,
  loadKw: 1,
  ratedKw: 10,
  ...more,
})
const incomer = line(1, { loadKw: 30, ratedKw: 100 })
const branches = [line(2, { upstreamId: 1 }), line(3, { upstreamId: 1 }), line(4, { upstreamId: 3 })]

test('of an incomer everything below it counts, at any depth, and its load is its own', () => {
  expect(impactOf(new Set([1]), [incomer, ...branches])).toEqual({
    named: 1,
    downstream: 3,
    feeders: 1,
    loadKw: 30,
    unknownLoads: 0,
    ratedKw: 100,
  })
})

test('a branch named together with its incomer adds no load, at any depth', () => {
  expect(impactOf(new Set([1, 4]), [incomer, ...branches])).toMatchObject({
    named: 2,
    downstream: 2,
    feeders: 1,
    loadKw: 30,
    ratedKw: 100,
  })
})

test('lines side by side add up', () => {
  expect(impactOf(new Set([2, 5]), [line(2, { upstreamId: 1 }), line(5)])).toMatchObject({
    named: 2,
    downstream: 0,
    feeders: 0,
    loadKw: 2,
  })
})

test('a load that is not known is not zero', () => {
  const unknown = line(6, { loadKw: null, ratedKw: null })
  expect(impactOf(new Set([5, 6]), [line(5), unknown])).toMatchObject({ loadKw: 1, unknownLoads: 1, ratedKw: null })
  expect(impactOf(new Set([6]), [unknown])).toMatchObject({ loadKw: null, unknownLoads: 1, ratedKw: null })
})

test('a feed registered in a loop comes to an end', () => {
  const loop = [line(7, { upstreamId: 8 }), line(8, { upstreamId: 9 }), line(9, { upstreamId: 8 })]
  expect(impactOf(new Set([7]), loop)).toMatchObject({ named: 1, downstream: 2, loadKw: 1 })
})

const of = (named: number, downstream = 0): Impact => ({
  named,
  downstream,
  feeders: downstream > 0 ? 1 : 0,
  loadKw: null,
  unknownLoads: 0,
  ratedKw: null,
})

test.each([
  ['closing one line', 'close', of(1), null],
  ['closing as many as the number', 'close', of(5), null],
  ['closing one more', 'close', of(6), 6],
  ['closing an incomer', 'close', of(1, 4), 5],
  ['closing a few with an incomer among them', 'close', of(3, 4), 7],
  ['testing an incomer', 'selfTest', of(1, 2), 3],
  ['testing many', 'selfTest', of(6), 6],
  ['tripping an incomer', 'trip', of(1, 40), null],
  ['tripping a few with an incomer among them', 'trip', of(5, 40), null],
  ['tripping many', 'trip', of(6, 2), 8],
  ['silencing', 'silence', of(1), null],
] as const)('%s', (_, action, impact, count) => expect(countToConfirm(action, impact, 5)).toBe(count))

test('with no number of lines at all a single trip still needs no typing, and two do', () => {
  expect(countToConfirm('trip', of(1), 0)).toBeNull()
  expect(countToConfirm('trip', of(2), 0)).toBe(2)
  expect(countToConfirm('close', of(1), 0)).toBe(1)
})

test('a close needs the very count, a trip at least the lines it names', () => {
  expect([null, 6, 7, 8, 9].map((typed) => isConfirmed('close', typed, 8, of(7, 1)))).toEqual([false, false, false, true, false])
  expect([null, 6, 7, 8, 9].map((typed) => isConfirmed('trip', typed, 8, of(7, 1)))).toEqual([false, false, true, true, true])
})
