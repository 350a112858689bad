import type { TimerForm } from '@linewarden/contract'
import i18next from 'i18next'
import { weekdayKeys } from './civil-text.ts'

const [everyDay, mondayToFriday] = [0b111_1111, 0b001_1111]

/** On which dates a timer acts, in words. */
export function periodText({ Type, Period }: Pick<TimerForm, 'Type' | 'Period'>): string {
  const { Days } = Period
  switch (Type) {
    case 'once':
      return Period.Date ?? ''
    case 'calendar':
      return (Period.Classes ?? [])
        .map((each) => i18next.t(`automation:classes.${each}`))
        .join(i18next.t('automation:nameBetween'))
    case 'monthly':
      return monthDays(Array.isArray(Days) ? Days : [])
    default:
      return weekDays(typeof Days === 'number' ? Days : 0)
  }
}

function weekDays(bits: number): string {
  if (bits === everyDay) return i18next.t('automation:everyDay')
  if (bits === mondayToFriday) return i18next.t('automation:mondayToFriday')
  return weekdayKeys
    .filter((_, day) => (bits & (1 << day)) !== 0)
    .map((each) => i18next.t(each))
    .join(i18next.t('automation:nameBetween'))
}

function monthDays(days: readonly number[]): string {
  const dated = days.filter((day) => day > 0).toSorted((one, other) => one - other)
  const words =
    dated.length > 0 ? [i18next.t('automation:monthDays', { days: dated.join(i18next.t('automation:nameBetween')) })] : []
  return [...words, ...(days.includes(-1) ? [i18next.t('automation:lastDay')] : [])].join(i18next.t('automation:nameBetween'))
}

/** When on these dates, and what then. */
export const pointText = ({ At, Action }: TimerForm['Points'][number]): string =>
  `${typeof At === 'string' ? At : sunText(At)} ${i18next.t(`automation:actions.${Action}`)}`

/** Sunrise or sunset, and how long before or after it. */
function sunText({ Sun, OffsetMin }: { readonly Sun: 'rise' | 'set'; readonly OffsetMin: number }): string {
  const sun = i18next.t(`automation:sun.${Sun}`)
  if (OffsetMin === 0) return sun
  return i18next.t(OffsetMin > 0 ? 'automation:sunAfter' : 'automation:sunBefore', { sun, count: Math.abs(OffsetMin) })
}
