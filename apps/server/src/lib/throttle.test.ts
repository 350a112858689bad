import { expect, test } from 'vitest'
import { maxApart, throttle } from './throttle.ts'

/** What is told, every ten milliseconds at most; what `lost` has cannot be. */
function telling() {
  const state = { now: 0, lost: new Set<string>(), reported: [] as string[] }
  const kinds = throttle(
    10,
    () => state.now,
    async (latest: string, at, more) => {
      if (state.lost.has(latest)) throw new Error(`${latest} was not written`)
      state.reported.push(`${latest} ${at} ${more}`)
    },
  )
  return { state, kinds }
}

test('what could not be told is counted on, and told with what came since', async () => {
  const { state, kinds } = telling()
  await kinds.note('m', 'k', 'a')
  await kinds.note('m', 'k', 'b')
  state.lost = new Set(['b', 'c'])
  state.now = 10
  await expect(kinds.flush()).rejects.toThrow('b was not written')
  // It was to be told at once with the one before it: now both are counted.
  await expect(kinds.note('m', 'k', 'c')).rejects.toThrow('c was not written')
  state.lost = new Set()
  await kinds.note('m', 'k', 'd')
  expect(state.reported).toEqual(['a 0 0'])
  await kinds.flush(true)
  await kinds.flush(true)
  expect(state.reported).toEqual(['a 0 0', 'd 10 3'])
})

test('the last time, what cannot be told keeps back no other', async () => {
  const { state, kinds } = telling()
  for (const kind of ['one', 'two', 'three']) {
    await kinds.note('m', kind, kind)
    await kinds.note('m', kind, kind)
  }
  state.lost = new Set(['one', 'three'])
  await expect(kinds.flush(true)).rejects.toThrow('one was not written')
  expect(state.reported.slice(3)).toEqual(['two 0 1'])
  state.lost = new Set()
  await kinds.flush(true)
  expect(state.reported.slice(4)).toEqual(['one 0 1', 'three 0 1'])
})

test('however many kinds there are of a matter, only so many are told apart, and the others are one', async () => {
  const { state, kinds } = telling()
  for (let kind = 1; kind <= 1_000; kind++) await kinds.note('m', String(kind), String(kind))
  expect(state.reported).toHaveLength(maxApart + 1)
  // It takes no place from another matter.
  await kinds.note('n', 'k', 'of another')
  expect(state.reported.slice(maxApart)).toEqual([`${maxApart + 1} 0 0`, 'of another 0 0'])
  state.now = 10
  await kinds.flush()
  expect(state.reported.slice(maxApart + 2)).toEqual([`1000 10 ${1_000 - maxApart - 1}`])
  // What was told is forgotten: there is room again.
  await kinds.note('m', '1001', '1001')
  expect(state.reported.at(-1)).toBe('1001 10 0')
})
