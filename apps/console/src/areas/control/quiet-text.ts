import type { QuietHours } from '@linewarden/contract'
import type { TFunction } from 'i18next'

const two = (n: number): string => String(n).padStart(2, '0')

/** Minutes after midnight as a clock shows them, and back; null for what is no time. */
export const clockOf = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`

export function minuteOf(text: string): number | null {
  const found = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim())
  return found ? Number(found[1]) * 60 + Number(found[2]) : null
}

/** A window in words: which days, from when to when, and whether it goes past midnight. */
export function windowText({ Days, FromMinute, ToMinute }: QuietHours, t: TFunction<['safety', 'app']>): string {
  const names = t('dayNames').split('|')
  const days =
    Days === 127
      ? t('everyDay')
      : t('week', { days: names.filter((_, day) => (Days & (1 << day)) !== 0).join(t('app:listComma')) })
  if (FromMinute === ToMinute && FromMinute === 0) return `${days} ${t('wholeDay')}`
  const next = ToMinute <= FromMinute ? `${t('nextDay')} ` : ''
  return `${days} ${clockOf(FromMinute)} – ${next}${clockOf(ToMinute)}`
}
