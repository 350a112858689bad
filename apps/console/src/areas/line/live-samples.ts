import type { Sample } from './line-chart-option.ts'

const timeOf = ([at]: Sample): number => at

/**
 * The samples with one that came live, by their own times. A device whose clock was ahead and has been set right says earlier times than
 * before: what it measures is shown at once, not when the time has caught up. The same list: this one is in it, or was stored, already.
 */
export function withLive(fresh: readonly Sample[], stored: readonly Sample[], sample: Sample): readonly Sample[] {
  const at = timeOf(sample)
  if ([...fresh, ...stored].some((each) => timeOf(each) === at)) return fresh
  return [...fresh, sample].sort((a, b) => timeOf(a) - timeOf(b))
}

/** Stored and live samples, oldest first. */
export const inOrder = (stored: readonly Sample[], fresh: readonly Sample[]): readonly Sample[] =>
  [...stored, ...fresh].sort((a, b) => timeOf(a) - timeOf(b))
