import type { Project, Topology } from '@linewarden/contract'
import { getTopology } from '@linewarden/contract'
import type { NodePower, PlantGraph } from '@linewarden/rules/screen'
import { useMemo } from 'react'
import type { QueryState } from '../../app/net/combined-query.ts'
import { combineQueries } from '../../app/net/combined-query.ts'
import { useLiveLink } from '../../app/net/live-link.ts'
import { useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { live, useLivePulse } from '../../plant/live-store.ts'
import { useLineRefs, useProjects, useSnapshots } from '../../plant/queries.ts'
import { serverNow, useByNow } from '../../ui/use-now.ts'
import type { PlantState } from './plant-state.ts'
import { drawnPower, graphOf, stateOf } from './plant-state.ts'

/** A plant with all that a diagram of it needs. */
export interface Plant {
  readonly project: Project
  readonly topology: Topology
  /** Of its lines; a detector is fed by nothing. */
  readonly lines: readonly LineRef[]
  /** Detectors as well. */
  readonly all: readonly LineRef[]
  readonly byId: ReadonlyMap<number, LineRef>
  readonly graph: PlantGraph
  readonly present: PlantState
  readonly power: ReadonlyMap<number, NodePower>
}

/** Positions are drawn within a quarter of a second, figures twice a second. */
const positionsMs = 250
const figuresMs = 500

/** The plant of a project as it stands; null while it is not here yet. */
export function usePlant(houseId: number): { readonly plant: Plant | null; readonly query: QueryState } {
  const polling = useLiveLink(({ link }) => link !== 'open')
  const houses = useMemo(() => [houseId], [houseId])
  const { projects, lacking } = useProjects(houses, polling)
  useSnapshots(houses, polling)
  const entered = useCall(getTopology, { params: { HouseID: houseId } }, { staleTime: 60_000 })
  const all = useLineRefs(projects)
  const lines = useMemo(() => all.filter(({ family }) => family?.level === 'line'), [all])
  const project = projects[0]
  const topology = entered.data
  const graph = useMemo(() => topology && graphOf(lines, topology), [lines, topology])
  const positions = useLivePulse(positionsMs)
  const figures = useLivePulse(figuresMs)
  // What nobody reports any more turns old by itself.
  const tick = useByNow((now) => Math.floor(now / 5_000))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pulse says that the live store moved
  const present = useMemo(() => graph && stateOf(graph, lines, live, serverNow()), [graph, lines, positions, tick])
  // biome-ignore lint/correctness/useExhaustiveDependencies: likewise, more slowly
  const power = useMemo(() => graph && present && drawnPower(graph, lines, present, live), [graph, lines, figures, tick])
  const byId = useMemo(() => new Map(lines.map((each) => [each.line.LineID, each])), [lines])
  const isHere = project && topology && graph && present && power
  return {
    plant: isHere ? { project, topology, lines, all, byId, graph, present, power } : null,
    query: combineQueries(lacking ? [entered, lacking] : [entered]),
  }
}
