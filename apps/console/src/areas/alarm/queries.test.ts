import type { EventRecord } from '@linewarden/contract'
import { listEvents } from '@linewarden/contract'
import { expect, test, vi } from 'vitest'
import { keyOf } from '../../app/net/keys.ts'
import { inTestBrowser } from '../../dev/test-browser.ts'

inTestBrowser()

test('of a flood of events only the line on the page is asked about, and once', async () => {
  vi.resetModules()
  const { QueryObserver } = await import('@tanstack/react-query')
  const { queryClient } = await import('../../app/net/query-client.ts')
  const { refreshLineEvents } = await import('./queries.ts')
  let asked = 0
  const drawer = new QueryObserver(queryClient, {
    queryKey: keyOf(listEvents, { body: { LineID: 7, Around: true, Size: 5 } }),
    queryFn: async () => {
      asked += 1
      return asked
    },
  })
  drawer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toBe(1)
  const atRest = vi.getTimerCount()
  // The other lines have no drawer: not even a timer is left behind.
  for (const LineID of [8, 9, 10]) refreshLineEvents({ LineID } as EventRecord)
  expect(vi.getTimerCount()).toBe(atRest)
  for (let event = 0; event < 1_000; event += 1) refreshLineEvents({ LineID: 7 } as EventRecord)
  expect(vi.getTimerCount()).toBe(atRest + 1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toBe(2)
  // What concerns a whole device or gateway may concern the line: it is asked about once, too.
  for (let event = 0; event < 1_000; event += 1) refreshLineEvents({ LineID: null } as EventRecord)
  expect(vi.getTimerCount()).toBe(atRest + 1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toBe(3)
})
