import type { Setting } from '@linewarden/equipment'
import { effectiveSetting, settingRange } from '../settings.ts'
import { sameSetting } from './change.ts'

/** How long a protection may be off or weak before the former value comes back by itself (ours). */
export const longestOffMs = 24 * 3_600_000
export const shortestOffMs = 60_000

/**
 * Whether a value switches a protection off, or sets it to the end of its range where it hardly protects. Where the default stands at that
 * end already, it is no weakening. Such a change needs a reason and an expiry.
 */
export function weakening(
  setting: Setting,
  value: number,
  model: string,
  ratedCurrentA: number | null,
): 'off' | 'insensitive' | null {
  if (!setting.weak) return null
  const { min, max } = settingRange(setting, model, ratedCurrentA)
  const end = setting.weak === 'high' ? max : min
  const usual = effectiveSetting(setting, null, model, ratedCurrentA)
  if (end === null || usual === null) return null
  const beyond = (each: number) => sameSetting(each, end) || (setting.weak === 'high' ? each > end : each < end)
  if (beyond(usual) || !beyond(value)) return null
  return isSwitch(setting) ? 'off' : 'insensitive'
}

/** On and off rather than a level. */
export const isSwitch = ({ min, max, step, unit }: Setting): boolean => min === 0 && max === 1 && step === 1 && unit === ''

/** Whether the expiry of a weakened protection is one that may be given. */
export const offUntilGood = (until: number, now: number): boolean => until - now >= shortestOffMs && until - now <= longestOffMs
