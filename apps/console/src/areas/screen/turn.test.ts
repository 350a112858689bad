import { expect, test } from 'vitest'
import { pageAt } from './turn.ts'

test('pages take turns, each as long as the others', () => {
  expect([0, 19_999, 20_000, 59_999, 60_000].map((now) => pageAt(3, null, now))).toEqual([0, 0, 1, 2, 0])
})

test('the page that somebody turned to stays for a minute, and is there while there are as many', () => {
  expect([0, 59_999].map((later) => pageAt(3, { page: 2, at: 1_000 }, 1_000 + later))).toEqual([2, 2])
  expect(pageAt(3, { page: 2, at: 0 }, 60_000)).toBe(0)
  expect(pageAt(2, { page: 2, at: 0 }, 1_000)).toBe(1)
})

test('one page is always shown', () => {
  expect([pageAt(1, null, 45_000), pageAt(0, null, 45_000)]).toEqual([0, 0])
})
