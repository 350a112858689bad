import { useSyncExternalStore } from 'react'

/** Server time less this machine's: ages are told by the server's clock, whatever the machine's says. */
let offsetMs = 0

/** The time by the server's clock, as far as it is known. */
export const serverNow = (): number => Date.now() + offsetMs

/** The server said what time it has. Half a second of travel is no difference. */
export function setServerTime(at: number): void {
  const offset = at - Date.now()
  if (Math.abs(offset - offsetMs) > 500) offsetMs = Math.abs(offset) > 500 ? offset : 0
}

let now = serverNow()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = serverNow()
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time by the server's clock, one tick a second for the whole console. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
