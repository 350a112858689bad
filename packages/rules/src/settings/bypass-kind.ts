import type { Setting } from '@linewarden/equipment'
import { hourMs } from '@linewarden/equipment'
import { sameSetting } from './change.ts'
import { settingRange } from './settings.ts'
import { supplyVoltage } from './voltage-band.ts'

/** How long a protection may be bypassed before its former value is restored automatically (ours). */
export const maxOffMs = 24 * hourMs
export const minOffMs = 60_000

/** What a set point is validated against on one line. */
export interface SettingLine {
  readonly model: string
  readonly ratedCurrentA: number | null
}

/**
 * Whether a value switches a protection off, or sets it to the end of its range where it hardly protects. Such a change needs a reason and
 * an expiry. Only where the setting stands there already nothing is bypassed. What the equipment is made with excuses nothing: a 3P_H
 * comes with its voltage protection off, and may guard a machine by now. `presentValue`: as reported, or what is to come back of a protection
 * that is off for a while; null: not known.
 */
export function bypassKind(
  setting: Setting,
  value: number,
  line: SettingLine & { readonly presentValue: number | null },
): 'off' | 'insensitive' | null {
  if (!isIneffective(setting, value, line)) return null
  if (line.presentValue !== null && isIneffective(setting, line.presentValue, line)) return null
  return isSwitch(setting) ? 'off' : 'insensitive'
}

/**
 * Where an undervoltage release must have opened, as a share of the supply (IEC 60947-2, GB/T 14048.2, 7.2.1.3). One that waits for less
 * protects nothing, wherever in its range that lies: a 3P_H can be set from 0 to 500 V.
 */
const deadUndervoltageShare = 0.35

/** Whether a value lies at the end of the range where the protection is off or hardly there. */
export function isIneffective(setting: Setting, value: number, { model, ratedCurrentA }: SettingLine): boolean {
  if (!setting.weak) return false
  if (setting.voltageBand === 'under' && value <= deadUndervoltageShare * supplyVoltage(model)) return true
  const { min, max } = settingRange(setting, model, ratedCurrentA)
  const end = setting.weak === 'high' ? max : min
  return end !== null && (sameSetting(value, end) || (setting.weak === 'high' ? value > end : value < end))
}

/** On and off rather than a level. */
export const isSwitch = ({ min, max, step, unit }: Setting): boolean => min === 0 && max === 1 && step === 1 && unit === ''

/** Whether this is an expiry that may be given to a bypass. */
export const offUntilGood = (until: number, now: number): boolean => until - now >= minOffMs && until - now <= maxOffMs
