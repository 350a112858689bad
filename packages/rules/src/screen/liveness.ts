import type { BusKey, PlantGraph } from './graph.ts'
import { busOfLine, busOfSource } from './graph.ts'

/** Whether a part of the plant is energised (带电, 失电, 不明). */
export type Liveness = 'live' | 'dead' | 'unknown'

/** What is known of a switch: a position that its equipment, being there, reported; unknown whenever it did not. */
export type KnownPosition = 'closed' | 'open' | 'unknown'

/** What is known for certain of the plant's supply. */
export interface SupplyEvidence {
  /** By source; one that is missing is unknown. */
  readonly sources: ReadonlyMap<number, 'on' | 'off' | 'unknown'>
  /** Buses at which a fresh voltage was measured. */
  readonly energised: ReadonlySet<BusKey>
}

/**
 * Which parts are energised, by two searches from the sources: over switches that are certainly closed, and over those that may be. O(lines).
 *
 * @returns by bus, and by what lies behind each line; `disagrees`: a voltage was measured where the drawing has none.
 */
export function liveness(
  graph: PlantGraph,
  positionOf: (lineId: number) => KnownPosition,
  { sources, energised }: SupplyEvidence,
): { readonly of: ReadonlyMap<BusKey, Liveness>; readonly disagrees: ReadonlySet<BusKey> } {
  const edges = edgesOf(graph, positionOf)
  const on: BusKey[] = []
  const maybe: BusKey[] = []
  for (const { sourceId } of graph.sources) {
    const state = sources.get(sourceId) ?? 'unknown'
    if (state === 'on') on.push(busOfSource(sourceId))
    if (state !== 'off') maybe.push(busOfSource(sourceId))
  }
  const measured = [...energised]
  const sure = reach([...on, ...measured], edges, true)
  const byDrawing = reach(maybe, edges, false)
  const possible = reach([...maybe, ...measured], edges, false)
  const of = new Map<BusKey, Liveness>()
  const put = (key: BusKey) => of.set(key, sure.has(key) ? 'live' : possible.has(key) ? 'unknown' : 'dead')
  for (const { sourceId } of graph.sources) put(busOfSource(sourceId))
  for (const lineId of graph.hangsOn.keys()) put(busOfLine(lineId))
  return { of, disagrees: new Set(measured.filter((key) => !byDrawing.has(key))) }
}

interface Edge {
  readonly to: BusKey
  readonly sure: boolean
}

function edgesOf(graph: PlantGraph, positionOf: (lineId: number) => KnownPosition): ReadonlyMap<BusKey, readonly Edge[]> {
  const edges = new Map<BusKey, Edge[]>()
  const join = (from: BusKey, to: BusKey, sure: boolean) => {
    const list = edges.get(from)
    if (list) list.push({ to, sure })
    else edges.set(from, [{ to, sure }])
  }
  const both = (one: BusKey, other: BusKey, lineId: number) => {
    const position = graph.withoutSwitch.has(lineId) ? 'closed' : positionOf(lineId)
    if (position === 'open') return
    join(one, other, position === 'closed')
    join(other, one, position === 'closed')
  }
  for (const [lineId, bus] of graph.hangsOn) both(bus, busOfLine(lineId), lineId)
  for (const { lineId, busA, busB } of graph.ties) both(busA, busB, lineId)
  return edges
}

function reach(from: readonly BusKey[], edges: ReadonlyMap<BusKey, readonly Edge[]>, onlySure: boolean): ReadonlySet<BusKey> {
  const reached = new Set<BusKey>()
  const open = [...from]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    for (const { to, sure } of edges.get(next) ?? []) if (sure || !onlySure) open.push(to)
  }
  return reached
}
