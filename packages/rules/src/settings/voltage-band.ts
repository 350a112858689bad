import type { VoltageBand } from '@linewarden/equipment'
import { otherModelsBand, usualSupplyV, voltageBandRows } from '@linewarden/equipment'

/** The voltage thresholds of a model code (specification section 9). */
export function voltageBand(model: string): VoltageBand {
  return listedBand(model) ?? otherModelsBand
}

/** The thresholds of a model listed by name or marker; null for all others. */
export const listedBand = (model: string): VoltageBand | null => rowOf(model)?.band ?? null

/** The voltage a sound supply has at this model. */
export const supplyVoltage = (model: string): number => rowOf(model)?.supplyV ?? usualSupplyV

const rowOf = (model: string) =>
  voltageBandRows.find(({ matches }) => ('model' in matches ? matches.model === model : model.includes(matches.contains)))
