import { expect, test } from 'vitest'
import { driftPlace, frameFor } from './stage.tsx'

test.each([
  [1_920, 1_080, { width: 1_939, height: 1_080, margin: 12 }],
  [3_840, 2_160, { width: 1_929, height: 1_080, margin: 12 }],
  [2_560, 1_080, { width: 2_594, height: 1_080, margin: 12 }],
  [1_080, 1_920, { width: 1_080, height: 1_939, margin: 12 }],
  [2_160, 3_840, { width: 1_080, height: 1_929, margin: 12 }],
])('%s x %s is drawn in a frame of its own, in a margin in which it wanders', (width, height, frame) => {
  const { scale, ...found } = frameFor(width, height)
  expect(found).toEqual(frame)
  // At its farthest it is still all there.
  expect(frame.width * scale + 2 * frame.margin).toBeLessThanOrEqual(width + 1)
  expect(frame.height * scale + 2 * frame.margin).toBeLessThanOrEqual(height + 1)
})

test('a small window has a larger frame, and never smaller text; it is no panel that burns in', () => {
  expect(frameFor(1_280, 720)).toEqual({ width: 1_488, height: 837, scale: 0.86, margin: 0 })
})

test('a picture has another of nine places each minute', () => {
  const places = Array.from({ length: 10 }, (_, minute) => driftPlace(minute * 60_000 + 59_999))
  expect(places).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 0])
})
