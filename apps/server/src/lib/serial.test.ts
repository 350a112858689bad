import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyedMutex, Mutex, Semaphore } from './serial.ts'

const pause = () => new Promise<void>((resolve) => setImmediate(resolve))

interface Task {
  readonly key: string
  readonly pauses: number
  readonly fails: boolean
}

const tasks = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), pauses: fc.nat({ max: 3 }), fails: fc.boolean() }), {
  maxLength: 20,
})

/** Gives all tasks at once; answers the order they began in, how many of one key and of all were under way at once, and how each ended. */
async function given(all: readonly Task[], run: (key: string, task: () => Promise<number>) => Promise<number>) {
  const begun: number[] = []
  const running = new Map<string, number>()
  const max = { ofKey: 0, ofAll: 0 }
  const settled = await Promise.allSettled(
    all.map(({ key, pauses, fails }, index) =>
      run(key, async () => {
        begun.push(index)
        running.set(key, (running.get(key) ?? 0) + 1)
        max.ofKey = Math.max(max.ofKey, ...running.values())
        max.ofAll = Math.max(
          max.ofAll,
          [...running.values()].reduce((sum, each) => sum + each, 0),
        )
        for (let left = pauses; left > 0; left -= 1) await pause()
        running.set(key, (running.get(key) ?? 0) - 1)
        if (fails) throw new Error(`away ${index}`)
        return index
      }),
    ),
  )
  const ended = settled.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message))
  return { begun, max, ended }
}

const expected = (all: readonly Task[]) => all.map(({ fails }, index) => (fails ? `away ${index}` : index))
const indexes = (all: readonly Task[]) => all.map((_, index) => index)

test('a mutex runs one task after the other, in order, and an exception frees it', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, async (all) => {
      const mutex = new Mutex()
      const { begun, max, ended } = await given(all, (_, task) => mutex.run(task))
      expect(max.ofAll).toBe(Math.min(1, all.length))
      expect(begun).toEqual(indexes(all))
      expect(ended).toEqual(expected(all))
    }),
  )
})

test('never two tasks of one key at once, each key in order, and an exception frees the key', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, async (all) => {
      const mutex = new KeyedMutex()
      const { begun, max, ended } = await given(all, (key, task) => mutex.run(key, task))
      expect(max.ofKey).toBe(Math.min(1, all.length))
      const ofKey = (key: string, list: readonly number[]) => list.filter((index) => all[index]?.key === key)
      for (const key of ['a', 'b', 'c']) expect(ofKey(key, begun)).toEqual(ofKey(key, indexes(all)))
      expect(ended).toEqual(expected(all))
      expect(mutex.size).toBe(0)
    }),
  )
})

test('a semaphore admits its number and no more, in order, and an exception frees the place', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, fc.integer({ min: 1, max: 4 }), async (all, places) => {
      const semaphore = new Semaphore(places)
      const found = await given(all, (_, task) => semaphore.run(task))
      expect(found.max.ofAll).toBeLessThanOrEqual(places)
      expect(found.begun).toEqual(indexes(all))
      expect(found.ended).toEqual(expected(all))
    }),
  )
})

test('a semaphore of two begins two tasks at once, and the third when one of them is over', async () => {
  const semaphore = new Semaphore(2)
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const begun: number[] = []
  const all = gates.map(({ promise }, index) =>
    semaphore.run(async () => {
      begun.push(index)
      await promise
    }),
  )
  await pause()
  expect(begun).toEqual([0, 1])
  gates[1]?.resolve()
  await pause()
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of gates) resolve()
  await Promise.all(all)
})

test('a task of one key waits for none of another', async () => {
  const mutex = new KeyedMutex()
  const gate = Promise.withResolvers<void>()
  const slow = mutex.run('line 1', () => gate.promise)
  expect(await mutex.run('line 2', async () => 'done')).toBe('done')
  expect(mutex.size).toBe(1)
  gate.resolve()
  await slow
})

test('the third task, given while the second runs, begins after the second has ended', async () => {
  const mutex = new KeyedMutex()
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const first = mutex.run('line 1', async () => void done.push('first'))
  void mutex.run('line 1', async () => {
    begun.resolve()
    await gate.promise
    done.push('second')
  })
  await first
  await begun.promise
  void mutex.run('line 1', async () => void done.push('third'))
  gate.resolve()
  await mutex.settled()
  expect(done).toEqual(['first', 'second', 'third'])
})

test('settled waits for all that were given, and also when one of them failed', async () => {
  const done: string[] = []
  const mutex = new Mutex()
  const keyed = new KeyedMutex()
  const slowly = (name: string) => async () => {
    await pause()
    done.push(name)
  }
  const failed = [mutex.run(() => Promise.reject(new Error('away'))), keyed.run('a', () => Promise.reject(new Error('away')))]
  void mutex.run(slowly('mutex'))
  void keyed.run('a', slowly('a'))
  void keyed.run('b', slowly('b'))
  const ends = Promise.allSettled(failed)
  await Promise.all([mutex.settled(), keyed.settled()])
  expect(done.sort()).toEqual(['a', 'b', 'mutex'])
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
