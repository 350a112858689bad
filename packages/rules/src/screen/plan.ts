import type { PlantGraph } from './graph.ts'
import { measures as m } from './measures.ts'
import type { PlanPage, Section } from './page.ts'
import { inOneRow, inRows, sectionsOf } from './page.ts'

/** What a plan is drawn for. */
export interface PlanView {
  readonly width: number
  readonly height: number
  /** Lines that are not as they should be: none of them is ever folded away. */
  readonly abnormal: ReadonlySet<number>
  /** Sources with a transformer. */
  readonly transformers: ReadonlySet<number>
}

/** The single-line diagram of a plant, in as many pages as it takes. */
export interface Plan {
  readonly pages: readonly PlanPage[]
}

/** Pages for what is folded, and with what slots. */
type Draw = (folded: ReadonlySet<number>, slot: number) => readonly PlanPage[]

const nothing: ReadonlySet<number> = new Set()
const least = m.slots.at(-1) ?? m.tile

/**
 * Lays the diagram out: the widest slots that fit; else normal sub-buses are folded from the leaves up, the largest first; else source by source
 * and page by page. Text never shrinks. Pure, and the same for the same plant.
 */
export function fitPlan(graph: PlantGraph, view: PlanView): Plan {
  const abnormalBelow = holdersOf(graph, view.abnormal)
  const sections = sectionsOf(graph)
  const { transformers } = view
  const together: Draw = (folded, slot) => [inOneRow(graph, { abnormalBelow, folded, slot }, transformers)]
  const foldable = foldOrder(graph, sections, abnormalBelow)
  if (sections.length > 1) {
    const fitted = fit(together, view, foldable, (slot) => loadsOf(graph) * slot <= view.width)
    if (fitted) return { pages: [...fitted.pages, ...opened(graph, view, fitted)] }
  }
  const pages = sections.map((section) => {
    const draw: Draw = (folded, slot) =>
      inRows(graph, section, { ...inView(view), abnormalBelow, folded, slot }, { transformers, part: 'all' })
    const own = new Set(section.lines)
    const inside = sections.length === 1 ? foldable : foldable.filter((line) => isBelow(graph, line, own))
    const mayFit = (slot: number) => sections.length > 1 || rowsOfLoads(graph, slot, view.width) * m.load <= view.height
    const all = new Set(inside)
    const fitted = fit(draw, view, inside, mayFit) ?? { pages: draw(all, least), folded: all, slot: least }
    return { fitted, opened: opened(graph, view, fitted, section) }
  })
  return { pages: [...pages.flatMap(({ fitted }) => fitted.pages), ...pages.flatMap((each) => each.opened)] }
}

interface Fitted {
  readonly pages: readonly PlanPage[]
  readonly folded: ReadonlySet<number>
  readonly slot: number
}

/** One page with as little folded as may be, in the widest slots; null: not even all folded fits. */
function fit(draw: Draw, view: PlanView, foldable: readonly number[], mayFit: (slot: number) => boolean): Fitted | null {
  const fits = (pages: readonly PlanPage[]) =>
    pages.length === 1 && pages.every(({ width, height }) => width <= view.width && height <= view.height)
  for (const slot of m.slots) {
    // Where the loads by themselves need more room, nothing else has to be measured.
    if (!mayFit(slot)) continue
    const pages = draw(nothing, slot)
    if (fits(pages)) return { pages, folded: nothing, slot }
  }
  const first = (count: number): ReadonlySet<number> => new Set(foldable.slice(0, count))
  if (!fits(draw(first(foldable.length), least))) return null
  let [low, high] = [0, foldable.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(draw(first(middle), least))) high = middle
    else low = middle + 1
  }
  const folded = first(high)
  const slot = m.slots.find((each) => fits(draw(folded, each))) ?? least
  return { pages: draw(folded, slot), folded, slot }
}

const loadsOf = ({ hangsOn, fed }: PlantGraph): number => hangsOn.size - fed.size
const rowsOfLoads = (graph: PlantGraph, slot: number, width: number): number => Math.ceil((loadsOf(graph) * slot) / width)

/** Whether a line is one of these, or hangs below one. */
function isBelow(graph: PlantGraph, line: number, of: ReadonlySet<number>): boolean {
  for (let at: number | null = line; at !== null; at = feederOf(graph, at)) if (of.has(at)) return true
  return false
}

const inView = ({ width, height }: PlanView) => ({ maxWidth: width, maxHeight: height })

/** What is folded, page by page. */
function opened(graph: PlantGraph, view: PlanView, { folded, slot }: Fitted, only?: Section): PlanPage[] {
  const above = holdersOf(graph, folded)
  const options = { ...inView(view), slot, folded: nothing, abnormalBelow: nothing }
  return (only ? [only] : sectionsOf(graph)).flatMap((section) => {
    const lines = section.lines.filter((line) => above.has(line))
    if (lines.length === 0) return []
    return inRows(graph, { ...section, lines }, options, { transformers: view.transformers, part: 'opened' })
  })
}

/** Lines of a set, and all above them. */
function holdersOf(graph: PlantGraph, lines: ReadonlySet<number>): ReadonlySet<number> {
  const found = new Set<number>()
  for (const line of lines)
    for (let at: number | null = line; at !== null && !found.has(at) && graph.hangsOn.has(at); at = feederOf(graph, at))
      found.add(at)
  return found
}

function feederOf(graph: PlantGraph, lineId: number): number | null {
  const bus = graph.hangsOn.get(lineId)
  return bus?.startsWith('line:') ? Number(bus.slice(5)) : null
}

/** Buses of which something can be folded: the deepest first, of these the largest. The bus of an incomer stays. */
function foldOrder(graph: PlantGraph, sections: readonly Section[], abnormalBelow: ReadonlySet<number>): readonly number[] {
  const incomers = new Set(sections.map(({ incomer }) => incomer))
  const depth = new Map<number, number>()
  const open = graph.sources.flatMap(({ roots }) => roots)
  for (const root of open) depth.set(root, 0)
  for (const line of open)
    for (const child of graph.fed.get(line) ?? []) {
      depth.set(child, (depth.get(line) ?? 0) + 1)
      open.push(child)
    }
  const normal = (line: number) => (graph.fed.get(line) ?? []).filter((child) => !abnormalBelow.has(child)).length
  return open
    .filter((line) => !incomers.has(line) && normal(line) > 1)
    .map((line, at) => ({ line, at, depth: depth.get(line) ?? 0, size: normal(line) }))
    .sort((one, other) => other.depth - one.depth || other.size - one.size || one.at - other.at)
    .map(({ line }) => line)
}
