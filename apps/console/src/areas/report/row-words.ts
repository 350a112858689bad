import type { DeviceDataMark, DeviceDataRow, ZoneClock } from '@linewarden/contract'
import type { DeviceDataStep } from '@linewarden/rules/report'
import { repeatedTime } from '@linewarden/rules/report'
import { figure } from '../../ui/format.ts'

/** When a slot begins, or a reading was taken, as finely as the step needs. */
export function timeText(zone: ZoneClock, at: number, step: DeviceDataStep): string {
  const text = zone.text(at)
  return step === 'raw' ? text : text.slice(0, step === 'day' ? 10 : 16)
}

/** Which of the two hours of one name it is, where clocks are set back. */
export function hourTwice(zone: ZoneClock, at: number, step: DeviceDataStep): 'summer' | 'standard' | null {
  const which = step === 'day' ? null : repeatedTime(zone, at)
  return which && (which === 'first' ? 'summer' : 'standard')
}

type Figure = NonNullable<DeviceDataRow['Figures'][number]>

/** From the least to the most, as one text; null: there is no such. */
export const rangeText = ({ Min, Max }: Figure, precision: number): string | null =>
  Min === null || Max === null ? null : `${figure(Min, precision)}–${figure(Max, precision)}`

/** Nothing is known of any of its points. */
export const isMissing = ({ Figures }: Pick<DeviceDataRow, 'Figures'>): boolean =>
  Figures.every((each) => each === null || each.Value === null)

/** What is to be known of a row, in words of the page; what is missing first. */
export const marksOf = (row: Pick<DeviceDataRow, 'Figures' | 'Marks'>): readonly (DeviceDataMark | 'missing')[] => [
  ...(isMissing(row) ? (['missing'] as const) : []),
  ...row.Marks,
]
