import type { Project, Topology } from '@linewarden/contract'
import { getTopology, listEvents, tree } from '@linewarden/contract'
import type { PlantGraph } from '@linewarden/rules/screen'
import { sumOf } from '@linewarden/rules/screen'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLiveLink } from '../../app/net/live-link.ts'
import { queryOf, useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import type { LineCondition } from '../../plant/line-condition.ts'
import { conditionOf, severityOf } from '../../plant/line-condition.ts'
import { live, useLivePulse } from '../../plant/live-store.ts'
import { isOld } from '../../plant/old-values.ts'
import { pollMs, useLineRefs, useProjects, useSnapshots } from '../../plant/queries.ts'
import { serverNow, useByNow } from '../../ui/use-now.ts'
import { drawnPower, graphOf, stateOf as plantState, readingOf } from './plant-state.ts'

/** So many projects a wall shows at once. */
export const maxProjects = 24

/** How a project stands, for its tile. */
export interface ProjectState {
  readonly project: Project
  readonly lines: readonly LineRef[]
  /** Lines at which the supply ends: they feed nothing, and are no tie. */
  readonly loads: readonly LineRef[]
  /** What its lines draw that nothing in it feeds; null: nothing is known. */
  readonly kw: number | null
  /** A part of that is not known. */
  readonly isLeast: boolean
  readonly counts: Readonly<Record<'closed' | 'open' | 'tripped' | 'unknown' | 'offline', number>>
  readonly alarms: number
  readonly faults: number
  readonly warnings: number
}

/** All projects in sight, with what stands in them. */
export function useOverview() {
  const polling = useLiveLink(({ link }) => link !== 'open')
  const groups = useCall(tree, { query: { Depth: 'projects' } }, { refetchInterval: polling ? pollMs : 60_000 })
  const all = useMemo(() => (groups.data?.Groups ?? []).flatMap(({ Houses }) => Houses), [groups.data])
  const houseIds = useMemo(() => all.slice(0, maxProjects).map(({ HouseID }) => HouseID), [all])
  const { projects } = useProjects(houseIds, polling)
  useSnapshots(houseIds, polling)
  const lines = useLineRefs(projects)
  const topologies = useTopologies(houseIds)
  const plants = useMemo(
    () => projects.map((project) => plantOf(project, lines, topologies.get(project.HouseID))),
    [projects, lines, topologies],
  )
  const pulse = useLivePulse()
  const tick = useByNow((now) => Math.floor(now / 5_000))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pulse says that the live store moved
  const states = useMemo(() => plants.map(stateOf).toSorted(worstFirst), [plants, pulse, tick])
  return { query: groups, states, houseIds, total: all.length }
}

/** What supplies each project; of one that is not known yet, or not to be seen, all hangs on one grid. */
function useTopologies(houseIds: readonly number[]): ReadonlyMap<number, Topology> {
  return useQueries({
    queries: houseIds.map((HouseID) => ({ ...queryOf(getTopology, { params: { HouseID } }), staleTime: 60_000 })),
    combine: topologiesOf,
  })
}

const topologiesOf = (results: readonly { readonly data: Topology | undefined }[]): ReadonlyMap<number, Topology> =>
  new Map(results.flatMap(({ data }) => (data ? [[data.HouseID, data] as const] : [])))

const unsupplied = { Sources: [{ SourceID: 1, LineIDs: [] }], Ties: [] }

interface ProjectPlant {
  readonly project: Project
  readonly lines: readonly LineRef[]
  /** Without detectors: they are fed by nothing. */
  readonly drawn: readonly LineRef[]
  readonly graph: PlantGraph
}

function plantOf(project: Project, all: readonly LineRef[], topology: Topology | undefined): ProjectPlant {
  const lines = all.filter((each) => each.project.HouseID === project.HouseID)
  const drawn = lines.filter(({ family }) => family?.level === 'line')
  return { project, lines, drawn, graph: graphOf(drawn, topology ?? unsupplied) }
}

function stateOf({ project, lines, drawn, graph }: ProjectPlant): ProjectState {
  const counts = { closed: 0, open: 0, tripped: 0, unknown: 0, offline: 0 }
  const worst = { alarm: 0, fault: 0, warning: 0 }
  const now = serverNow()
  for (const { line, device, family } of lines) {
    const state = live.line(line.LineID)
    const condition = conditionOf(state, (live.deviceLink(device.ControllerID) ?? device.Link).Link, family)
    const severity = severityOf(state)
    if (severity) worst[severity] += 1
    if (family?.states.some(({ key }) => key === 'position') && family.level === 'line') counts[countedAs(condition)] += 1
  }
  // Nothing counts twice: neither what an incomer feeds, nor what goes from bus to bus over a tie.
  const roots = graph.sources.flatMap((source) => source.roots)
  const { kw, how } = sumOf(roots, drawnPower(graph, drawn, plantState(graph, drawn, live, now), live))
  const loads = drawn.filter(({ line }) => graph.hangsOn.has(line.LineID) && !graph.fed.has(line.LineID))
  return {
    project,
    lines,
    loads,
    kw,
    isLeast: how === 'least',
    counts,
    alarms: worst.alarm,
    faults: worst.fault,
    warnings: worst.warning,
  }
}

function countedAs(condition: LineCondition): keyof ProjectState['counts'] {
  if (condition === 'opening' || condition === 'closed') return 'closed'
  if (condition === 'closing' || condition === 'open') return 'open'
  return condition === 'tripped' || condition === 'offline' ? condition : 'unknown'
}

/** By what is wrong, then by name: a wall’s tiles do not wander with their values. */
const worstFirst = (one: ProjectState, other: ProjectState): number =>
  rankOf(other) - rankOf(one) || one.project.Name.localeCompare(other.project.Name)

const rankOf = ({ alarms, faults, warnings }: ProjectState): number => (alarms > 0 ? 3 : faults > 0 ? 2 : warnings > 0 ? 1 : 0)

/** The largest loads that feed nothing else. */
export function largestLoads(states: readonly ProjectState[], most: number): readonly { lineRef: LineRef; kw: number }[] {
  const now = serverNow()
  return states
    .flatMap(({ loads }) =>
      loads.flatMap((lineRef) => {
        const { line, family } = lineRef
        const state = live.line(line.LineID)
        const kw = isOld(state, family, now) ? null : readingOf(state, family, 'power.total')
        return kw === null ? [] : [{ lineRef, kw }]
      }),
    )
    .toSorted((one, other) => other.kw - one.kw)
    .slice(0, most)
}

/** What happened last, whether or not it is over. */
export function useLastFacts(most: number) {
  const { data } = useCall(listEvents, { body: { Size: most, Folded: false } }, { refetchInterval: 60_000 })
  return data?.items ?? []
}
