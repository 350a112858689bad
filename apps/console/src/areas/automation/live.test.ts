import type { CommandRecord } from '@linewarden/contract'
import {
  dayOfTimers,
  getTimer,
  lateTimers,
  logTimers,
  previewTimer,
  queryOverrides,
  queryTimers,
  timersAbout,
} from '@linewarden/contract'
import { expect, test, vi } from 'vitest'
import { keyOf } from '../../app/net/keys.ts'
import { inTestBrowser } from '../../dev/test-browser.ts'

inTestBrowser()

const calls = [queryTimers, logTimers, getTimer, timersAbout, dayOfTimers, queryOverrides, lateTimers, previewTimer]

/** Everything that shows timers is on the page. `asked`: how often each was asked for since. */
async function opened() {
  vi.resetModules()
  const { QueryObserver } = await import('@tanstack/react-query')
  const { queryClient } = await import('../../app/net/query-client.ts')
  const { automationLive } = await import('./live.ts')
  const asked = new Map<string, number>()
  for (const call of calls)
    new QueryObserver(queryClient, {
      queryKey: [...keyOf(call), {}],
      queryFn: async () => {
        asked.set(call.name, (asked.get(call.name) ?? 0) + 1)
        return 0
      },
      initialData: 0,
    }).subscribe(() => {})
  asked.clear()
  return { automationLive, asked: () => Object.fromEntries(asked) }
}

test('runs of timers that go on for half a minute: lists follow each second, what is dear every ten, and no form asks anew', async () => {
  const { automationLive, asked } = await opened()
  for (let ms = 0; ms < 30_000; ms += 500) {
    automationLive.onLive?.({ t: 'timerRun', TimerIDs: [1] })
    await vi.advanceTimersByTimeAsync(500)
  }
  const { queryTimers: list = 0, logTimers: log = 0, getTimer: one = 0, ...dear } = asked()
  for (const count of [list, log, one]) expect(count).toBeGreaterThan(20)
  expect(dear).toEqual({ timersAbout: 3, dayOfTimers: 3, queryOverrides: 3, lateTimers: 3 })
})

test('what is dear follows the first run at once, and the last one, too', async () => {
  const { automationLive, asked } = await opened()
  automationLive.onLive?.({ t: 'timerRun', TimerIDs: [1] })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked().timersAbout).toBe(1)
  automationLive.onLive?.({ t: 'timerRun', TimerIDs: [1] })
  await vi.advanceTimersByTimeAsync(9_000)
  expect(asked().timersAbout).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked().timersAbout).toBe(2)
})

test('each step of each order of a timer is none of it: the run says that it went on', async () => {
  const { automationLive, asked } = await opened()
  automationLive.onLive?.({ t: 'command', command: { Source: 'timer' } as CommandRecord })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(asked()).toEqual({})
})
