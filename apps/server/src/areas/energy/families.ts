import type { Balance, BalanceMeter, CivilPeriod } from '@linewarden/rules/energy'
import { balanceOf, joinedPeriods, usualAccuracyPercent } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { LeftOut } from './common-quarters.ts'
import { leftOutOf } from './common-quarters.ts'
import type { DatesAsked, ProjectFeeds } from './feeds.ts'
import { projectFeeds } from './feeds.ts'
import type { LineDates, LineSum } from './line-sums.ts'
import { lackingQuarters, stretchesOf, sumsOf } from './line-sums.ts'
import type { Scope } from './scope.ts'

/** A line on the dates on which it counts for a family. */
export interface Member extends LineDates {
  readonly sum: LineSum
  /** Of what is compared, Wh; null: nothing is. */
  readonly wh: number | null
  readonly stepWh: number | null
  /** Its class; of several meters one after the other, the widest. */
  readonly accuracyPercent: number
  readonly stretches: number
}

/** A member as the meter that it is. */
export const meterOf = ({ wh, stepWh, stretches, accuracyPercent }: Member): BalanceMeter => ({
  ...{ wh, stepWh, stretches, accuracyPercent },
})

/** A line that feeds others, what it measured while it did, and what those measured. */
export interface FamilyBalance extends Balance {
  readonly parent: Member
  /** Those that are seen, the largest first. */
  readonly children: readonly Member[]
  readonly isUnseen: boolean
  /** Of what the parent has in what is compared: what was spread, estimated or entered, Wh. */
  readonly notMeasured: number
  readonly comparedQuarters: number
  readonly leftOutQuarters: number
}

/** Each line of a scope that feeds others, on some dates. */
export async function familiesIn(
  database: Database,
  actor: Actor,
  scope: Scope,
  dates: DatesAsked,
): Promise<{ readonly feeds: ProjectFeeds; readonly families: readonly FamilyBalance[] }> {
  const feeds = await projectFeeds(database, actor, scope.project, dates)
  const drafts = draftsOf(scope, feeds)
  const wanted = drafts.flatMap(({ parent, children }) => [parent, ...children])
  const { zone, until } = dates
  return linesSeenBy(
    database,
    actor.scope,
    wanted.map(({ lineId }) => lineId),
  )(async (db) => {
    const sums = await sumsOf(db, zone, wanted, until)
    let place = 0
    const next = (line: LineDates) => ({ ...line, sum: sums[place++] ?? emptySum })
    const summed = drafts.map(({ parent, children, isUnseen }) => ({
      parent: next(parent),
      children: children.map(next),
      isUnseen,
    }))
    const lacking = summed.filter(({ parent, children }) => [parent, ...children].some(({ sum }) => lackingQuarters(sum) > 0))
    const leftOut = await leftOutOf(
      db,
      lacking.map(({ parent, children }) => [parent, ...children].map((line) => stretchesOf(zone, line, until))),
    )
    const byFamily = new Map(lacking.map((family, index) => [family, leftOut[index] ?? null]))
    const nothing: LeftOut = { quarters: 0, wh: [], notMeasured: 0 }
    const registerOf = (lineId: number) => {
      const { stepWh = null, accuracyPercent = null } = feeds.lines.get(lineId) ?? {}
      return { stepWh, accuracyPercent: accuracyPercent ?? usualAccuracyPercent }
    }
    const families = summed.map((family) =>
      balanced(family, byFamily.has(family) ? (byFamily.get(family) ?? null) : nothing, registerOf),
    )
    return { feeds, families }
  })
}

const emptySum: LineSum = { used: 0, known: 0, spread: 0, estimated: 0, entered: 0, quarters: 0 }

interface Draft<M extends LineDates> {
  readonly parent: M
  readonly children: readonly M[]
  readonly isUnseen: boolean
}

function draftsOf(scope: Scope, { lines, fed, isSeen }: ProjectFeeds): readonly Draft<LineDates>[] {
  const isAsked = (lineId: number) =>
    scope.kind === 'p' || (scope.kind === 'g' ? lines.get(lineId)?.gatewayId === scope.id : lineId === scope.id)
  return [...fed].flatMap(([lineId, children]) => {
    if (!isAsked(lineId) || !isSeen(lineId)) return []
    const periods: readonly CivilPeriod[] = joinedPeriods(children.flatMap((child) => child.periods))
    const shown = children.filter((child) => isSeen(child.lineId))
    return [{ parent: { lineId, periods }, children: shown, isUnseen: shown.length < children.length }]
  })
}

type Summed = LineDates & { readonly sum: LineSum }

/** @param leftOut null: too much of it is not known to be looked at. */
function balanced(
  { parent, children, isUnseen }: Draft<Summed>,
  leftOut: LeftOut | null,
  registerOf: (lineId: number) => Pick<Member, 'stepWh' | 'accuracyPercent'>,
): FamilyBalance {
  const leftOutQuarters = leftOut?.quarters ?? parent.sum.quarters
  const comparedQuarters = parent.sum.quarters - leftOutQuarters
  const member = (line: Summed, index: number): Member => ({
    ...line,
    ...registerOf(line.lineId),
    // Each quarter that is left out may part what is compared once more.
    stretches: line.periods.length + leftOutQuarters,
    wh: leftOut === null || comparedQuarters === 0 ? null : line.sum.used - (leftOut.wh[index] ?? 0),
  })
  const [own, parts] = [member(parent, 0), children.map((child, index) => member(child, index + 1))]
  const { spread, estimated, entered } = parent.sum
  const notMeasured = leftOut === null ? 0 : spread + estimated + entered - leftOut.notMeasured
  const known = balanceOf(meterOf(own), parts.map(meterOf))
  // Somebody who does not see all that it feeds would take what the others used for lost.
  const balance: Balance = isUnseen ? { restWh: null, errorWh: null, verdict: 'unknown' } : known
  return {
    ...{ parent: own, children: parts.toSorted((one, other) => (other.wh ?? 0) - (one.wh ?? 0)), isUnseen },
    ...{ ...balance, notMeasured, comparedQuarters, leftOutQuarters },
  }
}
