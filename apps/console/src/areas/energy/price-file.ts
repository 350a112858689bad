import type { Sheet } from '../site/import/limits.ts'

/** A sheet as the table that the server reads: each row in the line of its number, so that what is wrong is told by it. */
export function textOfSheet({ head, rows }: Sheet): string {
  const lines = [lineOf(head)]
  for (const { at, cells } of rows) {
    while (lines.length < at - 1) lines.push('')
    lines[at - 1] = lineOf(cells)
  }
  return lines.join('\n')
}

/** A cell can hold what parts lines and columns: a head of two lines is one. */
const lineOf = (cells: readonly string[]): string => cells.map((cell) => cell.replace(/[\t\r\n"]+/g, ' ')).join('\t')
