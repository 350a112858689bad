import { taggedLines } from '@linewarden/contract'
import { expect, test, vi } from 'vitest'
import { keyOf } from '../app/net/keys.ts'
import { inTestBrowser } from '../dev/test-browser.ts'

inTestBrowser()

test('a line that came, or that somebody was given, may come with tags: they are asked for again', async () => {
  vi.resetModules()
  const { QueryObserver } = await import('@tanstack/react-query')
  const { queryClient } = await import('../app/net/query-client.ts')
  const { plantLive } = await import('./live.ts')
  const queryFn = vi.fn(async () => 0)
  const leave = new QueryObserver(queryClient, { queryKey: keyOf(taggedLines, {}), queryFn }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(10)
  expect(queryFn).toHaveBeenCalledTimes(1)
  plantLive.onLive?.({ t: 'tree' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(queryFn).toHaveBeenCalledTimes(2)
  leave()
})
