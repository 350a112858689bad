import { expect, test, vi } from 'vitest'
import { inTestBrowser } from '../../dev/test-browser.ts'

inTestBrowser()

type Of = { readonly queryKey: readonly unknown[]; readonly queryFn: () => Promise<number> }

async function opened() {
  vi.resetModules()
  const { QueryObserver } = await import('@tanstack/react-query')
  const { queryClient, refreshNow } = await import('./query-client.ts')
  const { refreshSoon } = await import('./refresh-soon.ts')
  /** Something fetched that is on the page: as nothing yet, and old; or for the first time. */
  const show = (of: Of, first = false) => {
    const observer = new QueryObserver(queryClient, first ? of : { ...of, initialData: 0, initialDataUpdatedAt: 1 })
    observer.subscribe(() => {})
    return observer
  }
  return { refreshNow, refreshSoon, show }
}

/** A list that is on the page; each fetch takes so long, and answers which one it was. */
async function onPage(queryKey: readonly unknown[], takesMs: number) {
  const list = await beingFetched(queryKey, takesMs)
  await vi.advanceTimersByTimeAsync(takesMs)
  return list
}

async function beingFetched(queryKey: readonly unknown[], takesMs: number, first = false) {
  const { refreshSoon, refreshNow, show } = await opened()
  let begun = 0
  const queryFn = async () => {
    begun += 1
    const which = begun
    await new Promise((done) => setTimeout(done, takesMs))
    return which
  }
  const observer = show({ queryKey, queryFn }, first)
  return { refreshNow, refreshSoon, begun: () => begun, read: () => observer.getCurrentResult().data ?? 0 }
}

test('a thousand steps within a moment are one fetch, and what came after it is another', async () => {
  const { refreshSoon, begun, read } = await onPage(['events', 7], 10)
  for (let step = 0; step < 1_000; step += 1) refreshSoon(['events', 7], 500)
  expect(begun()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun()).toBe(2)
  refreshSoon(['events', 7], 500)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(read()).toBe(3)
})

test('a flood without end does not keep an answer from arriving, though each takes longer than until the next is due', async () => {
  const { refreshSoon, begun, read } = await onPage(['events', 7], 1_200)
  for (let ms = 0; ms < 20_000; ms += 10) {
    refreshSoon(['events', 7], 500)
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(read()).toBeGreaterThan(5)
  expect(begun()).toBeLessThan(20)
  expect(begun() - read()).toBeLessThanOrEqual(1)
})

test('an answer that hangs is given up for a new one', async () => {
  const { refreshSoon, show } = await opened()
  let begun = 0
  show({
    queryKey: ['events', 7],
    queryFn: () => {
      begun += 1
      return new Promise(() => {})
    },
  })
  expect(begun).toBe(1)
  refreshSoon(['events', 7], 500)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(begun).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun).toBe(2)
})

test('only what is called so is fetched', async () => {
  const { refreshSoon, begun } = await onPage(['events', 7], 10)
  refreshSoon(['events', 8], 500)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun()).toBe(1)
})

test('where the old answer must not be acted on, a fetch that began before the step is begun anew', async () => {
  for (const [maxWaits, fetches] of [
    [undefined, 2],
    [0, 3],
  ] as const) {
    const { refreshSoon, begun } = await onPage(['settings'], 1_000)
    refreshSoon(['settings'], 300, maxWaits)
    await vi.advanceTimersByTimeAsync(300)
    refreshSoon(['settings'], 300, maxWaits)
    await vi.advanceTimersByTimeAsync(300)
    expect(begun()).toBe(fetches)
  }
})

test('a step during the first load of all is not lost: the answer that was read before it does not count as new', async () => {
  const { refreshNow, begun, read } = await beingFetched(['commands'], 1_000, true)
  await vi.advanceTimersByTimeAsync(500)
  refreshNow(['commands'])
  await vi.advanceTimersByTimeAsync(700)
  expect([begun(), read()]).toEqual([2, 0])
  await vi.advanceTimersByTimeAsync(300)
  expect([begun(), read()]).toEqual([2, 2])
})

test('a first load that hangs is given up for a new one, too', async () => {
  const { refreshSoon, begun } = await beingFetched(['settings'], 60_000, true)
  refreshSoon(['settings'], 300, 0)
  await vi.advanceTimersByTimeAsync(300)
  expect(begun()).toBe(2)
})
