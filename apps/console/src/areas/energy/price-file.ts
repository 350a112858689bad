import type { Sheet } from '../site/import/limits.ts'

/** A sheet as the table that the server reads: each row in the line of its number, so that what is wrong is told by it. */
export function textOfSheet({ head, rows }: Sheet): string {
  const lines = [head.join('\t')]
  for (const { at, cells } of rows) {
    while (lines.length < at - 1) lines.push('')
    lines[at - 1] = cells.join('\t')
  }
  return lines.join('\n')
}
