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
  if (band) return setting.voltageBand === 'over' ? band.over[1] : band.under[0]
  return figure(setting.default, ratedCurrentA)
}

/** The form's range; for models listed by name or marker the voltage band replaces it. */
export function settingRange(
  setting: Setting,
  model: string,
  ratedCurrentA: number | null,
): { min: number | null; max: number | null } {
  const { voltageBand } = setting
  const band = voltageBand && listedBand(model)
  if (band) {
    const [min, max] = band[voltageBand]
    return { min, max }
  }
  return { min: figure(setting.min, ratedCurrentA), max: figure(setting.max, ratedCurrentA) }
}

export type SettingFault = 'no_number' | 'rated_current_unknown' | 'too_low' | 'too_high' | 'off_step'

/** What is wrong with a value somebody wants to set; null when the equipment may have it. Both ends of the range are allowed. */
export function settingFault(setting: Setting, value: number, model: string, ratedCurrentA: number | null): SettingFault | null {
  if (!Number.isFinite(value)) return 'no_number'
  const { min, max } = settingRange(setting, model, ratedCurrentA)
  if (min === null || max === null) return 'rated_current_unknown'
  // Figures of In are products: 1.2 x 63 is 75.6 only nearly.
  const grain = setting.step * 1e-6
  if (value < min - grain) return 'too_low'
  if (value > max + grain) return 'too_high'
  const steps = (value - min) / setting.step
  const onStep = Math.abs(steps - Math.round(steps)) <= 1e-6
  return onStep || Math.abs(value - max) <= grain ? null : 'off_step'
}
