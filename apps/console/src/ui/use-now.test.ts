import { dayMs } from '@linewarden/equipment'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const machine = Date.UTC(2026, 0, 15, 12)

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ now: machine })
})
afterEach(() => vi.useRealTimers())

test('a machine that is a day ahead tells the time of the server from its first reply on', async () => {
  const { serverNow, setServerSecond } = await import('./use-now.ts')
  setServerSecond(machine - dayMs)
  expect(serverNow()).toBe(machine - dayMs)
  vi.setSystemTime(machine + 5_000)
  expect(serverNow()).toBe(machine - dayMs + 5_000)
})

test('what travels for a while, or is told to the second, moves no clock', async () => {
  const { serverNow, setServerSecond, setServerTime } = await import('./use-now.ts')
  setServerSecond(machine - 1_900)
  expect(serverNow()).toBe(machine)
  setServerTime(machine - 400)
  expect(serverNow()).toBe(machine)
})

test('what the live link says counts for more than a reply that was long on its way', async () => {
  const { serverNow, setServerSecond, setServerTime } = await import('./use-now.ts')
  setServerTime(machine - dayMs)
  setServerSecond(machine - dayMs - 30_000)
  expect(serverNow()).toBe(machine - dayMs)
  // The machine's own clock was put right meanwhile.
  vi.setSystemTime(machine - dayMs)
  setServerTime(machine - dayMs)
  expect(serverNow()).toBe(machine - dayMs)
})
