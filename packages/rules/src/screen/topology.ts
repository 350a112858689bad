import type { BusKey, BusTie } from './graph.ts'
import { idOf } from './graph.ts'

export const supplyKinds = ['grid', 'generator', 'pv', 'battery'] as const
export type SupplyKind = (typeof supplyKinds)[number]

/** Of a project, each. */
export const topologyLimits = { sources: 16, buses: 400, ties: 64, linesOfSource: 200, kva: 1_000_000, kv: 1_000 } as const

/** How a project is supplied, as people entered it: what feeds what between lines stands with the lines. */
export interface EnteredTopology {
  readonly sources: readonly { readonly sourceId: number; readonly lines: readonly number[] }[]
  readonly buses: readonly { readonly key: BusKey }[]
  readonly ties: readonly BusTie[]
}

/** What is wrong with it, and where. */
export type TopologyProblem =
  | { readonly problem: 'sourceTwice' | 'busTwice'; readonly at: number }
  | { readonly problem: 'notHere'; readonly in: 'sources' | 'buses' | 'ties'; readonly at: number }
  | { readonly problem: 'lineTwice'; readonly in: 'sources' | 'ties'; readonly at: number; readonly lineId: number }
  | {
      readonly problem: 'fedAlready'
      readonly in: 'sources' | 'ties'
      readonly at: number
      readonly lineId: number
      readonly feederId: number
    }
  | { readonly problem: 'oneBus' | 'tieFeeds'; readonly at: number; readonly lineId: number }

/** All of it at once. `feederOf`: the line that feeds a line, null for none; undefined: it is no line that may be named here. */
export function topologyProblems(
  { sources, buses, ties }: EnteredTopology,
  feederOf: (lineId: number) => number | null | undefined,
  feeds: (lineId: number) => boolean,
): readonly TopologyProblem[] {
  const problems: TopologyProblem[] = []
  const ids = new Set<number>()
  const named = new Set<number>()
  const name = (place: 'sources' | 'ties', at: number, lineId: number) => {
    const feederId = feederOf(lineId)
    if (feederId === undefined) return problems.push({ problem: 'notHere', in: place, at })
    if (named.has(lineId)) problems.push({ problem: 'lineTwice', in: place, at, lineId })
    else if (feederId !== null) problems.push({ problem: 'fedAlready', in: place, at, lineId, feederId })
    named.add(lineId)
  }
  sources.forEach(({ sourceId, lines }, at) => {
    if (ids.has(sourceId)) problems.push({ problem: 'sourceTwice', at })
    ids.add(sourceId)
    for (const lineId of lines) name('sources', at, lineId)
  })
  const isHere = (key: BusKey) => (key.startsWith('source:') ? ids.has(idOf(key)) : feederOf(idOf(key)) !== undefined)
  const called = new Set<BusKey>()
  buses.forEach(({ key }, at) => {
    if (!isHere(key)) problems.push({ problem: 'notHere', in: 'buses', at })
    if (called.has(key)) problems.push({ problem: 'busTwice', at })
    called.add(key)
  })
  ties.forEach(({ lineId, busA, busB }, at) => {
    name('ties', at, lineId)
    if (!isHere(busA) || !isHere(busB)) problems.push({ problem: 'notHere', in: 'ties', at })
    else if (busA === busB) problems.push({ problem: 'oneBus', at, lineId })
    if (feeds(lineId)) problems.push({ problem: 'tieFeeds', at, lineId })
  })
  return problems
}
