import { useSyncExternalStore } from 'react'

/** Server time less this machine's: ages are told by the server's clock, whatever the machine's says. */
let offsetMs = 0

/** A time of this machine's clock, by the server's. */
export const byServer = (at: number): number => at + offsetMs

/** The time by the server's clock, as far as it is known. */
export const serverNow = (): number => byServer(Date.now())

let isExact = false

/** The server said what time it has. Half a second of travel is no difference. */
export function setServerTime(at: number): void {
  isExact = true
  correct(at, 500)
}

/** What a reply's head says, to the second: enough until the live link has said it exactly, and where there is none. */
export function setServerSecond(at: number): void {
  if (!isExact) correct(at, 2_000)
}

function correct(at: number, withinMs: number): void {
  const offset = at - Date.now()
  if (Math.abs(offset - offsetMs) > withinMs) offsetMs = Math.abs(offset) > withinMs ? offset : 0
}

let now = serverNow()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Nobody listened: what was read last may be long ago, and by a clock that has been put right since.
  if (timer === undefined) tick()
  timer ??= setInterval(tick, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = serverNow()
  for (const each of listeners) each()
}

/** The time by the server's clock, one tick a second for the whole console. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

/** What follows from the time, asked with every tick; the component redraws when it is another. */
export const useByNow = <T extends string | number | boolean>(of: (now: number) => T): T =>
  useSyncExternalStore(subscribe, () => of(now))
