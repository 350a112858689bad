import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newestOnly } from './newest-only.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched(most = 50) {
  const taken: number[] = []
  const flooded = vi.fn()
  return { taken, flooded, only: newestOnly<number>({ everyMs: 200, most, take: (value) => taken.push(value), flooded }) }
}

test('the first is taken at once, and of those that follow the newest, one each fifth of a second', () => {
  const { taken, only } = watched()
  for (const value of [1, 2, 3]) only.came(value)
  expect(taken).toEqual([1])
  vi.advanceTimersByTime(200)
  expect(taken).toEqual([1, 3])
  only.came(4)
  expect(taken).toEqual([1, 3])
  vi.advanceTimersByTime(200)
  expect(taken).toEqual([1, 3, 4])
  vi.advanceTimersByTime(200)
  only.came(5)
  expect(taken).toEqual([1, 3, 4, 5])
})

test('more than a person can do is told, and counted anew each fifth of a second', () => {
  const { flooded, only } = watched(3)
  for (let value = 0; value < 4; value++) only.came(value)
  vi.advanceTimersByTime(200)
  for (let value = 0; value < 3; value++) only.came(value)
  expect(flooded).not.toHaveBeenCalled()
  only.came(9)
  expect(flooded).toHaveBeenCalledTimes(1)
})

test('what waits when it is over is not taken any more', () => {
  const { taken, only } = watched()
  only.came(1)
  only.came(2)
  only.over()
  vi.advanceTimersByTime(1_000)
  expect(taken).toEqual([1])
})
