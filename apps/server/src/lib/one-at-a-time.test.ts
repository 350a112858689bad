import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('works of one key never overlap, also after one that failed; those of another key do not wait', async () => {
  let running = 0
  const most = { a: 0 }
  const work = async (fails: boolean) => {
    running += 1
    most.a = Math.max(most.a, running)
    await turn()
    running -= 1
    if (fails) throw new Error('wrong')
    return 'right'
  }
  const all = [true, false, true, false].map((fails) => oneAtATime('a', () => work(fails)))
  let other = ''
  await oneAtATime('b', async () => {
    other = `b beside ${running}`
  })
  const settled = await Promise.allSettled(all)
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect([most.a, other]).toEqual([1, 'b beside 1'])
})
