/** What an uploaded workbook may weigh; a list of 200 gateways is far below. */
export const maxBytes = 5 * 1024 * 1024
export const maxUnpacked = 50 * 1024 * 1024
export const maxMs = 10_000

/** Why a file was not taken. */
export type SheetProblem = 'notASheet' | 'tooBig' | 'tooManyRows' | 'notTheTemplate' | 'noRows' | 'tooSlow' | 'unreadable'

/** `shown`: numbers as the spreadsheet shows them; `exact`: with all their places, and those of the first column as times. */
export type Cells = 'shown' | 'exact'

/** A row as text, with the number that the spreadsheet shows for it. */
export interface SheetRow {
  readonly at: number
  readonly cells: readonly string[]
  /** Which of them are formulas: their text is the formula's. */
  readonly formulas: readonly number[]
}

/** A sheet of a workbook by its name, all its rows alike. */
export interface NamedSheet {
  readonly name: string
  readonly rows: readonly SheetRow[]
}

/** A file's cells as text: the head, then the rows. */
export interface Sheet {
  readonly head: readonly string[]
  readonly rows: readonly SheetRow[]
}
