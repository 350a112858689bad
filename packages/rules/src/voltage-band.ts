import type { VoltageBand } from '@linewarden/equipment'
import { otherModelsBand, voltageBandRows } from '@linewarden/equipment'

/** The voltage thresholds of a model code (specification section 9). */
export function voltageBand(model: string): VoltageBand {
  return listedBand(model) ?? otherModelsBand
}

/** The thresholds of a model listed by name or marker; null for all others. */
export function listedBand(model: string): VoltageBand | null {
  const row = voltageBandRows.find(({ matches }) =>
    'model' in matches ? matches.model === model : model.includes(matches.contains),
  )
  return row?.band ?? null
}
