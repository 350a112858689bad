import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Batched } from './batched.ts'

const pause = () => new Promise<void>((resolve) => setImmediate(resolve))

test('whoever asks gets the answer to their own question, from after they asked, in batches of no more than are allowed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ after: fc.nat({ max: 4 }), key: fc.nat({ max: 9 }) }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      async (questions, most, lanes) => {
        let [moment, underWay, widest, largest] = [0, 0, 0, 0]
        const batched = new Batched<{ key: number; at: number }, { key: number; at: number }>(
          async (keys) => {
            const at = ++moment
            underWay += 1
            widest = Math.max(widest, underWay)
            largest = Math.max(largest, keys.length)
            await pause()
            underWay -= 1
            return keys.map(({ key }) => ({ key, at }))
          },
          { most, lanes },
        )
        const answers = await Promise.all(
          questions.map(async ({ after, key }) => {
            for (let left = after; left > 0; left -= 1) await pause()
            const at = ++moment
            return { asked: { key, at }, answer: await batched.run({ key, at }) }
          }),
        )
        for (const { asked, answer } of answers) {
          expect(answer.key).toBe(asked.key)
          expect(answer.at).toBeGreaterThan(asked.at)
        }
        expect([widest <= lanes, largest <= most]).toEqual([true, true])
      },
    ),
  )
})

test('whoever asks while a batch is under way goes with the next one, all together', async () => {
  const batches: number[][] = []
  const first = Promise.withResolvers<void>()
  const batched = new Batched<number, number>(
    async (keys) => {
      batches.push([...keys])
      if (batches.length === 1) await first.promise
      return keys
    },
    { most: 10 },
  )
  const answers = [batched.run(1), batched.run(2)]
  await pause()
  answers.push(batched.run(3))
  await pause()
  answers.push(batched.run(4), batched.run(5))
  first.resolve()
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5])
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
})

test('one that is bad fails alone, where each is tried by itself; else all of its batch fail, and the next goes on', async () => {
  const work = async (keys: readonly string[]) => {
    if (keys.includes('bad')) throw new Error('bad')
    return keys.map((key) => key.toUpperCase())
  }
  const ask = (batched: Batched<string, string>) =>
    Promise.allSettled(['a', 'bad', 'c'].map((key) => batched.run(key))).then((all) =>
      all.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
    )
  expect(await ask(new Batched(work, { most: 9, oneByOne: () => true }))).toEqual(['A', 'bad', 'C'])
  const together = new Batched(work, { most: 9 })
  expect(await ask(together)).toEqual(['bad', 'bad', 'bad'])
  expect(await together.run('d')).toBe('D')
})
