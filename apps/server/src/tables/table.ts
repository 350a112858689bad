import type { ZoneClock } from '@linewarden/contract'

/** What a file of rows looks like: a time, then figures and texts, then a note. */
export interface Table {
  readonly columns: readonly string[]
  readonly zone: ZoneClock
  /** What the last row of a workbook adds up; rows of a CSV are read by programs, which add up themselves. */
  readonly totals?: Totals
}

export interface Totals {
  readonly label: string
  /** Columns that are added up, by their places; 0 is the time. */
  readonly columns: readonly number[]
  /** Such as that something is not known, and the sum is of the rest. */
  readonly note: string
}

export interface TableRow {
  /** Unix ms. */
  readonly at: number
  readonly values: readonly (number | string | null)[]
  readonly note: string
  /** In a workbook of several sheets, that of this row: one of another name than the row before begins a new one. */
  readonly sheet?: string
}

/**
 * A text that a spreadsheet shows and never runs: one that begins like a formula, in full width too, gets an apostrophe. Names come from people and from
 * equipment, and a name may be `=cmd|...`.
 */
export const harmless = (text: string): string => (/^[=+\-@＝＋－＠\t\r\n]/u.test(text) ? `'${text}` : text)
