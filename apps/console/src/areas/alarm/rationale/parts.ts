import type { AlarmRationaleRecord, RationaleRecordTexts } from '@linewarden/contract'

/** The texts of one alarm, in the order in which they are read. */
export const parts = [
  'Action',
  'Time',
  'Cause',
  'Consequence',
  'Priority',
  'Basis',
] as const satisfies readonly (keyof RationaleRecordTexts)[]
export type Part = (typeof parts)[number]

/** Their names among the texts of the page. */
export const partNames = {
  Action: 'actionOf',
  Time: 'time',
  Cause: 'cause',
  Consequence: 'consequence',
  Priority: 'priority',
  Basis: 'basis',
} as const satisfies Record<Part, string>

export interface SheetFilter {
  readonly text: string
  readonly show: 'all' | 'unanswered' | 'written'
}

/** Whether a row passes: by its name, key, or anything that is written about it, in either language. */
export function passes(
  { Key, Label, Texts, Origin }: AlarmRationaleRecord,
  { text, show }: SheetFilter,
  here: 'project' | 'default',
): boolean {
  if (show === 'unanswered' && Texts !== null) return false
  if (show === 'written' && Origin !== here) return false
  const wanted = text.trim().toLowerCase()
  const written = [Label, ...(Texts ? Object.values(Texts) : [])].flatMap(({ zh, en }) => [zh, en])
  return [Key, ...written].some((each) => each.toLowerCase().includes(wanted))
}
