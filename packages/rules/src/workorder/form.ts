/** What can be wrong with an order that somebody writes; each has a text in both languages where it is shown. */
export type OrderProblem =
  | { readonly key: 'order description missing'; readonly field: 'Description' }
  | { readonly key: 'order person missing'; readonly field: 'PersonInCharge' }
  | {
      readonly key: 'order days wrong'
      readonly field: 'ValidDays' | 'ReminderDays'
      readonly from: number
      readonly to: number
    }

export const maxDescription = 2_000
export const maxHelpers = 5
export const reminderDaysRange = { from: 1, to: 30, usual: 1 } as const
export const validDaysRange = { from: 1, to: 90, usual: 7 } as const

export interface OrderForm {
  readonly description: string
  readonly personInCharge: string | null
  readonly validDays: number
  readonly reminderDays: number
}

/** All of it at once. A reminder rarer than the validity would never come in time. */
export function orderProblems(form: OrderForm): readonly OrderProblem[] {
  const problems: OrderProblem[] = []
  if (form.description.trim() === '') problems.push({ key: 'order description missing', field: 'Description' })
  if (form.personInCharge === null) problems.push({ key: 'order person missing', field: 'PersonInCharge' })
  const { from, to } = validDaysRange
  if (!isWhole(form.validDays, from, to)) problems.push({ key: 'order days wrong', field: 'ValidDays', from, to })
  const max = Math.min(reminderDaysRange.to, Math.max(form.validDays, reminderDaysRange.from))
  if (!isWhole(form.reminderDays, reminderDaysRange.from, max))
    problems.push({ key: 'order days wrong', field: 'ReminderDays', from: reminderDaysRange.from, to: max })
  return problems
}

const isWhole = (value: number, from: number, to: number): boolean => Number.isInteger(value) && value >= from && value <= to
