import type { ConditionState, LinkageState } from './linkage-fold.ts'
import { setBackLinkage } from './linkage-fold.ts'

/**
 * What two servers know of one linkage, put together: of each condition what was observed last, and of the whole what was known by the newer
 * observations. What cannot be compared goes by who evaluated it last.
 */
export function mergedLinkage(own: LinkageState, theirs: LinkageState): LinkageState {
  const isLater = theirs.clock > own.clock
  const isTheirs = (mine: readonly number[], by: readonly number[]) => {
    const index = mine.findIndex((each, place) => each !== by[place])
    return index < 0 ? isLater : (by[index] ?? 0) > (mine[index] ?? 0)
  }
  const conditions = own.conditions.map((mine, index) => {
    const by = theirs.conditions[index]
    return by && isTheirs(observedAt(mine), observedAt(by)) ? by : mine
  })
  const { known, unknownSince, knownBy } = asKnown(isTheirs([knownAt(own)], [knownAt(theirs)]) ? theirs : own)
  return { clock: own.clock, conditions, known, unknownSince, knownBy, away: own.away }
}

/** The same of one that has just risen: what it is known to be is what is acted on, whatever others know. */
export const mergedRise = (own: LinkageState, theirs: LinkageState): LinkageState => ({
  ...mergedLinkage(own, theirs),
  ...asKnown(own),
})

/** What another server knows, which cannot have observed anything after `latest`, Unix ms: where it says so its clock is ahead by as much. */
export function notAhead(theirs: LinkageState, latest: number): LinkageState {
  const last = Math.max(never, ...theirs.conditions.map(({ lastAt }) => lastAt ?? never))
  return last > latest ? setBackLinkage(theirs, last - latest) : theirs
}

const asKnown = (state: LinkageState) => ({
  ...{ known: state.known, unknownSince: state.unknownSince },
  knownBy: state.known === null ? null : knownAt(state),
})

const never = Number.NEGATIVE_INFINITY

/** A value that could be relied on counts for more than that there is none by now: behind another server there may be one. */
const observedAt = ({ goodAt, lastAt }: ConditionState): readonly number[] => [goodAt ?? never, lastAt ?? never]

/** Of what is not known any more it is known how it was before. */
function knownAt({ known, unknownSince, knownBy, conditions }: LinkageState): number {
  if (known === null) return never
  return (
    knownBy ?? Math.min(unknownSince ?? Number.POSITIVE_INFINITY, Math.max(...conditions.map(({ goodAt }) => goodAt ?? never)))
  )
}
