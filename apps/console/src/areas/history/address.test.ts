import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { edited, latestMs, maxMs, minMs, moved, pointsText, readAddress, zoomed } from './address.ts'

const read = (text: string) => readAddress(new URLSearchParams(text))
const point = fc.record({
  house: fc.integer({ min: 1, max: 999 }),
  line: fc.integer({ min: 1, max: 99_999 }),
  point: fc.constantFrom('current.a', 'residual', 'energy'),
})

test('points that were written are read again', () => {
  const distinct = fc.uniqueArray(point, { maxLength: 8, selector: (each) => JSON.stringify(each) })
  fc.assert(
    fc.property(distinct, (points) => {
      expect(read(`points=${pointsText(points)}`).points).toEqual(points)
    }),
  )
})

describe('an address', () => {
  test('without points leaves them to the tree; an empty list is a choice', () => {
    expect(read('').points).toBeNull()
    expect(read('points=').points).toEqual([])
  })

  test('has a day when it says nothing of the range, or nonsense', () => {
    for (const text of [
      '',
      'last=never',
      'from=5&to=5',
      'from=-1&to=5',
      'from=x&to=9',
      `from=0&to=${maxMs + 1}`,
      `from=5&to=${latestMs + 1}`,
    ])
      expect(read(text)).toMatchObject({ preset: 'hour24', range: null })
  })

  test('with a range has no preset', () => {
    expect(read('last=day7&from=10&to=20')).toMatchObject({ preset: null, range: { from: 10, to: 20 } })
  })

  test('holds eight points at most, each once, and leaves out what cannot be read', () => {
    const many = Array.from({ length: 12 }, (_, i) => `1:${i + 1}:energy`).join()
    expect(read(`points=${many}`).points).toHaveLength(8)
    expect(read('points=1:2:energy,1:2:energy,1:x:energy,1:0:energy,;drop').points).toEqual([
      { house: 1, line: 2, point: 'energy' },
    ])
  })
})

describe('an end that is set by hand', () => {
  const range = { from: 1_000_000, to: 1_600_000 }

  test('leaves the other end where it is as long as both can stand', () => {
    expect(edited(range, 'from', 1_200_000)).toEqual({ from: 1_200_000, to: 1_600_000 })
    expect(edited(range, 'to', 1_200_000)).toEqual({ from: 1_000_000, to: 1_200_000 })
  })

  test('takes the other end along when it passes it, at the same length', () => {
    expect(edited(range, 'from', 2_000_000)).toEqual({ from: 2_000_000, to: 2_600_000 })
    expect(edited(range, 'from', 1_600_000)).toEqual({ from: 1_600_000, to: 2_200_000 })
    expect(edited(range, 'to', 900_000)).toEqual({ from: 300_000, to: 900_000 })
    expect(edited(range, 'to', 500_000)).toEqual({ from: 0, to: 500_000 })
  })

  test('brings the other end nearer when the range would be too long', () => {
    expect(edited({ from: 2 * maxMs, to: 2 * maxMs + 10_000 }, 'from', 7)).toEqual({ from: 7, to: 7 + maxMs })
    expect(edited(range, 'to', 3 * maxMs)).toEqual({ from: 2 * maxMs, to: 3 * maxMs })
  })

  test('always makes a range that the address takes', () => {
    const moment = fc.integer({ min: 0, max: latestMs - maxMs })
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 1, max: maxMs }),
        fc.constantFrom('from' as const, 'to' as const),
        fc.integer({ min: -maxMs, max: 2 * latestMs }),
        (from, span, edge, at) => {
          const next = edited({ from, to: from + span }, edge, at)
          expect(read(`from=${next.from}&to=${next.to}`).range).toEqual(next)
          if (at >= minMs && at <= latestMs - minMs) expect(next[edge]).toBe(at)
        },
      ),
    )
  })
})

test('panning keeps the length and never leaves time', () => {
  fc.assert(
    fc.property(
      fc.nat(1e12),
      fc.integer({ min: 1, max: 1e9 }),
      fc.double({ min: -3, max: 3, noNaN: true }),
      (from, span, share) => {
        const next = moved({ from, to: from + span }, share)
        expect(next.from).toBeGreaterThanOrEqual(0)
        expect(next.to - next.from).toBe(span)
      },
    ),
  )
})

test('zooming keeps what is under the pointer, within what can be looked at', () => {
  expect(zoomed({ from: 1_000_000, to: 2_000_000 }, 0.5, 0.25)).toEqual({ from: 1_125_000, to: 1_625_000 })
  expect(zoomed({ from: 1_000_000, to: 2_000_000 }, 0, 0.5)).toEqual({
    from: 1_500_000 - minMs / 2,
    to: 1_500_000 + minMs / 2,
  })
  const most = zoomed({ from: 0, to: maxMs }, 10, 0.5)
  expect(most.to - most.from).toBe(maxMs)
})
