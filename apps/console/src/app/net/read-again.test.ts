import { expect, test } from 'vitest'
import { thenRead } from './read-again.ts'

test('a change counts as done when what it changed has been read', async () => {
  const steps: string[] = []
  const read = Promise.withResolvers<void>()
  const done = thenRead(
    async () => steps.push('changed'),
    () => read.promise,
  ).then(() => steps.push('done'))
  // Whatever does not wait for the reading has ended by then.
  await new Promise(setImmediate)
  expect(steps).toEqual(['changed'])
  read.resolve()
  await done
  expect(steps).toEqual(['changed', 'done'])
})

test('a change whose answer is lost is read again, and is told as failed', async () => {
  let reads = 0
  const lost = new Error('no answer')
  const changed = thenRead(
    () => Promise.reject(lost),
    async () => {
      reads += 1
    },
  )
  await expect(changed).rejects.toBe(lost)
  expect(reads).toBe(1)
})
