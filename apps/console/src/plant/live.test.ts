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
  let asked = 0
  const queryFn = async () => {
    asked += 1
    return asked
  }
  const leave = new QueryObserver(queryClient, { queryKey: keyOf(taggedLines, {}), queryFn }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(10)
  expect(asked).toBe(1)
  plantLive.onLive?.({ t: 'tree' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toBe(2)
  leave()
})
