import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const log = pino({ level: 'silent' })

test('of three steps of one turn the third, given while the second runs, begins after the second has ended', async () => {
  const { inTurn, settled } = createTurns(log)
  const done: string[] = []
  const second = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const first = inTurn('line 1', async () => void done.push('first'))
  void inTurn('line 1', async () => {
    begun.resolve()
    await second.promise
    done.push('second')
  })
  await first
  await begun.promise
  void inTurn('line 1', async () => void done.push('third'))
  // Another turn waits for none of them, and is over when whatever could begin has begun.
  await inTurn('line 2', async () => void done.push('other'))
  second.resolve()
  await settled()
  expect(done).toEqual(['first', 'other', 'second', 'third'])
})

test('a step that fails stops nothing that follows', async () => {
  const { inTurn } = createTurns(log)
  const failed = inTurn('line 1', () => Promise.reject(new Error('away')))
  const after = inTurn('line 1', async () => 'done')
  expect(await failed).toBeUndefined()
  expect(await after).toBe('done')
})

test('a turn that is over keeps nothing', async () => {
  const { inTurn, settled } = createTurns(log)
  await inTurn('line 1', async () => 'done')
  await inTurn('line 2', () => Promise.reject(new Error('away')))
  expect(await settled()).toEqual([])
})
