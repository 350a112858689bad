import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFedBy, sumPower } from './power-sum.ts'

/** 1 feeds 2 and 3, 3 feeds 4; 5 stands alone. */
const upstream = new Map([
  [2, 1],
  [3, 1],
  [4, 3],
])
const upstreamOf = (id: number) => upstream.get(id)
const lines = (powers: Readonly<Record<number, number | null>>) =>
  Object.entries(powers).map(([id, kw]) => ({ id: Number(id), kw }))

test.each([
  ['an incomer with its branches is what the incomer carries', { 1: 90, 2: 40, 3: 50, 4: 20, 5: 7 }, 97, [1, 5], 3, 0],
  ['branches without their incomer are added', { 2: 40, 3: 50, 5: 7 }, 97, [2, 3, 5], 0, 0],
  ['a branch further down is part of its feeder', { 3: 50, 4: 20 }, 50, [3], 1, 0],
  ['through a line that is not among them, too', { 1: 90, 4: 20 }, 90, [1], 1, 0],
  ['where the incomer does not report its branches stand for it', { 1: null, 2: 40, 3: 50 }, 90, [2, 3], 0, 1],
  ['a silent branch of a known incomer lacks nothing', { 1: 90, 2: null, 3: 50 }, 90, [1], 2, 0],
  ['a feeder that is known counts below one that is not', { 1: null, 3: 50, 4: 20 }, 50, [3], 1, 1],
  ['no figure is no sum', { 1: null, 2: null }, null, [], 0, 2],
  ['nothing is no sum', {}, null, [], 0, 0],
  ['a dead line carries nothing, and that is known', { 1: 0, 2: 0 }, 0, [1], 1, 0],
])('%s', (_, powers, kw, added, within, unknown) => {
  expect(sumPower(lines(powers as Record<number, number | null>), upstreamOf)).toEqual({ kw, added, within, unknown })
})

test('a registered loop ends where it began', () => {
  const loop = new Map([
    [1, 2],
    [2, 1],
  ])
  expect(
    isFedBy(
      1,
      (id) => id === 9,
      (id) => loop.get(id),
    ),
  ).toBe(false)
})

describe('of any tree whose feeders carry what is below them', () => {
  /** Each line is fed by an earlier one, or by none. */
  const trees = fc.array(fc.record({ up: fc.nat(), own: fc.integer({ min: 0, max: 50 }), isRoot: fc.boolean() }), {
    maxLength: 30,
  })

  test('all of it together is what its loads take, and each line is counted once', () => {
    fc.assert(
      fc.property(trees, (given) => {
        const up = given.map(({ up, isRoot }, i) => (i === 0 || isRoot ? null : up % i))
        const kw = given.map(({ own }) => own)
        for (let i = given.length - 1; i > 0; i--) {
          const above = up[i]
          if (above != null) kw[above] = (kw[above] ?? 0) + (kw[i] ?? 0)
        }
        const sum = sumPower(
          kw.map((each, id) => ({ id, kw: each })),
          (id) => up[id],
        )
        expect(sum.kw ?? 0).toBe(given.reduce((total, { own }) => total + own, 0))
        expect(sum.added.length + sum.within + sum.unknown).toBe(given.length)
      }),
    )
  })
})
