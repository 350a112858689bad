import type { Figure, Setting } from '@linewarden/equipment'
import { listedBand } from './voltage-band.ts'

/** A figure in its unit; null when it is a multiple of an unknown rated current. */
export function figure(given: Figure, ratedCurrentA: number | null): number | null {
  if (typeof given === 'number') return given
  return ratedCurrentA === null ? null : given.timesIn * ratedCurrentA
}

/** What rules go by: what the equipment reports, else the default, which follows the band of the models listed by name. */
export function effectiveSetting(
  setting: Setting,
  reported: number | null,
  model: string,
  ratedCurrentA: number | null,
): number | null {
  if (reported !== null) return reported
  const band = setting.voltageBand && listedBand(model)
  if (band && setting.voltageBand) return setting.voltageBand === 'over' ? band.over[1] : band.under[0]
  return figure(setting.default, ratedCurrentA)
}

/** The form's range; for models listed by name or marker the voltage band replaces it. */
export function settingRange(
  setting: Setting,
  model: string,
  ratedCurrentA: number | null,
): { min: number | null; max: number | null } {
  const band = setting.voltageBand && listedBand(model)
  if (band && setting.voltageBand) {
    const [min, max] = band[setting.voltageBand]
    return { min, max }
  }
  return { min: figure(setting.min, ratedCurrentA), max: figure(setting.max, ratedCurrentA) }
}
