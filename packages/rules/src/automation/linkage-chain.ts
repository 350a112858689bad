/** When a condition came to be met: after its last value that did not meet it, by the first that did; Unix ms. */
export interface ConditionChange {
  readonly after: number
  readonly by: number
}

/** What a run of a linkage did, or is about to do, where a change was seen; Unix ms. */
export interface LinkageCause {
  readonly orderedAt: number
  /** When the equipment said that it is so; null: it has not. */
  readonly reportedAt: number | null
  /** When nothing more could come of it; null: it is under way, or what became of it is not known. */
  readonly endedAt: number | null
  /** It was ordered of this line, or of one that feeds it. Else it may have changed what is measured here: by what this line feeds, or by its intent. */
  readonly isDirect: boolean
  /** The linkages whose runs led to it, and its own at the end. */
  readonly linkageIds: readonly number[]
}

/** So long after a commanded position a change of the line is its consequence. */
export const consequenceMs = 30_000
/** Clocks of two servers may be so far apart. */
export const clocksApartMs = 5_000

/** Whether a change was a consequence of it by what is known: the moment of the change counts, not that of what fires by it later. */
export const isConsequence = ({ orderedAt, reportedAt, isDirect }: LinkageCause, { by }: ConditionChange): boolean =>
  isDirect && orderedAt <= by && by - (reportedAt ?? orderedAt) <= consequenceMs

/**
 * Whether a change can have been a consequence of it. Nothing is closed where that is so: equipment that reports once a minute shows late what
 * has changed, and an order of which nobody knows what became may still be carried out.
 */
export const mayBeConsequence = ({ orderedAt, reportedAt, endedAt }: LinkageCause, { after, by }: ConditionChange): boolean =>
  orderedAt - clocksApartMs <= by && after <= (reportedAt ?? endedAt ?? Number.POSITIVE_INFINITY) + consequenceMs

/** Of causes the one that tells most against firing: the linkage stands in its chain, else the longest chain, else the last. Null: there is none. */
export function worstCause<C extends LinkageCause>(causes: readonly C[], linkageId: number): C | null {
  const weight = ({ linkageIds }: LinkageCause) => (linkageIds.includes(linkageId) ? Number.POSITIVE_INFINITY : linkageIds.length)
  return causes.reduce<C | null>((worst, each) => {
    if (worst === null) return each
    const [one, other] = [weight(worst), weight(each)]
    return other > one || (other === one && each.orderedAt >= worst.orderedAt) ? each : worst
  }, null)
}
