import type { BusKey, PlantGraph } from './graph.ts'
import { busOfLine } from './graph.ts'
import { measures as m } from './measures.ts'

/** What is to be drawn below a bus: a feeder with what hangs on it, a folded part, or where a tie leaves. */
export type Item =
  | { readonly kind: 'line'; readonly lineId: number; readonly below: Bus | null }
  | { readonly kind: 'tile'; readonly lines: readonly number[] }
  | { readonly kind: 'tie'; readonly lineId: number; readonly to: BusKey }

/** A bus with what hangs on it, in one row or several, measured. */
export interface Bus {
  readonly key: BusKey
  readonly rows: readonly (readonly Sized[])[]
  readonly width: number
  readonly height: number
}

export interface Sized {
  readonly item: Item
  readonly width: number
  readonly height: number
}

export interface DrawOptions {
  readonly slot: number
  /** No row is wider; what a single item needs it gets. */
  readonly maxWidth: number
  readonly folded: ReadonlySet<number>
  /** Lines below which, themselves included, something is not normal. */
  readonly abnormalBelow: ReadonlySet<number>
  /** Ties that are drawn at their buses, by bus. */
  readonly ties: ReadonlyMap<BusKey, readonly { readonly lineId: number; readonly to: BusKey }[]>
}

/** Measures a bus and all below it. */
export function busOf(graph: PlantGraph, key: BusKey, lines: readonly number[], options: DrawOptions): Bus {
  const items = lines.map((lineId) => sizedLine(graph, lineId, options))
  const ties = (options.ties.get(key) ?? []).map((tie) => ({
    item: { kind: 'tie', ...tie } as const,
    ...{ width: options.slot, height: m.load },
  }))
  return arranged(key, [...items, ...ties], options.maxWidth)
}

function sizedLine(graph: PlantGraph, lineId: number, options: DrawOptions): Sized {
  const children = graph.fed.get(lineId)
  const { slot } = options
  if (!children) return { item: { kind: 'line', lineId, below: null }, width: slot, height: m.load }
  const below = options.folded.has(lineId)
    ? foldedBus(graph, lineId, children, options)
    : openBus(graph, lineId, children, options)
  return {
    item: { kind: 'line', lineId, below },
    width: Math.max(below.width, m.feeder, slot),
    height: m.level + below.height,
  }
}

const openBus = (graph: PlantGraph, lineId: number, children: readonly number[], options: DrawOptions): Bus =>
  busOf(graph, busOfLine(lineId), children, options)

/** What is normal on it is one tile; what is not stands beside it. */
function foldedBus(graph: PlantGraph, lineId: number, children: readonly number[], options: DrawOptions): Bus {
  const shown = children.filter((child) => options.abnormalBelow.has(child))
  const hidden = children.filter((child) => !options.abnormalBelow.has(child))
  const bus = busOf(graph, busOfLine(lineId), shown, options)
  if (hidden.length === 0) return bus
  const tile: Sized = { item: { kind: 'tile', lines: withBelow(graph, hidden) }, width: m.tile, height: m.load }
  return arranged(bus.key, [...bus.rows.flat(), tile], options.maxWidth)
}

/** Lines with all that they feed. */
export function withBelow(graph: PlantGraph, lines: readonly number[]): readonly number[] {
  const all = [...lines]
  for (const line of all) all.push(...(graph.fed.get(line) ?? []))
  return all
}

/** In rows that are no wider than may be. */
export function arranged(key: BusKey, items: readonly Sized[], maxWidth: number): Bus {
  const rows = rowsOf(items, maxWidth)
  const indent = rows.length > 1 ? m.riser : 0
  const width = indent + Math.max(m.riser, ...rows.map(widthOf))
  const height = rows.reduce((sum, row, at) => sum + Math.max(0, ...row.map((each) => each.height)) + (at > 0 ? m.rowGap : 0), 0)
  return { key, rows, width, height }
}

/** Items in rows, in their order. */
export function rowsOf(items: readonly Sized[], maxWidth: number): Sized[][] {
  if (widthOf(items) <= maxWidth) return [[...items]]
  const rows: Sized[][] = []
  let row: Sized[] = []
  let used = m.riser
  for (const item of items) {
    const more = (row.length > 0 ? m.gap : 0) + item.width
    if (row.length > 0 && used + more > maxWidth) {
      rows.push(row)
      row = []
      used = m.riser
    }
    used += (row.length > 0 ? m.gap : 0) + item.width
    row.push(item)
  }
  rows.push(row)
  return rows
}

export const widthOf = (row: readonly Sized[]): number =>
  row.reduce((sum, { width }) => sum + width, 0) + m.gap * Math.max(0, row.length - 1)
