import type { PlantGraph } from './graph.ts'

/** What a node draws; `sum`: of what it feeds, `least`: of those of them that are known. */
export interface NodePower {
  readonly kw: number | null
  readonly how: 'own' | 'sum' | 'least'
}

/** What each line draws: its own meter's figure, else the sum of what it feeds. */
export function powers(graph: PlantGraph, ownKw: (lineId: number) => number | null): ReadonlyMap<number, NodePower> {
  const found = new Map<number, NodePower>()
  const open = graph.sources.flatMap(({ roots }) => roots)
  // Children stand behind their feeder in this list: read from its end they come first.
  for (const line of open) open.push(...(graph.fed.get(line) ?? []))
  for (const line of open.reverse()) {
    const own = ownKw(line)
    const children = graph.fed.get(line)
    found.set(line, own === null && children ? sumOf(children, found) : { kw: own, how: 'own' })
  }
  return found
}

/** What lines draw together. */
export function sumOf(lines: readonly number[], of: ReadonlyMap<number, NodePower>): NodePower {
  let kw: number | null = null
  let how: NodePower['how'] = 'sum'
  for (const line of lines) {
    const each = of.get(line)
    if (each?.kw == null || each.how === 'least') how = 'least'
    if (each?.kw != null) kw = (kw ?? 0) + each.kw
  }
  return { kw, how: kw === null ? 'sum' : how }
}

/** How thick a conductor is drawn, 1 to 6 px, by the root of its load; null where nothing is known of it. */
export function conductorWidth(currentA: number | null, ratedA: number | null): number {
  if (currentA === null || ratedA === null || ratedA <= 0) return 2
  return 1 + Math.min(5, Math.round(5 * Math.sqrt(Math.max(0, currentA) / ratedA)))
}
