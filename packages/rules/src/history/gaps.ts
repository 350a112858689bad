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
  const longest = periodsToGap * periodMs
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
