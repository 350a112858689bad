import type { AlarmTimingRecord } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { span } from '../../../ui/format.ts'

export const figures = ['OnDelayMs', 'OffDelayMs', 'DeadBandShare'] as const
export type Figure = (typeof figures)[number]

/** A figure as people read it: a time, or a share of the limit. */
export function figureText(t: TFunction<'alarmTuning'>, figure: Figure, timing: AlarmTimingRecord): string {
  const value = timing[figure]
  if (value === 0) return t('none')
  return figure === 'DeadBandShare' ? t('ofLimit', { share: Number((value * 100).toFixed(1)) }) : span(value)
}
