import type { Bus, DrawOptions, Sized } from './block.ts'
import { arranged, busOf, rowsOf } from './block.ts'
import type { BusKey, BusTie, PlantGraph } from './graph.ts'
import { busOfLine, busOfSource } from './graph.ts'
import { measures as m } from './measures.ts'
import type { Drawing } from './place.ts'
import { emptyDrawing, placeBus } from './place.ts'

/** A picture of the plant, or of a part of it. */
export interface PlanPage extends Drawing {
  readonly width: number
  readonly height: number
  /** `all`: all pages of this kind together are the plant. `opened`: shows what another page has folded. */
  readonly part: 'all' | 'opened'
}

/** A source with some of what hangs on its bus. */
export interface Section {
  readonly sourceId: number
  /** The only line that it supplies, when that feeds a bus. */
  readonly incomer: number | null
  readonly key: BusKey
  readonly lines: readonly number[]
}

/** Each source with all that hangs on it. */
export function sectionsOf(graph: PlantGraph): readonly Section[] {
  return graph.sources.map(({ sourceId, roots }) => {
    const [only] = roots
    const fed = roots.length === 1 && only !== undefined ? graph.fed.get(only) : undefined
    if (only === undefined || !fed) return { sourceId, incomer: null, key: busOfSource(sourceId), lines: roots }
    return { sourceId, incomer: only, key: busOfLine(only), lines: fed }
  })
}

/** Ties between the buses of two sources that stand beside each other; the others are drawn where they leave. */
export function channels(graph: PlantGraph, sections: readonly Section[]): readonly BusTie[] {
  const at = new Map(sections.map(({ key }, index) => [key, index]))
  const used = new Set<number>()
  return graph.ties.filter(({ busA, busB }) => {
    const [a, b] = [at.get(busA), at.get(busB)]
    if (a === undefined || b === undefined || Math.abs(a - b) !== 1) return false
    const place = Math.min(a, b)
    if (used.has(place)) return false
    used.add(place)
    return true
  })
}

/** Of each bus the ties that leave it. */
export function leaving(ties: readonly BusTie[]): DrawOptions['ties'] {
  const found = new Map<BusKey, { readonly lineId: number; readonly to: BusKey }[]>()
  for (const { lineId, busA, busB } of ties)
    for (const [from, to] of [
      [busA, busB],
      [busB, busA],
    ] as const)
      found.set(from, [...(found.get(from) ?? []), { lineId, to }])
  return found
}

/** All sources side by side, each bus in one row. */
export function inOneRow(
  graph: PlantGraph,
  options: Omit<DrawOptions, 'maxWidth' | 'ties'>,
  transformers: ReadonlySet<number>,
): PlanPage {
  const sections = sectionsOf(graph)
  const between = channels(graph, sections)
  const ties = leaving(graph.ties.filter((tie) => !between.includes(tie)))
  const head = headOf(sections, transformers)
  const drawing = emptyDrawing()
  let x = 0
  let height = 0
  sections.forEach((section, at) => {
    const bus = busOf(graph, section.key, section.lines, { ...options, ties, maxWidth: Number.POSITIVE_INFINITY })
    placeSection(section, bus, { x, head, transformers }, drawing)
    height = Math.max(height, head + bus.height)
    const next = sections[at + 1]
    const tied = next && between.find((each) => joins(each, section.key, next.key))
    const end = x + bus.width
    const start = x + Math.max(bus.width, m.sourceGap * 5)
    x = next ? (tied ? Math.max(end + m.tieGap, start + m.sourceGap) : start + m.sourceGap) : start
    if (tied) {
      const label = { x: end + 8, y: head + 64, width: m.tieGap - 16, height: 44 }
      drawing.ties.push({ kind: 'channel', lineId: tied.lineId, from: end, to: x, top: head, y: head + 40, label })
    }
  })
  return { ...drawing, width: x, height, part: 'all' }
}

const joins = ({ busA, busB }: BusTie, one: BusKey, other: BusKey): boolean =>
  (busA === one && busB === other) || (busA === other && busB === one)

/** One source with some of its bus's lines, in as many rows and pages as it takes. */
export function inRows(
  graph: PlantGraph,
  section: Section,
  options: Omit<DrawOptions, 'ties'> & { readonly maxHeight: number },
  { transformers, part }: { readonly transformers: ReadonlySet<number>; readonly part: PlanPage['part'] },
): PlanPage[] {
  const head = headOf([section], transformers)
  const all = busOf(graph, section.key, section.lines, { ...options, ties: leaving(graph.ties) })
  const rows = all.rows.length > 1 ? all.rows : rowsOf(all.rows.flat(), options.maxWidth)
  const pages: Sized[][] = []
  let used = 0
  for (const row of rows) {
    const high = Math.max(0, ...row.map(({ height }) => height)) + m.rowGap
    const page = pages.at(-1)
    if (page && head + used + high - m.rowGap <= options.maxHeight) {
      page.push(...row)
      used += high
    } else {
      pages.push([...row])
      used = high
    }
  }
  return pages.map((items) => {
    const bus = arranged(section.key, items, options.maxWidth)
    const drawing = emptyDrawing()
    placeSection(section, bus, { x: 0, head, transformers }, drawing)
    return { ...drawing, width: Math.max(bus.width, m.sourceGap * 5), height: head + bus.height, part }
  })
}

/** From the top to the bus: the same for all sources that stand side by side. */
function headOf(sections: readonly Section[], transformers: ReadonlySet<number>): number {
  const hasTransformer = sections.some(({ sourceId }) => transformers.has(sourceId))
  const hasIncomer = sections.some(({ incomer }) => incomer !== null)
  return (hasTransformer ? m.transformer : m.source) + (hasIncomer ? m.incomer : 0) + m.busLabel + 8
}

function placeSection(
  { sourceId, incomer }: Section,
  bus: Bus,
  { x, head, transformers }: { readonly x: number; readonly head: number; readonly transformers: ReadonlySet<number> },
  into: Drawing,
): void {
  const centre = x + Math.max(m.inset, Math.round(bus.width / 2))
  const bottom = transformers.has(sourceId) ? m.transformer : m.source
  into.sources.push({ sourceId, x: centre, top: 0, bottom: incomer === null ? head : bottom })
  if (incomer !== null) {
    const label = {
      x: centre + m.labelGap,
      y: bottom + 8,
      width: Math.max(m.feeder, bus.width - (centre - x) - m.labelGap),
      height: 76,
    }
    into.lines.push({ lineId: incomer, x: centre, top: bottom, bottom: head, role: 'incomer', label })
  }
  placeBus(bus, x, head, into)
}
