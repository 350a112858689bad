/** Which line supplied which, from when until when (供电关系). */
export interface SupplySpan {
  readonly lineId: number
  /** The line above it; null: none that is metered. */
  readonly upstreamId: number | null
  /** Unix ms, included. */
  readonly from: number
  /** Unix ms, not included; null: until now. */
  readonly to: number | null
}

/** The line above each line at an instant. */
export function upstreamAt(spans: readonly SupplySpan[], at: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const { lineId, upstreamId, from, to } of spans)
    if (upstreamId !== null && from <= at && (to === null || at < to)) found.set(lineId, upstreamId)
  return found
}

/**
 * The lines of a set whose nearest metered line above is outside the set: their energy is the energy of the set, and nothing in it is counted twice.
 *
 * @param metered the lines that measure energy; the others pass on what is above them.
 */
export function boundaryOf(
  set: ReadonlySet<number>,
  metered: ReadonlySet<number>,
  upstream: ReadonlyMap<number, number>,
): readonly number[] {
  return [...set]
    .filter((line) => metered.has(line) && !set.has(meteredAbove(line, metered, upstream) ?? Number.NaN))
    .sort((one, other) => one - other)
}

/** The nearest metered line above; null: none. */
function meteredAbove(line: number, metered: ReadonlySet<number>, upstream: ReadonlyMap<number, number>): number | null {
  // A circle is refused where it is entered; one that is there must not keep anybody waiting.
  const passed = new Set([line])
  for (let above = upstream.get(line); above !== undefined && !passed.has(above); above = upstream.get(above)) {
    if (metered.has(above)) return above
    passed.add(above)
  }
  return null
}

/**
 * The first instant from which supplying `lineId` from `upstreamId` would close a circle, with its lines in order; null: it never does.
 *
 * @param from Unix ms, from when on it is supplied so; what supplied it before counts for nothing then.
 */
export function circleSince(
  spans: readonly SupplySpan[],
  lineId: number,
  upstreamId: number,
  from: number,
): { readonly at: number; readonly path: readonly number[] } | null {
  const others = spans.filter((span) => span.lineId !== lineId && (span.to === null || span.to > from))
  const edges = new Set([from, ...others.map((span) => span.from).filter((at) => at > from)])
  for (const at of [...edges].sort((one, other) => one - other)) {
    const path = circleOf(upstreamAt(others, at), lineId, upstreamId)
    if (path) return { at, path }
  }
  return null
}

/** The lines of a circle that supplying `lineId` from `upstreamId` would close, in order; null: there is none. */
export function circleOf(upstream: ReadonlyMap<number, number>, lineId: number, upstreamId: number): readonly number[] | null {
  const path = [lineId]
  for (
    let above: number | undefined = upstreamId;
    above !== undefined && !path.slice(1).includes(above);
    above = upstream.get(above)
  ) {
    path.push(above)
    if (above === lineId) return path
  }
  return null
}
