import { tryDaily } from './daily.ts'
import { eventKeys, tryEvents } from './events.ts'
import { sampleKeys, trySamples } from './samples.ts'
import type { Tried, TriedOut } from './trial.ts'

/** Whether a detector looks once a day, and so says nothing of the day that is not over. */
export const looksDaily = (key: string): boolean => !eventKeys.includes(key) && !sampleKeys.includes(key)

/** Tries out a detector on some lines. */
export function tryOut(tried: Tried): Promise<TriedOut> {
  const { key } = tried.detector
  if (eventKeys.includes(key)) return tryEvents(tried)
  return sampleKeys.includes(key) ? trySamples(tried) : tryDaily(tried)
}
