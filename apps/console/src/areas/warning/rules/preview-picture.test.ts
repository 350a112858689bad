import { expect, test } from 'vitest'
import { previewPicture } from './preview-picture.ts'

const day = (Day: string, New: number, Present: number, Both: number, Evaluated = 60) => ({ Day, New, Present, Both, Evaluated })

test('what both rules raise stands below, what only one does on top of it, and a day without data is known as such', () => {
  const days = [day('2026-11-01', 3, 1, 1), day('2026-11-02', 0, 2, 0), day('2026-11-03', 0, 0, 0, 0)]
  const { bars, bottom } = previewPicture(days, 400, 124)
  const [first, second, third] = bars
  expect(first?.more.count).toBe(2)
  expect(first?.fewer.count).toBe(0)
  expect(first?.both.y).toBeCloseTo((first?.more.y ?? 0) + (first?.more.height ?? 0))
  expect(first && first.both.y + first.both.height).toBe(bottom)
  expect(second?.fewer.count).toBe(2)
  expect(second?.both.height).toBe(0)
  expect([first?.known, third?.known]).toEqual([true, false])
})

test('counts are written as whole numbers, also where there are few', () => {
  expect(previewPicture([day('2026-11-01', 1, 0, 0)], 400, 124).y.ticks).toEqual([0, 1, 2])
})
