/** Silent for longer than this many reporting periods, and it is a gap. */
export const periodsToGap = 3

export type Stretch = readonly [from: number, to: number]

/**
 * Where nothing was reported: stretches longer than three reporting periods between what is there, before the first and after the last.
 * `covered` are the stretches that have values, in order: a sample covers its own moment, a bucket what lies between its first and last.
 */
export function gapsOf(
  covered: readonly Stretch[],
  { from, to, periodMs }: { from: number; to: number; periodMs: number },
): Stretch[] {
  const gaps: Stretch[] = []
  const longest = periodsToGap * Math.max(periodMs, usualSilence(covered))
  let reached = from
  let began = false
  for (const [start, end] of covered) {
    if (start - reached > longest) gaps.push([reached, start])
    reached = began ? Math.max(reached, end) : end
    began = true
  }
  if (to - reached > longest) gaps.push([reached, to])
  return gaps
}

/** Fewer than these say nothing about how often the equipment used to report. */
const minCovered = 8

/** How long it was usually silent, because it may have reported less often than it does now: a quarter of all silences are shorter. */
function usualSilence(covered: readonly Stretch[]): number {
  if (covered.length <= minCovered) return 0
  const silences = new Float64Array(covered.length - 1)
  for (let i = 1; i < covered.length; i++) silences[i - 1] = (covered[i]?.[0] ?? 0) - (covered[i - 1]?.[1] ?? 0)
  return silences.sort()[Math.floor(silences.length / 4)] ?? 0
}

/** Runs of samples that carry a mark: each as its first and last moment. */
export function runsOf(at: readonly number[], marked: (index: number) => boolean, widthMs: number): Stretch[] {
  const runs: [number, number][] = []
  let open: [number, number] | null = null
  for (const [index, each] of at.entries()) {
    if (!marked(index)) {
      open = null
    } else if (open) {
      open[1] = each + widthMs
    } else {
      open = [each, each + widthMs]
      runs.push(open)
    }
  }
  return runs
}
