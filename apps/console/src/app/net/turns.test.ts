import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

/** Two at a time; each is under way until it is told to end. */
function two() {
  const turns = new Turns(2)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const ask = (key: string, signal?: AbortSignal) => {
    const end = Promise.withResolvers<string>()
    ends.set(key, end)
    const work = () => {
      begun.push(key)
      return end.promise
    }
    return turns.take(key, work, signal)
  }
  const end = async (key: string) => {
    ends.get(key)?.resolve(`${key} is here`)
    await settled()
  }
  return { turns, begun, ask, end, fail: (key: string) => ends.get(key)?.reject(new Error(`${key} failed`)) }
}

/** Everything that needs no more than promises has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('so many are under way at once, the others follow in order', async () => {
  const { begun, ask, end } = two()
  const all = ['a', 'b', 'c', 'd'].map((key) => ask(key))
  await settled()
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const key of ['a', 'c', 'd']) await end(key)
  expect(await Promise.all(all)).toEqual(['a is here', 'b is here', 'c is here', 'd is here'])
})

test('what somebody waits for is next', async () => {
  const { turns, begun, ask, end } = two()
  for (const key of ['a', 'b', 'c', 'd', 'e']) void ask(key)
  turns.hurry('e')
  turns.hurry('a')
  turns.hurry('nothing that anybody asked for')
  await end('a')
  await end('b')
  expect(begun).toEqual(['a', 'b', 'e', 'c'])
})

test('a failure makes way for the next', async () => {
  const { begun, ask, fail } = two()
  const failed = expect(ask('a')).rejects.toThrow('a failed')
  for (const key of ['b', 'c']) void ask(key)
  await settled()
  fail('a')
  await failed
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('what is taken back before its turn is never begun, and nobody waits for it', async () => {
  const { begun, ask, end } = two()
  for (const key of ['a', 'b']) void ask(key)
  const back = new AbortController()
  const gone = expect(ask('c', back.signal)).rejects.toThrow('left the page')
  void ask('d')
  back.abort(new Error('left the page'))
  await gone
  await expect(ask('e', back.signal)).rejects.toThrow('left the page')
  await end('a')
  expect(begun).toEqual(['a', 'b', 'd'])
})
