import { expect, test } from 'vitest'
import { firstThenCounted } from './first-then-counted.ts'

test('what could not be told is counted on, and told with what came since', async () => {
  let now = 0
  let away = false
  const told: string[] = []
  const kinds = firstThenCounted(
    10,
    () => now,
    async (latest: string, at, more) => {
      if (away) throw new Error('the database was away')
      told.push(`${latest} ${at} ${more}`)
    },
  )
  await kinds.note('k', 'a')
  await kinds.note('k', 'b')
  away = true
  now = 10
  await expect(kinds.flush()).rejects.toThrow('away')
  // It was to be told at once with the one before it: now both are counted.
  await expect(kinds.note('k', 'c')).rejects.toThrow('away')
  away = false
  await kinds.note('k', 'd')
  expect(told).toEqual(['a 0 0'])
  await kinds.flush(true)
  await kinds.flush(true)
  expect(told).toEqual(['a 0 0', 'd 10 3'])
})
