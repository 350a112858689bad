import type { EnergyFlow, FlowNode as FlowNodeReply, getFlow, Request } from '@linewarden/contract'
import type { CivilPeriod, FlowFeed, FlowFeeder, FlowNode } from '@linewarden/rules/energy'
import { flowOf, joinedPeriods, quarterMs } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import { settledAt } from './amount.ts'
import type { ProjectFeeds } from './feeds.ts'
import { datesAsked, projectFeeds } from './feeds.ts'
import type { LineDates } from './line-sums.ts'
import { lackingQuarters, sumsOf } from './line-sums.ts'
import type { Scope } from './scope.ts'
import { scopeOf } from './scope.ts'

export type Flows = ReturnType<typeof createFlows>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** Where energy goes, from line to line. */
export function createFlows({ database, plant, clock }: Deps) {
  return {
    async read(actor: Actor, query: Request<typeof getFlow>['query']): Promise<EnergyFlow> {
      const scope = scopeOf(plant, actor, query)
      const now = clock()
      const dates = datesAsked(scope.project, query, settledAt(now))
      const feeds = await projectFeeds(database, actor, scope.project, dates)
      const ways = waysOf(scope, feeds)
      const feeders = feedersOf(ways, feeds)
      const wanted: readonly LineDates[] = [...ways.map(({ to, periods }) => ({ lineId: to, periods })), ...feeders]
      const ids = [...new Set(wanted.map(({ lineId }) => lineId))]
      const sums = await linesSeenBy(database, actor.scope, ids)((db) => sumsOf(db, dates.zone, wanted, dates.until))
      const lacking = new Map<number, number>()
      const unsure = new Set(feeders.flatMap(({ lineId, isWhole }) => (isWhole ? [] : [lineId])))
      const flowFeeds = ways.map(({ from, to }, place): FlowFeed => {
        const sum = sums[place]
        const quarters = sum ? lackingQuarters(sum) : 0
        lacking.set(to, (lacking.get(to) ?? 0) + quarters)
        if (quarters > 0 && from !== null) unsure.add(from)
        return { from, to, wh: sum?.used ?? 0 }
      })
      const flowFeeders = new Map<number, FlowFeeder>()
      for (const [place, { lineId }] of feeders.entries()) {
        const sum = sums[ways.length + place]
        const isKnown = sum !== undefined && lackingQuarters(sum) === 0 && !unsure.has(lineId)
        flowFeeders.set(lineId, { fedWh: sum?.used ?? 0, isKnown })
      }
      const { nodes, links } = flowOf(flowFeeds, flowFeeders)
      const nodeReply = (node: FlowNode) => replyOf(node, { feeds, lacking, whole: nameOf(scope, plant) })
      return {
        ...{ Zone: scope.project.timeZone, At: now, Until: dates.until, Lines: lacking.size, Feeders: feeders.length },
        Nodes: nodes.map(nodeReply),
        Links: links.map(({ from, to, wh }) => ({ From: from, To: to, Wh: wh })),
      }
    },
  }
}

/** On which dates energy of a line came from another one; null: from the supply, or from a line beyond what was asked for. */
interface Way {
  readonly from: number | null
  readonly to: number
  readonly periods: readonly CivilPeriod[]
}

/** The lines asked for with all that they feed: of lines elsewhere only what comes from them. */
function waysOf(scope: Scope, { lines, fed, roots, isSeen }: ProjectFeeds): readonly Way[] {
  const isAsked = (lineId: number) =>
    isSeen(lineId) &&
    (scope.kind === 'p' || (scope.kind === 'g' ? lines.get(lineId)?.gatewayId === scope.id : lineId === scope.id))
  const within = new Set([...lines.keys()].filter(isAsked))
  const asked = [...within]
  for (const lineId of within) for (const child of fed.get(lineId) ?? []) if (isSeen(child.lineId)) within.add(child.lineId)
  const ways: Way[] = []
  const outside = new Map(asked.map((lineId): [number, CivilPeriod[]] => [lineId, [...(roots.get(lineId) ?? [])]]))
  for (const [from, children] of fed)
    for (const { lineId, periods } of children) {
      if (within.has(from) && within.has(lineId)) ways.push({ from, to: lineId, periods })
      else outside.get(lineId)?.push(...periods)
    }
  for (const [to, periods] of outside) if (periods.length > 0) ways.push({ from: null, to, periods: joinedPeriods(periods) })
  return ways
}

/** Lines that feed others, on the dates on which they do; whole: all that they feed is seen. */
function feedersOf(ways: readonly Way[], { fed, isSeen }: ProjectFeeds): readonly (LineDates & { readonly isWhole: boolean })[] {
  const within = new Set(ways.map(({ to }) => to))
  return [...fed].flatMap(([lineId, children]) => {
    if (!within.has(lineId)) return []
    const periods = joinedPeriods(children.flatMap((child) => child.periods))
    return [{ lineId, periods, isWhole: children.every((child) => isSeen(child.lineId)) }]
  })
}

function nameOf({ kind, id, project }: Scope, plant: Plant): string {
  const name = kind === 'g' ? plant.gateways.get(id)?.name : kind === 'l' ? plant.lines.get(id)?.name : null
  return name ?? project.name
}

interface Known {
  readonly feeds: ProjectFeeds
  readonly lacking: ReadonlyMap<number, number>
  readonly whole: string
}

function replyOf(node: FlowNode, { feeds, lacking, whole }: Known): FlowNodeReply {
  const none = { LineID: null, Name: null, Lines: 0, Wh: node.wh, AboveWh: 0, LackingS: 0 }
  switch (node.kind) {
    case 'line': {
      const lackingS = ((lacking.get(node.lineId) ?? 0) * quarterMs) / 1_000
      const name = feeds.lines.get(node.lineId)?.name ?? null
      return { ...none, Kind: 'line', LineID: node.lineId, Name: name, Lines: 1, AboveWh: node.aboveWh, LackingS: lackingS }
    }
    case 'others':
      return { ...none, Kind: 'others', Lines: node.lines }
    case 'whole':
      return { ...none, Kind: 'whole', Name: whole }
    default:
      return { ...none, Kind: node.kind }
  }
}
