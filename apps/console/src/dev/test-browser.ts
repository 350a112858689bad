import { afterEach, beforeEach, vi } from 'vitest'

/** What a browser has and the console's files ask for as they are loaded, for tests without one: nothing of ours is replaced. */
export function stubBrowser(): void {
  const store = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
  vi.stubGlobal('localStorage', store)
  vi.stubGlobal('sessionStorage', store)
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('location', new URL('http://127.0.0.1:1'))
}

/** Every test of the file has such a browser, and time that passes only when the test says so. */
export function inTestBrowser(): void {
  beforeEach(() => {
    stubBrowser()
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
