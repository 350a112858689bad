import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawn } from './strokes.ts'

test('a stroke begins, goes on, and leaves out what is nearly the same point', () => {
  const begun = drawn([], 10.4, 20.6, true)
  expect(begun).toEqual([[10, 21]])
  expect(drawn(begun, 12, 22, false)).toEqual([[10, 21]])
  expect(drawn(begun, 40, 60, false)).toEqual([[10, 21, 40, 60]])
  expect(drawn([], 40, 60, false)).toEqual([])
})

test('whatever is drawn, it is a signature that the server takes', () => {
  const point = fc.tuple(fc.integer({ min: -500, max: 2_000 }), fc.integer({ min: -500, max: 2_000 }), fc.boolean())
  fc.assert(
    fc.property(fc.array(point, { maxLength: 900 }), (points) => {
      const strokes = points.reduce<readonly (readonly number[])[]>((so, [x, y, begins]) => drawn(so, x, y, begins), [])
      expect(strokes.length).toBeLessThanOrEqual(60)
      for (const stroke of strokes) {
        expect(stroke.length % 2).toBe(0)
        expect(stroke.length).toBeLessThanOrEqual(800)
        for (const [at, value] of stroke.entries()) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(at % 2 === 0 ? 1_000 : 500)
        }
      }
    }),
    { numRuns: 100 },
  )
})
