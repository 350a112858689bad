import { Refusal } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { PreviewTurns } from './preview-turns.ts'

function someone(turns: PreviewTurns, owner: string) {
  const [leaves, ends] = [new AbortController(), Promise.withResolvers<string>()]
  let began = false
  const outcome = turns
    .take(owner, leaves.signal, () => {
      began = true
      return ends.promise
    })
    .catch((error) => (error instanceof Refusal ? error.key : error.message))
  return { leaves, ends, outcome, began: () => began }
}

test('of one owner one runs, one waits and runs next, and the third is refused', async () => {
  const turns = new PreviewTurns()
  const [first, second, third] = [someone(turns, 'a'), someone(turns, 'a'), someone(turns, 'a')]
  expect(await third.outcome).toBe('preview busy')
  expect([first.began(), second.began()]).toEqual([true, false])
  first.ends.resolve('done')
  expect(await first.outcome).toBe('done')
  await expect.poll(second.began).toBe(true)
  second.ends.resolve('done')
  expect(await second.outcome).toBe('done')
})

test('who waits and goes away leaves the place to the next, and does not run', async () => {
  const turns = new PreviewTurns()
  const [first, second] = [someone(turns, 'a'), someone(turns, 'a')]
  second.leaves.abort()
  const third = someone(turns, 'a')
  first.ends.reject(new Error('broken off'))
  expect(await first.outcome).toBe('broken off')
  expect(await second.outcome).toBe('preview ended')
  await expect.poll(third.began).toBe(true)
  expect(second.began()).toBe(false)
  third.ends.resolve('done')
  expect(await third.outcome).toBe('done')
})

test('two run at once on one server, of whoever it is, and one who is refused keeps no place', async () => {
  const turns = new PreviewTurns()
  const [first, second, third] = [someone(turns, 'a'), someone(turns, 'b'), someone(turns, 'c')]
  expect(await third.outcome).toBe('preview busy')
  first.ends.resolve('done')
  await first.outcome
  const again = someone(turns, 'c')
  expect(again.began()).toBe(true)
  for (const each of [second, again]) each.ends.resolve('done')
  expect([await second.outcome, await again.outcome]).toEqual(['done', 'done'])
})
