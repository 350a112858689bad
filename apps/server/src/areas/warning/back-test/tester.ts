import { dayMs } from '@linewarden/equipment'
import { diagramDisagrees } from '@linewarden/rules/warning'
import { tryDaily } from './daily.ts'
import { eventKeys, tryEvents } from './events.ts'
import { sampleKeys, trySamples } from './samples.ts'
import type { Tried, TriedOut } from './trial.ts'
import { isFor, nothingOf } from './trial.ts'

/** Whether a detector looks once a day, and so says nothing of the day that is not over. */
export const looksDaily = (key: string): boolean => !eventKeys.includes(key) && !sampleKeys.includes(key)

/**
 * Lines that are tried at once. Hours lie by time and not by line: to find those that pass a limit the database reads the same of them for
 * many lines as for few, and of most lines no sample is read.
 */
export const linesAtOnce = (key: string): number => (sampleKeys.includes(key) ? 5_000 : 125)

/** Tries out a detector on some lines. */
export function tryOut(tried: Tried): Promise<TriedOut> {
  const { key } = tried.detector
  if (key === diagramDisagrees.key) return Promise.resolve(tryNothing(tried))
  if (eventKeys.includes(key)) return tryEvents(tried)
  return sampleKeys.includes(key) ? trySamples(tried) : tryDaily(tried)
}

/** How all switches and feeds of a plant stood at each moment of the past is not kept. */
const tryNothing = ({ lines, trials, from, to }: Tried): TriedOut =>
  trials.map((trial) =>
    lines.filter((line) => isFor(trial, line)).map(({ id }) => nothingOf(id, 'notMeasured', Math.ceil((to - from) / dayMs))),
  )
