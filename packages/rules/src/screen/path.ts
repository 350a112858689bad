import type { PlantGraph } from './graph.ts'
import { idOf } from './graph.ts'

/** How a line is supplied, from the source down to the line itself, which is the last. Null: it hangs on nothing, as a tie does. */
export function supplyPath(
  { hangsOn }: PlantGraph,
  lineId: number,
): { readonly sourceId: number | null; readonly lines: readonly number[] } {
  const lines = [lineId]
  for (let bus = hangsOn.get(lineId); bus !== undefined; ) {
    const id = idOf(bus)
    if (bus.startsWith('source:')) return { sourceId: id, lines }
    lines.unshift(id)
    bus = hangsOn.get(id)
  }
  return { sourceId: null, lines }
}
