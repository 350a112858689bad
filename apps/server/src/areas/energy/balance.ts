import type { BalanceChild, BalanceLine, EnergyBalance, getBalance, Request } from '@linewarden/contract'
import { maxBalanceChildren, maxBalanceLines } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import type { CivilPeriod, LikelyCause } from '@linewarden/rules/energy'
import {
  causesTried,
  comparedWith,
  likelyCausesOf,
  quarterMs,
  sameMoment,
  startOfDay,
  usualAccuracyPercent,
} from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { settledAt } from './amount.ts'
import type { FamilyBalance, Member } from './families.ts'
import { familiesIn, meterOf } from './families.ts'
import type { DatesAsked, ProjectFeeds } from './feeds.ts'
import { datesAsked } from './feeds.ts'
import { lackingQuarters } from './line-sums.ts'
import { scopeOf } from './scope.ts'

export type Balances = ReturnType<typeof createBalances>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Query = Request<typeof getBalance>['query']

/** What lines that feed others measured, and what those measured that they fed. */
export function createBalances({ database, plant, clock }: Deps) {
  return {
    async read(actor: Actor, query: Query): Promise<EnergyBalance> {
      const scope = scopeOf(plant, actor, query)
      const now = clock()
      const dates = datesAsked(scope.project, query, settledAt(now))
      const compared = comparedDates(dates, query.Compare, settledAt(now))
      const { feeds, families } = await familiesIn(database, actor, scope, dates)
      const before = compared && (await familiesIn(database, actor, scope, compared)).families
      const beforeOf = new Map(before?.map((family) => [family.parent.lineId, family]))
      const sorted = families.toSorted(worstFirst)
      const reply = (family: FamilyBalance) => lineReply(family, feeds, beforeOf.get(family.parent.lineId))
      return {
        ...{ Zone: scope.project.timeZone, At: now, Until: dates.until, AccuracyPercent: usualAccuracyPercent },
        Lines: sorted.slice(0, maxBalanceLines).map(reply),
        Total: families.length,
        Verdicts: verdictsOf(families),
        Top: topOf(families),
        Compared: compared && comparedReply(compared),
      }
    },
  }
}

function comparedDates(
  { zone, first, end, until }: DatesAsked,
  comparison: Query['Compare'],
  settled: number,
): DatesAsked | null {
  if (comparison === undefined) return null
  const compared = comparedWith({ first, end }, comparison)
  const { comparedUntil } = sameMoment(zone, { first, end }, compared, Math.max(until, settled))
  return { zone, first: compared.first, end: compared.end, until: comparedUntil }
}

const comparedReply = ({ zone, first, end, until }: DatesAsked) => ({
  ...{ From: dateText(first), To: dateText(end), Until: until === startOfDay(zone, end) ? null : until },
})

const gravest = ['partsAboveWhole', 'unmetered', 'unknown', 'withinError'] as const

/** By the verdict, and then by how much is left. */
const worstFirst = (one: FamilyBalance, other: FamilyBalance): number =>
  gravest.indexOf(one.verdict) - gravest.indexOf(other.verdict) ||
  Math.abs(other.restWh ?? 0) - Math.abs(one.restWh ?? 0) ||
  one.parent.lineId - other.parent.lineId

function verdictsOf(families: readonly FamilyBalance[]): EnergyBalance['Verdicts'] {
  const counts = { partsAboveWhole: 0, unmetered: 0, unknown: 0, withinError: 0 }
  for (const { verdict } of families) counts[verdict] += 1
  return counts
}

/** Those that none of the others feeds, as a whole; null: one of them is not known, or was fed by another on a part of the dates. */
function topOf(families: readonly FamilyBalance[]): EnergyBalance['Top'] {
  const fed = new Map(families.flatMap(({ children }) => children.map((child) => [child.lineId, child] as const)))
  if (families.some(({ parent }) => isPart(fed.get(parent.lineId), parent))) return null
  const top = families.filter(({ parent }) => !fed.has(parent.lineId))
  const sum = { Wh: 0, ChildrenWh: 0, RestWh: 0 }
  let square = 0
  for (const { parent, restWh, errorWh } of top) {
    if (parent.wh === null || restWh === null || errorWh === null) return null
    sum.Wh += parent.wh
    sum.ChildrenWh += parent.wh - restWh
    sum.RestWh += restWh
    square += errorWh ** 2
  }
  return top.length === 0 ? null : { ...sum, ErrorWh: Math.round(Math.sqrt(square)), Lines: top.length }
}

const daysOf = (periods: readonly CivilPeriod[]): number => periods.reduce((days, { first, end }) => days + end - first, 0)
/** It counts on fewer dates than the other. */
const isPart = (one: Member | undefined, { periods }: Member): boolean =>
  one !== undefined && daysOf(one.periods) < daysOf(periods)

const secondsOf = (quarters: number): number => (quarters * quarterMs) / 1_000

function lineReply(family: FamilyBalance, feeds: ProjectFeeds, before: FamilyBalance | undefined): BalanceLine {
  const { parent, children, verdict, restWh, errorWh, isUnseen } = family
  const feeder = feederAtEnd(parent.lineId, feeds)
  const causes = causesOf(family)
  return {
    ...nameOf(parent.lineId, feeds),
    Feeder: feeder !== null && feeds.isSeen(feeder) ? feeder : null,
    FeederUnseen: feeder !== null && !feeds.isSeen(feeder),
    Days: daysOf(parent.periods),
    Wh: parent.wh,
    ChildrenWh: isUnseen || parent.wh === null ? null : children.reduce((sum, { wh }) => sum + (wh ?? 0), 0),
    ...{ RestWh: restWh, ErrorWh: errorWh === null ? null : Math.round(errorWh), Verdict: verdict },
    Why: verdict === 'unknown' ? (isUnseen ? 'unseen' : 'lacking') : null,
    ...{ ComparedS: secondsOf(family.comparedQuarters), LeftOutS: secondsOf(family.leftOutQuarters) },
    Uncertain: family.notMeasured,
    Children: children.slice(0, maxBalanceChildren).map((child) => childReply(child, parent, feeds)),
    More: Math.max(0, children.length - maxBalanceChildren),
    Tried: causes === null ? 0 : causesTried(verdict, children.length),
    Causes: (causes ?? []).map(({ child, factor, restWh: left }) => {
      const { LineID, Name } = nameOf(children[child]?.lineId ?? 0, feeds)
      return { LineID, Name, Cause: causeNames.get(factor) ?? 'fedElsewhere', RestWh: Math.round(left) }
    }),
    Compared: before ? { Wh: before.parent.wh, RestWh: before.restWh, Verdict: before.verdict } : null,
  }
}

const causeNames = new Map<LikelyCause['factor'], 'double' | 'tenfold' | 'onePhase'>([
  [2, 'double'],
  [10, 'tenfold'],
  [1 / 3, 'onePhase'],
])
/** Of more children a single one is no likely cause, and trying takes too long. */
const maxTried = 200
const maxCauses = 20

function causesOf({ parent, children, isUnseen }: FamilyBalance): readonly LikelyCause[] | null {
  if (isUnseen || children.length > maxTried) return null
  return likelyCausesOf(meterOf(parent), children.map(meterOf)).slice(0, maxCauses)
}

const childReply = (child: Member, parent: Member, feeds: ProjectFeeds): BalanceChild => ({
  ...nameOf(child.lineId, feeds),
  ...{ Wh: child.wh, Whole: !isPart(child, parent), LackingS: secondsOf(lackingQuarters(child.sum)) },
})

function nameOf(lineId: number, { lines }: ProjectFeeds) {
  const line = lines.get(lineId)
  return { LineID: lineId, Name: line?.name ?? '', GatewayName: line?.gatewayName ?? '' }
}

/** What feeds a line on the last of the dates. */
function feederAtEnd(lineId: number, { fed, roots }: ProjectFeeds): number | null {
  let [feeder, last]: [number | null, number] = [null, roots.get(lineId)?.at(-1)?.end ?? Number.NEGATIVE_INFINITY]
  for (const [each, children] of fed) {
    const end = children.find((child) => child.lineId === lineId)?.periods.at(-1)?.end
    if (end !== undefined && end > last) [feeder, last] = [each, end]
  }
  return feeder
}
