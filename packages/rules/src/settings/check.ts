import type { Family, Setting } from '@linewarden/equipment'
import { sameSetting } from './change.ts'
import type { SettingFault } from './settings.ts'
import { settingFault, settingRange } from './settings.ts'

/** What a line is, as far as its settings depend on it. */
export interface SettableLine {
  readonly family: Family
  readonly model: string
  readonly ratedCurrentA: number | null
}

/** What is wrong with one value of an order. `setting` is null when the family has no such setting. */
export interface SettingProblem {
  readonly key: string
  readonly setting: Setting | null
  readonly fault: SettingFault | 'unknown'
  readonly min: number | null
  readonly max: number | null
}

/** Everything that is wrong with an order at once; empty when the equipment may have it. */
export function settingProblems(
  { family, model, ratedCurrentA }: SettableLine,
  wanted: Readonly<Record<string, number>>,
): readonly SettingProblem[] {
  return Object.entries(wanted).flatMap(([key, value]): SettingProblem[] => {
    const setting = family.settings.find((each) => each.key === key)
    if (!setting) return [{ key, setting: null, fault: 'unknown', min: null, max: null }]
    const fault = settingFault(setting, value, model, ratedCurrentA)
    return fault === null ? [] : [{ key, setting, fault, ...settingRange(setting, model, ratedCurrentA) }]
  })
}

/**
 * The setting that `/status/{ID}/{type}/{attr}` names: `overload/trip` is `overload.trip`. A protection whose key has one part is its own
 * type, and its `trip` level is what can be set: `overvoltage/trip`.
 */
export const settingAt = ({ settings }: Family, type: string, attr: string): Setting | null =>
  settings.find(({ key }) => key === `${type}.${attr}`) ??
  (attr === 'trip' ? (settings.find(({ key }) => key === type) ?? null) : null)

/** How desired and reported stand to each other. `notSet`: nobody ever asked for a value here. */
export type SettingDeviation = 'same' | 'drift' | 'notSet' | 'notReported'

export function settingDeviation(desired: number | null, reported: number | null): SettingDeviation {
  if (reported === null) return 'notReported'
  if (desired === null) return 'notSet'
  return sameSetting(desired, reported) ? 'same' : 'drift'
}

/** How often a gateway reports, in seconds. The range is ours: three periods of the longest make "stale" within three hours. */
export const reportingInterval: Setting = {
  key: 'reportingPeriod',
  label: { zh: '上报周期', en: 'Reporting interval' },
  unit: 's',
  min: 1,
  max: 3_600,
  step: 1,
  default: 10,
  source: 'ours',
}
