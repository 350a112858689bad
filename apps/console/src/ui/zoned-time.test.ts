import { expect, test } from 'vitest'
import { zonedTime } from './zoned-time.ts'

test('a sheet says the time of the place it is of', () => {
  const at = Date.UTC(2026, 10, 20, 2, 46)
  expect([zonedTime(at, 'Asia/Shanghai'), zonedTime(at, 'UTC')]).toEqual(['2026-11-20 10:46', '2026-11-20 02:46'])
})
