import type { BusKey, PlantGraph } from './graph.ts'
import { idOf } from './graph.ts'
import type { SupplyEvidence } from './liveness.ts'

/** Half of what a conductor has against earth is certainly energised; a tenth is certainly not. */
export const energisedV = 110
const deadV = 22

/**
 * What measured voltages say of a plant's supply. `voltsOf`: the highest that a line measures now, at the bus that it hangs on; null: nothing is
 * known, as of one that is away or old.
 *
 * @returns with the lines that measured each bus energised, the first of them first.
 */
export function supplyEvidence(
  graph: PlantGraph,
  voltsOf: (lineId: number) => number | null,
): SupplyEvidence & { readonly energised: ReadonlySet<BusKey>; readonly measuredBy: ReadonlyMap<BusKey, readonly number[]> } {
  const measuredBy = new Map<BusKey, number[]>()
  const sources = new Map<number, 'on' | 'off'>()
  for (const [lineId, bus] of graph.hangsOn) {
    const volts = voltsOf(lineId)
    if (volts === null) continue
    if (volts > energisedV) measuredBy.set(bus, [...(measuredBy.get(bus) ?? []), lineId])
    if (!bus.startsWith('source:')) continue
    const id = idOf(bus)
    if (volts > energisedV) sources.set(id, 'on')
    else if (volts < deadV && sources.get(id) !== 'on') sources.set(id, 'off')
  }
  return { sources, energised: new Set(measuredBy.keys()), measuredBy }
}
