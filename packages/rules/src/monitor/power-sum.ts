/** A line whose power is to be summed with that of others. */
export interface PowerLine {
  readonly id: number
  /** Active power that it carries; null: not known. */
  readonly kw: number | null
}

/** What lines carry together, and what of them that is made of. */
export interface PowerSum {
  /** Null: of no line it is known. */
  readonly kw: number | null
  /** Ids of the lines whose power was added. */
  readonly added: readonly number[]
  /** Lines that are not added, because a line that feeds them is: what they carry is part of that. */
  readonly within: number
  /** Lines whose power is not in it, as nobody knows it. */
  readonly unknown: number
}

/** Which line feeds a line, as registered; undefined or null: none is registered. */
export type UpstreamOf = (id: number) => number | null | undefined

/**
 * Adds up what lines carry. A branch is part of what its upstream line carries, at any depth, and is added only where that line is not among
 * them or its power is not known.
 */
export function sumPower(lines: readonly PowerLine[], upstreamOf: UpstreamOf): PowerSum {
  const powers = new Map(lines.flatMap(({ id, kw }) => (kw === null ? [] : [[id, kw] as const])))
  const isKnown = (id: number) => powers.has(id)
  const ids = new Set(lines.map(({ id }) => id))
  const added = [...powers.keys()].filter((id) => !isFedBy(id, isKnown, upstreamOf))
  const lost = [...ids].filter((id) => !powers.has(id) && !isFedBy(id, isKnown, upstreamOf))
  return {
    kw: added.length === 0 ? null : added.reduce((sum, id) => sum + (powers.get(id) ?? 0), 0),
    added,
    within: ids.size - added.length - lost.length,
    unknown: lost.length,
  }
}

/** Whether one of these lines feeds it, at any distance. A registered loop ends where it began. */
export function isFedBy(id: number, isOneOfThese: (id: number) => boolean, upstreamOf: UpstreamOf): boolean {
  const passed = new Set([id])
  for (let above = upstreamOf(id); above != null && !passed.has(above); above = upstreamOf(above)) {
    if (isOneOfThese(above)) return true
    passed.add(above)
  }
  return false
}
