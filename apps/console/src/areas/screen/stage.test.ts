import { expect, test } from 'vitest'
import { frameFor } from './stage.tsx'

test.each([
  [1_920, 1_080, { width: 1_920, height: 1_080, scale: 1 }],
  [3_840, 2_160, { width: 1_920, height: 1_080, scale: 2 }],
  [2_560, 1_080, { width: 2_560, height: 1_080, scale: 1 }],
  [1_080, 1_920, { width: 1_080, height: 1_920, scale: 1 }],
  [2_160, 3_840, { width: 1_080, height: 1_920, scale: 2 }],
])('%s x %s is drawn in a frame of its own', (width, height, frame) => {
  expect(frameFor(width, height)).toEqual(frame)
})

test('a small window has a larger frame, and never smaller text', () => {
  expect(frameFor(1_280, 720)).toEqual({ width: 1_488, height: 837, scale: 0.86 })
})
