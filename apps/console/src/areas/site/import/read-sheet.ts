import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx'
import { read, utils, write } from '@e965/xlsx'
import type { Cells, NamedSheet, Sheet, SheetProblem, SheetRow } from './limits.ts'
import { maxBytes, maxUnpacked } from './limits.ts'
import { unpacksWithin } from './unpacked.ts'

/**
 * Reads the first sheet of an xls or xlsx file as text. Nothing in it is calculated: a formula stays the text of the formula. The kind is
 * told by the file's first bytes, not by its name.
 */
export async function readSheet(buffer: ArrayBuffer, maxRows: number, cells: Cells = 'shown'): Promise<Sheet | SheetProblem> {
  const book = await bookOf(buffer)
  if (typeof book === 'string') return book
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  if (!sheet) return 'notASheet'
  const lines = linesOf(sheet, maxRows + 2, cells)
  const [head, ...rows] = lines
  if (!head) return 'noRows'
  if (rows.length > maxRows) return 'tooManyRows'
  return { head: head.cells, rows }
}

/** Reads all sheets of a workbook, each with all its rows; those that say nothing are none. */
export async function readAllSheets(buffer: ArrayBuffer, maxRows: number): Promise<readonly NamedSheet[] | SheetProblem> {
  const book = await bookOf(buffer)
  if (typeof book === 'string') return book
  const sheets = book.SheetNames.flatMap((name) => {
    const sheet = book.Sheets[name]
    const rows = sheet ? linesOf(sheet, maxRows + 1, 'plain') : []
    return rows.length === 0 ? [] : { name, rows }
  })
  if (sheets.length === 0) return 'noRows'
  return sheets.some(({ rows }) => rows.length > maxRows) ? 'tooManyRows' : sheets
}

async function bookOf(buffer: ArrayBuffer): Promise<WorkBook | SheetProblem> {
  const bytes = new Uint8Array(buffer)
  if (bytes.length > maxBytes) return 'tooBig'
  const isXlsx = startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])
  if (!isXlsx && !startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return 'notASheet'
  const unpacked = isXlsx ? await unpacksWithin(bytes, maxUnpacked) : 'fits'
  if (unpacked !== 'fits') return unpacked
  // All of it, however far down: a row that is not read would be left out without a word. What is too much ends the worker, and is said.
  return read(bytes, { type: 'array', dense: true, cellFormula: true, cellHTML: false, cellNF: true })
}

/** A workbook of one sheet; every cell is text, so that nothing in it is taken for a number or a formula. */
export function writeSheet(name: string, lines: readonly (readonly string[])[]): ArrayBuffer {
  const sheet: WorkSheet = {}
  const columns = Math.max(1, ...lines.map((line) => line.length))
  lines.forEach((line, r) => {
    line.forEach((text, c) => {
      sheet[utils.encode_cell({ r, c })] = { t: 's', v: text, z: '@' } satisfies CellObject
    })
  })
  sheet['!ref'] = utils.encode_range({ s: { r: 0, c: 0 }, e: { r: Math.max(0, lines.length - 1), c: columns - 1 } })
  sheet['!cols'] = Array.from({ length: columns }, (_, c) => ({
    wch: Math.min(48, Math.max(12, ...lines.map((line) => (line[c] ?? '').length * 2))),
  }))
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, name)
  return write(book, { type: 'array', bookType: 'xlsx', compression: true })
}

const startsWith = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, index) => bytes[index] === byte)

/**
 * The first `most` rows that say something, with their numbers in the spreadsheet: the head and, of those below it, one more than there may
 * be. A cell in the last column makes a row of 16,384, of which nearly all are empty: no more is read of it than the head has columns.
 */
function linesOf(sheet: WorkSheet, most: number, shown: Cells | 'plain'): SheetRow[] {
  const data: unknown = sheet['!data']
  if (!Array.isArray(data)) return []
  const lines: SheetRow[] = []
  let columns = Number.POSITIVE_INFINITY
  for (const [index, row] of data.entries()) {
    if (lines.length === most) break
    const given = givenIn(row)
    const last = given.findLast(([, cell]) => textOf(cell) !== '')
    if (!last) continue
    if (lines.length === 0 && shown !== 'plain') columns = last[0] + 1
    else if (lines.length === 0) columns = maxPlainColumns
    const cells = Array.from({ length: Math.min(columns, (given.at(-1)?.[0] ?? 0) + 1) }, () => '')
    const read = given.filter(([place]) => place < columns)
    for (const [place, cell] of read)
      cells[place] = shown === 'exact' ? exactOf(cell, place) : shown === 'plain' ? plainOf(cell) : textOf(cell)
    lines.push({ at: index + 1, cells, formulas: read.flatMap(([place, cell]) => (cell.f === undefined ? [] : [place])) })
  }
  return lines
}

/** The cells that are there, with their columns, from the left. */
const givenIn = (row: unknown): (readonly [place: number, cell: CellObject])[] =>
  Array.isArray(row)
    ? Object.entries<CellObject | undefined>(row).flatMap(([place, cell]) => (cell ? [[Number(place), cell] as const] : []))
    : []

/** Columns that are read of a sheet whose first row says nothing of the others. */
const maxPlainColumns = 16

/** A number with all its places, unless its format makes a date or a time of it: that is written as it is meant. */
function plainOf(cell: CellObject): string {
  if (cell.f !== undefined || typeof cell.v !== 'number') return textOf(cell)
  const isMoment = /[ymdhs]/i.test(String(cell.z ?? '').replace(/\[[^\]]*\]|"[^"]*"/g, '')) && /[/:\-年月日时]/.test(cell.w ?? '')
  if (!isMoment) return String(cell.v)
  const at = new Date(firstDay + Math.round(cell.v * 1_440) * 60_000).toISOString()
  return cell.v < 1 ? at.slice(11, 16) : cell.v === 1 ? '24:00' : at.slice(0, 10)
}

/** Days of a spreadsheet are counted from 30 December 1899 on. */
const firstDay = Date.UTC(1899, 11, 30)

/** A number with all its places: what a format hides of a price is part of it. In the first column numbers are times of the clock. */
function exactOf(cell: CellObject, place: number): string {
  if (cell.f !== undefined || typeof cell.v !== 'number') return textOf(cell)
  if (place > 0) return String(cell.v)
  const minutes = Math.round(cell.v * 1_440)
  return new Date(firstDay + minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')
}

function textOf(cell: CellObject): string {
  if (cell.f !== undefined) return `=${cell.f}`
  // A long number such as an IMEI: its digits, not the 4.9E+14 that the spreadsheet shows.
  if (typeof cell.v === 'number' && Number.isSafeInteger(cell.v)) return String(cell.v)
  return String(cell.w ?? cell.v ?? '').trim()
}
