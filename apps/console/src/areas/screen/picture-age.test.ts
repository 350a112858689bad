import { expect, test } from 'vitest'
import { pictureAge } from './picture-age.ts'

test.each([
  [0, 'live'],
  [19_999, 'live'],
  [20_000, 'stopped'],
  [299_999, 'stopped'],
  [300_000, 'old'],
  [Number.POSITIVE_INFINITY, 'old'],
])('%s ms without the server: %s', (silentMs, age) => {
  expect(pictureAge(silentMs)).toBe(age)
})
