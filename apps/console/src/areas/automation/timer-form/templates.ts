import type { FormValues, PointValues } from './form-values.ts'
import { emptyValues } from './form-values.ts'

/** Timers that many plants have: all but their lines, in one press. */
export const templates = ['duskToDawn', 'evening', 'workday', 'monthlyTest', 'holidayOff'] as const
export type Template = (typeof templates)[number]

const clock = (no: number, at: string, action: PointValues['action']): PointValues => ({
  no,
  by: 'clock',
  at,
  offset: '0',
  action,
})
const sun = (no: number, by: 'rise' | 'set', action: PointValues['action']): PointValues => ({
  no,
  by,
  at: '',
  offset: '0',
  action,
})

const everyDay = 0b111_1111

const filled: Readonly<Record<Template, Partial<FormValues>>> = {
  duskToDawn: { function: 'switch', type: 'sun', weekDays: everyDay, points: [sun(1, 'set', 'close'), sun(2, 'rise', 'trip')] },
  evening: {
    ...{ function: 'switch', type: 'weekly', weekDays: everyDay },
    points: [clock(1, '18:00', 'close'), clock(2, '23:00', 'trip')],
  },
  workday: {
    ...{ function: 'switch', type: 'calendar', classes: ['workday'] },
    points: [clock(1, '08:00', 'close'), clock(2, '18:30', 'trip')],
  },
  // Of a month that has it, whatever its length: the first is always there.
  monthlyTest: { function: 'selfTest', type: 'monthly', monthDays: [1], points: [clock(1, '10:00', 'test')] },
  holidayOff: { function: 'switch', type: 'calendar', classes: ['holiday'], points: [clock(1, '00:05', 'trip')] },
}

export const valuesOfTemplate = (template: Template, name: string): FormValues => ({ ...emptyValues, ...filled[template], name })
