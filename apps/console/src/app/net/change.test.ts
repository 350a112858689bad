import { lineTags, listEvents, placeTag } from '@linewarden/contract'
import { expect, test, vi } from 'vitest'
import { inTestBrowser } from '../../dev/test-browser.ts'

inTestBrowser()

const line = { ControllerID: 'A-1', LineNo: 1 }
const placing = { params: line, body: { TagID: 'a', Kind: 'lock', On: 'line', Reason: '检修' } } as const
const page = (items: readonly unknown[]) => Response.json({ Code: 1, Message: '', Datas: items, Total: items.length })

/** A page that shows the tags of a line and the events of another, in front of a server that answers `change` to whatever is not read. */
async function opened(change: () => Promise<Response>) {
  vi.resetModules()
  const reads: string[] = []
  let answer = async () => page([])
  vi.stubGlobal('fetch', async (url: string, { method }: { method: string }) => {
    if (method === 'POST' && url.endsWith('/tags')) return change()
    reads.push(url.endsWith('/tags') ? 'tags' : 'events')
    return answer()
  })
  const { QueryObserver } = await import('@tanstack/react-query')
  const { queryClient } = await import('./query-client.ts')
  const { queryOf } = await import('./use-call.ts')
  const show = (query: object) => new QueryObserver(queryClient, { ...query, retry: false } as never).subscribe(() => {})
  show(queryOf(lineTags, { params: line }))
  show(queryOf(listEvents, { body: { LineID: 2 } }))
  await vi.advanceTimersByTimeAsync(10)
  expect(reads.splice(0).toSorted()).toEqual(['events', 'tags'])
  return {
    ...(await import('./api.ts')),
    ...(await import('./change.ts')),
    reads,
    answerWith: (next: () => Promise<Response>) => {
      answer = next
    },
  }
}

const done = async () => Response.json({ Code: 1, Message: '', Data: {} })
const refused = async () => Response.json({ Code: 0, Message: 'no permission' })
const lost = async () => {
  throw new TypeError('no answer')
}

test.each([
  ['was done', done],
  ['was refused', refused],
  ['got no answer', lost],
])('what shows the tags, and nothing else, is read again after a call that touches them and %s', async (_, ending) => {
  const { api, reads } = await opened(ending)
  await api.call(placeTag, placing).catch(() => {})
  await vi.advanceTimersByTimeAsync(10)
  expect(reads).toEqual(['tags'])
})

test('a change counts as done only when what it touches has been read again', async () => {
  const { change, reads, answerWith } = await opened(done)
  const read = Promise.withResolvers<Response>()
  answerWith(() => read.promise)
  let isDone = false
  const changed = change(placeTag, placing).then(() => {
    isDone = true
  })
  await vi.advanceTimersByTimeAsync(10)
  expect([reads, isDone]).toEqual([['tags'], false])
  read.resolve(page([]))
  await vi.advanceTimersByTimeAsync(10)
  await changed
  expect(isDone).toBe(true)
})

test('after the same change of many things they are read again once, and each that failed is told', async () => {
  let calls = 0
  const { changeEach, reads } = await opened(async () => {
    calls += 1
    return calls === 2 ? refused() : done()
  })
  const failed = await changeEach(placeTag, ['a', 'b', 'c'], (TagID) => ({ ...placing, body: { ...placing.body, TagID } }))
  expect([calls, failed.map(({ thing }) => thing), reads]).toEqual([3, ['b'], ['tags']])
})
