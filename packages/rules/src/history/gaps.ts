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
  const usual = usualSilences(covered)
  const longestAt = (place: number) => periodsToGap * Math.max(periodMs, usual(place))
  let reached = from
  let began = false
  for (const [place, [start, end]] of covered.entries()) {
    if (start - reached > longestAt(place - 1)) gaps.push([reached, start])
    reached = began ? Math.max(reached, end) : end
    began = true
  }
  if (to - reached > longestAt(covered.length - 1)) gaps.push([reached, to])
  return gaps
}

/** Fewer than these say nothing about how often the equipment used to report. */
const minCovered = 8
/** So many silences on either side of one say how often the equipment reported then. */
const neighbours = 12

/**
 * How long it was usually silent around a silence, because it may have reported less often then than it does now: a quarter of its neighbours
 * before it, or of those after it, are no longer.
 */
function usualSilences(covered: readonly Stretch[]): (place: number) => number {
  if (covered.length <= minCovered) return () => 0
  const silences = new Float64Array(covered.length - 1)
  for (let i = 1; i < covered.length; i++) silences[i - 1] = (covered[i]?.[0] ?? 0) - (covered[i - 1]?.[1] ?? 0)
  const last = Math.max(0, silences.length - neighbours)
  const usualFrom = new Float64Array(last + 1)
  for (let first = 0; first <= last; first++) {
    const some = silences.slice(first, first + neighbours).sort()
    usualFrom[first] = some[Math.floor(some.length / 4)] ?? 0
  }
  const within = (first: number) => usualFrom[Math.min(last, Math.max(0, first))] ?? 0
  return (place) => Math.max(within(place - neighbours), within(place + 1))
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
