import type { InspectionPlan } from '@linewarden/contract'
import type { TFunction } from 'i18next'

type Words = TFunction<'inspection'>

export const cycleText = (t: Words, { Cycle, CountsFrom }: Pick<InspectionPlan, 'Cycle' | 'CountsFrom'>): string =>
  [t(`every.${Cycle.Unit}`, { count: Cycle.Every }), t(`countsFrom.${CountsFrom}`)].join(t('comma'))

export function windowText(t: Words, { WindowDays: { Before, After } }: Pick<InspectionPlan, 'WindowDays'>): string {
  if (Before === 0 && After === 0) return t('windowDay')
  return Before === After ? t('window', { count: Before }) : t('windowOf', { before: Before, after: After })
}

/** Due every day: it would fill every field of a calendar. */
export const isDaily = ({ Cycle }: Pick<InspectionPlan, 'Cycle'>): boolean => Cycle.Unit === 'day' && Cycle.Every === 1

/** A day without its year where it is this one's. */
export const shortDay = (day: string, today: string): string => (day.slice(0, 4) === today.slice(0, 4) ? day.slice(5) : day)
