import { expect, test } from 'vitest'
import { barPath, doubtsOf } from './doubts.ts'

const row = (at: number, quality: number) => [at, [], quality] as const

test('what was back-filled and what came under a doubtful clock are told apart, also where both are so', () => {
  const rows = [row(0, 0), row(10, 2), row(20, 3), row(30, 1), row(40, 0), row(50, 2)]
  expect(doubtsOf(rows)).toEqual({
    late: [
      [10, 20],
      [50, 50],
    ],
    clock: [[20, 30]],
  })
})

test('an averaged bucket is marked over its whole width, and nothing is marked where there is no doubt', () => {
  expect(doubtsOf([row(0, 2), row(60, 0)], 60)).toEqual({ late: [[0, 60]], clock: [] })
  expect(doubtsOf([row(0, 0)])).toEqual({ late: [], clock: [] })
})

test('the mark of a single reading can be seen', () => {
  expect(barPath([[50, 50]], (at) => at, 2)).toBe('M48.5 2H51.5')
  expect(barPath([[10, 50]], (at) => at, 2)).toBe('M10.0 2H50.0')
})
