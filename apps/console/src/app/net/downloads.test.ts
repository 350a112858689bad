import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubBrowser } from '../../dev/test-browser.ts'

beforeEach(() => {
  stubBrowser()
  // The link that is pressed for the person; the file itself is the browser's affair.
  vi.stubGlobal('document', { createElement: () => ({ click: () => {} }) })
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const prepared = { Ticket: 't1', FileName: 'history.csv' }

async function signedIn() {
  vi.resetModules()
  const session = await import('../session/session.ts')
  const { startDownload, useDownload } = await import('./downloads.ts')
  session.begin('1', 'first token')
  return { ...session, startDownload, shown: () => useDownload.getState().current?.name ?? null }
}

test('a download goes on when its session ended and the same person is signed in again', async () => {
  const { startDownload, shown, expire, begin } = await signedIn()
  void startDownload(async () => prepared)
  await vi.advanceTimersByTimeAsync(0)
  expect(shown()).toBe('history.csv')
  expire()
  begin('1', 'second token')
  expect(shown()).toBe('history.csv')
})

test('another account is told nothing of it, and nobody is after signing out', async () => {
  const { startDownload, shown, expire, begin, leave } = await signedIn()
  void startDownload(async () => prepared)
  await vi.advanceTimersByTimeAsync(0)
  expire()
  begin('2', 'token')
  expect(shown()).toBeNull()
  void startDownload(async () => prepared)
  await vi.advanceTimersByTimeAsync(0)
  expect(shown()).toBe('history.csv')
  leave(true)
  expect(shown()).toBeNull()
})

test('what is prepared while its person signs out is not the next one’s', async () => {
  const { startDownload, shown, begin, leave } = await signedIn()
  const { promise, resolve } = Promise.withResolvers<typeof prepared>()
  void startDownload(() => promise)
  leave(true)
  begin('2', 'token')
  resolve(prepared)
  await vi.advanceTimersByTimeAsync(0)
  expect(shown()).toBeNull()
})
