/** Where lines hang: what a source supplies directly, or what lies behind a line. */
export type BusKey = `source:${number}` | `line:${number}`

export const busOfSource = (sourceId: number): BusKey => `source:${sourceId}`
/** What lies behind a line: the bus that it feeds, or its load. */
export const busOfLine = (lineId: number): BusKey => `line:${lineId}`

/** A line as a diagram knows it. */
export interface DrawnLine {
  readonly lineId: number
  /** The line that feeds it; null: none that is registered. */
  readonly feederId: number | null
  /** False: it measures and cannot be opened, and is a closed edge. */
  readonly hasSwitch: boolean
}

/** Something that supplies the plant (电源). */
export interface SupplySource {
  readonly sourceId: number
  /** Lines without a feeder that it supplies. */
  readonly lines: readonly number[]
}

/** A switch between two buses (母联): nothing is fed by it while both have their own supply. */
export interface BusTie {
  readonly lineId: number
  readonly busA: BusKey
  readonly busB: BusKey
}

/** What feeds what, without circles: a tree under each source, and ties between its buses. */
export interface PlantGraph {
  readonly sources: readonly { readonly sourceId: number; readonly roots: readonly number[] }[]
  /** The lines that each line feeds, in the order in which lines were given. */
  readonly fed: ReadonlyMap<number, readonly number[]>
  /** The bus on which each line hangs. Lines of ties are not in it. */
  readonly hangsOn: ReadonlyMap<number, BusKey>
  readonly ties: readonly BusTie[]
  readonly withoutSwitch: ReadonlySet<number>
  /** Lines that were taken out of a circle and stand directly under a source. */
  readonly cut: readonly number[]
}

/**
 * The diagram's graph. Lines without a feeder hang under the source that names them, the others under the first one; of a circle the line that
 * was given first is taken out.
 */
export function plantGraph(
  lines: readonly DrawnLine[],
  sources: readonly SupplySource[],
  ties: readonly BusTie[] = [],
): PlantGraph {
  const known = new Set(lines.map(({ lineId }) => lineId))
  const drawnTies = validTies(ties, known, new Set(sources.map(({ sourceId }) => sourceId)))
  const tying = new Set(drawnTies.map(({ lineId }) => lineId))
  const fed = new Map<number, number[]>()
  const roots: number[] = []
  for (const { lineId, feederId } of lines) {
    if (tying.has(lineId)) continue
    if (feederId === null || !known.has(feederId) || tying.has(feederId)) roots.push(lineId)
    else append(fed, feederId, lineId)
  }
  const reached = new Set<number>()
  const reach = (from: number) => {
    const open = [from]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(...(fed.get(next) ?? []))
    }
  }
  for (const root of roots) reach(root)
  const cut: number[] = []
  const feederOf = new Map(lines.flatMap(({ lineId, feederId }) => (feederId === null ? [] : [[lineId, feederId] as const])))
  const order = new Map(lines.map(({ lineId }, at) => [lineId, at]))
  for (const { lineId, feederId } of lines) {
    if (reached.has(lineId) || tying.has(lineId) || feederId === null) continue
    const out = inCircle(lineId, feederOf, order)
    const feeder = feederOf.get(out) ?? out
    fed.set(
      feeder,
      (fed.get(feeder) ?? []).filter((each) => each !== out),
    )
    cut.push(out)
    reach(out)
  }
  const top = under(sources, [...roots, ...cut])
  const hangsOn = new Map<number, BusKey>()
  for (const { sourceId, roots: own } of top) for (const line of own) hangsOn.set(line, busOfSource(sourceId))
  for (const [feeder, children] of fed) for (const line of children) hangsOn.set(line, busOfLine(feeder))
  return {
    ...{ sources: top, fed: nonEmpty(fed), hangsOn, cut, ties: drawnTies },
    withoutSwitch: new Set(lines.flatMap(({ lineId, hasSwitch }) => (hasSwitch ? [] : [lineId]))),
  }
}

/** Of the circle above a line the member that was given first. */
function inCircle(from: number, feederOf: ReadonlyMap<number, number>, order: ReadonlyMap<number, number>): number {
  const passed = new Set<number>()
  let at = from
  while (!passed.has(at)) {
    passed.add(at)
    at = feederOf.get(at) ?? at
  }
  let first = at
  for (let next = feederOf.get(at) ?? at; next !== at; next = feederOf.get(next) ?? at)
    if ((order.get(next) ?? 0) < (order.get(first) ?? 0)) first = next
  return first
}

/** Roots by their source, each once; those that no source names stand under the first. */
function under(sources: readonly SupplySource[], roots: readonly number[]): PlantGraph['sources'] {
  const of = new Map<number, number>()
  for (const { sourceId, lines } of sources) for (const line of lines) if (!of.has(line)) of.set(line, sourceId)
  const first = sources[0]?.sourceId
  return sources.map(({ sourceId }) => ({ sourceId, roots: roots.filter((line) => (of.get(line) ?? first) === sourceId) }))
}

function validTies(ties: readonly BusTie[], lines: ReadonlySet<number>, sources: ReadonlySet<number>): readonly BusTie[] {
  const exists = (key: BusKey) => {
    const id = idOf(key)
    return key.startsWith('source:') ? sources.has(id) : lines.has(id)
  }
  const used = new Set<number>()
  const switches = new Set(ties.map(({ lineId }) => busOfLine(lineId)))
  return ties.filter(({ lineId, busA, busB }) => {
    if (used.has(lineId) || !lines.has(lineId) || busA === busB) return false
    // What hangs behind a tie is no bus of its own.
    if (!exists(busA) || !exists(busB) || switches.has(busA) || switches.has(busB)) return false
    used.add(lineId)
    return true
  })
}

/** The number in a bus's key. */
export const idOf = (key: BusKey): number => Number(key.slice(key.indexOf(':') + 1))

function append(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

const nonEmpty = (map: ReadonlyMap<number, readonly number[]>) => new Map([...map].filter(([, list]) => list.length > 0))
