import type { CellObject, WorkSheet } from '@e965/xlsx'
import { read, utils, write } from '@e965/xlsx'
import type { Sheet, SheetProblem, SheetRow } from './limits.ts'
import { mostBytes, mostUnpacked } from './limits.ts'
import { unpacksWithin } from './unpacked.ts'

/**
 * Reads the first sheet of an xls or xlsx file as text. Nothing in it is calculated: a formula stays the text of the formula. The kind is
 * told by the file's first bytes, not by its name.
 */
export async function readSheet(buffer: ArrayBuffer, mostRows: number): Promise<Sheet | SheetProblem> {
  const bytes = new Uint8Array(buffer)
  if (bytes.length > mostBytes) return 'tooBig'
  const isXlsx = startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])
  if (!isXlsx && !startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return 'notASheet'
  if (isXlsx && !(await unpacksWithin(bytes, mostUnpacked))) return 'tooBig'
  // All of it, however far down: a row that is not read would be left out without a word. What is too much ends the worker, and is said.
  const book = read(bytes, { type: 'array', dense: true, cellFormula: true, cellHTML: false })
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  if (!sheet) return 'notASheet'
  const lines = linesOf(sheet)
  const [head, ...rows] = lines
  if (!head) return 'noRows'
  if (rows.length > mostRows) return 'tooManyRows'
  return { head: head.cells, rows }
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

/** Every row that says something, with its number in the spreadsheet. */
function linesOf(sheet: WorkSheet): SheetRow[] {
  const data: unknown = sheet['!data']
  if (!Array.isArray(data)) return []
  return data.flatMap((row: unknown, index) => {
    const given: readonly (CellObject | undefined)[] = Array.isArray(row) ? Array.from(row) : []
    const cells = given.map(textOf)
    if (cells.every((cell) => cell === '')) return []
    return [{ at: index + 1, cells, formulas: given.flatMap((cell, place) => (cell?.f === undefined ? [] : [place])) }]
  })
}

function textOf(cell: CellObject | undefined): string {
  if (!cell) return ''
  if (cell.f !== undefined) return `=${cell.f}`
  // A long number such as an IMEI: its digits, not the 4.9E+14 that the spreadsheet shows.
  if (typeof cell.v === 'number' && Number.isSafeInteger(cell.v)) return String(cell.v)
  return String(cell.w ?? cell.v ?? '').trim()
}
