import type { CivilDay } from '../automation/civil-time.ts'
import { dateText, parseDate } from '../automation/civil-time.ts'

export const maxSuppliesOfProject = 50
export const maxSupplyMembers = 50
/** Beyond them lies nothing that is metered by lines of low voltage. */
export const maxSupplyVa = 1_000_000_000
/** To what a bill rounds energy, Wh. */
export const energySteps = [1, 1_000] as const
/** The last billing day that every month has; 0 is the natural month. */
export const maxBillingDay = 28

/** A line that counts for a supply (1), or is taken off it (-1). */
export interface SupplyMember {
  readonly lineId: number
  readonly sign: 1 | -1
}

/** What the utility bills, as far as others have to fit beside it. Civil dates, both included; null: it goes on. */
export interface BilledSupply {
  readonly supplyId: number
  readonly name: string
  readonly from: string
  readonly to: string | null
  readonly members: readonly SupplyMember[]
}

export type SupplyProblem =
  | { readonly problem: 'datesWrong' | 'noLine' | 'nameUsed' }
  | { readonly problem: 'lineTwice'; readonly lineId: number }
  /** A feeder and what it feeds, both counted: the energy of one is a part of the other's. */
  | { readonly problem: 'fedByMember'; readonly lineId: number; readonly feederId: number }
  /** The same line counts the same way for another supply on some date. */
  | {
      readonly problem: 'lineElsewhere'
      readonly lineId: number
      readonly supply: string
      readonly from: string
      readonly to: string | null
    }

/** What a supply cannot be, all at once. `upstreamOf`: the line that feeds a line now; null: none is known. */
export function supplyProblems(
  supply: BilledSupply,
  others: readonly BilledSupply[],
  upstreamOf: (lineId: number) => number | null,
): readonly SupplyProblem[] {
  const problems: SupplyProblem[] = []
  const own = daysOf(supply)
  if (own === null) problems.push({ problem: 'datesWrong' })
  if (!supply.members.some(({ sign }) => sign === 1)) problems.push({ problem: 'noLine' })
  const beside = others.filter(({ supplyId }) => supplyId !== supply.supplyId)
  const isUsed = ({ name }: BilledSupply) => name.trim().toLowerCase() === supply.name.trim().toLowerCase()
  if (beside.some(isUsed)) problems.push({ problem: 'nameUsed' })
  const seen = new Set<number>()
  for (const { lineId } of supply.members) {
    if (seen.has(lineId)) problems.push({ problem: 'lineTwice', lineId })
    seen.add(lineId)
  }
  return [...problems, ...fedProblems(supply.members, upstreamOf), ...(own ? elsewhere(supply, own, beside) : [])]
}

interface Days {
  readonly first: CivilDay
  readonly last: CivilDay
}

function daysOf({ from, to }: Pick<BilledSupply, 'from' | 'to'>): Days | null {
  const first = parseDate(from)
  const last = to === null ? Number.POSITIVE_INFINITY : parseDate(to)
  return first === null || last === null || last < first ? null : { first, last }
}

/** Feeds can go round by mistake: no way up is longer than this. */
const maxFeeds = 100

function fedProblems(members: readonly SupplyMember[], upstreamOf: (lineId: number) => number | null): readonly SupplyProblem[] {
  const signs = new Map(members.map(({ lineId, sign }) => [lineId, sign]))
  return members.flatMap(({ lineId, sign }): SupplyProblem[] => {
    let feederId = upstreamOf(lineId)
    for (let step = 0; feederId !== null && step < maxFeeds; step++) {
      if (feederId !== lineId && signs.get(feederId) === sign) return [{ problem: 'fedByMember', lineId, feederId }]
      feederId = upstreamOf(feederId)
    }
    return []
  })
}

function elsewhere(supply: BilledSupply, own: Days, others: readonly BilledSupply[]): readonly SupplyProblem[] {
  return supply.members.flatMap(({ lineId, sign }) =>
    others.flatMap((other): SupplyProblem[] => {
      const days = daysOf(other)
      if (days === null || !other.members.some((member) => member.lineId === lineId && member.sign === sign)) return []
      const [first, last] = [Math.max(own.first, days.first), Math.min(own.last, days.last)]
      if (first > last) return []
      const to = last === Number.POSITIVE_INFINITY ? null : dateText(last)
      return [{ problem: 'lineElsewhere', lineId, supply: other.name, from: dateText(first), to }]
    }),
  )
}

/** Whether a supply is billed on a date. */
export function isSuppliedOn(supply: Pick<BilledSupply, 'from' | 'to'>, day: CivilDay): boolean {
  const days = daysOf(supply)
  return days !== null && days.first <= day && day <= days.last
}
