import type { Bus, Item, Sized } from './block.ts'
import { widthOf } from './block.ts'
import type { BusKey } from './graph.ts'
import { measures as m } from './measures.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A line from the bus it hangs on down to its load, or to the bus that it feeds. */
export interface LineShape {
  readonly lineId: number
  /** Of its conductor. */
  readonly x: number
  readonly top: number
  readonly bottom: number
  /** `incomer`: between a source and its bus. */
  readonly role: 'load' | 'feeder' | 'incomer'
  readonly label: Box
}

/** One row of a bus; `part` 0 is its first. */
export interface BusShape {
  readonly key: BusKey
  readonly part: number
  readonly x: number
  readonly width: number
  readonly y: number
  /** Where it comes down from its first row; null: it is the first. */
  readonly riserFrom: number | null
  readonly label: Box
}

export interface TileShape {
  /** The bus whose lines it stands for. */
  readonly key: BusKey
  readonly lines: readonly number[]
  readonly x: number
  readonly top: number
  readonly box: Box
}

export interface SourceShape {
  readonly sourceId: number
  readonly x: number
  readonly top: number
  readonly bottom: number
}

/** `stub`: it leaves for a bus that stands elsewhere. `channel`: between two buses side by side. */
export type TieShape = { readonly lineId: number; readonly label: Box } & (
  | { readonly kind: 'stub'; readonly x: number; readonly top: number; readonly bottom: number; readonly to: BusKey }
  | { readonly kind: 'channel'; readonly from: number; readonly to: number; readonly top: number; readonly y: number }
)

/** What is drawn, and where. */
export interface Drawing {
  readonly lines: LineShape[]
  readonly buses: BusShape[]
  readonly tiles: TileShape[]
  readonly sources: SourceShape[]
  readonly ties: TieShape[]
}

export const emptyDrawing = (): Drawing => ({ lines: [], buses: [], tiles: [], sources: [], ties: [] })

/** Draws a bus whose left end and height are given, and all below it. */
export function placeBus(bus: Bus, x: number, y: number, into: Drawing): void {
  const indent = bus.rows.length > 1 ? m.riser : 0
  let top = y
  bus.rows.forEach((row, part) => {
    const width = Math.max(m.riser, widthOf(row)) + indent
    const label = {
      x: x + m.inset + m.labelGap,
      y: top - m.busLabel,
      width: Math.max(0, width - m.inset - m.labelGap),
      height: 20,
    }
    into.buses.push({ ...{ key: bus.key, part, x, width, y: top }, riserFrom: part === 0 ? null : y, label })
    let left = x + indent
    for (const sized of row) {
      placeItem(sized, bus.key, left, top, into)
      left += sized.width + m.gap
    }
    top += Math.max(0, ...row.map((each) => each.height)) + m.rowGap
  })
}

function placeItem({ item, width }: Sized, bus: BusKey, left: number, top: number, into: Drawing): void {
  const x = left + m.inset
  const label = labelAt(x, top + m.labelTop, width - m.inset - m.labelGap)
  if (item.kind === 'tile') {
    const box = { x: left, y: top + m.labelTop - 12, width, height: 88 }
    into.tiles.push({ key: bus, lines: item.lines, x, top, box })
  } else if (item.kind === 'tie')
    into.ties.push({ kind: 'stub', lineId: item.lineId, x, top, bottom: top + m.load, to: item.to, label })
  else placeLine(item, left, top, label, into)
}

function placeLine(item: Item & { readonly kind: 'line' }, left: number, top: number, label: Box, into: Drawing): void {
  const { lineId, below } = item
  const bottom = top + (below ? m.level : m.load)
  into.lines.push({ lineId, x: left + m.inset, top, bottom, role: below ? 'feeder' : 'load', label })
  if (below) placeBus(below, left, bottom, into)
}

const labelAt = (x: number, y: number, width: number): Box => ({ x: x + m.labelGap, y, width, height: m.label })
