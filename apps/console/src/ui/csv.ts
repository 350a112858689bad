import { fileName } from './file-name.ts'

/** What a spreadsheet would run as a formula is made text (OWASP ASVS 1.2.10). */
const risky = /^[=+\-@＝＋－＠\t\r\n]/u

/** One file of comma-separated values with the byte-order mark that makes spreadsheets read it as UTF-8. Null is an empty cell. */
export function csvOf(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return `\uFEFF${[head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = risky.test(value) ? `'${value}` : value
  // Quoted always: where spreadsheets part at `;`, what stands behind one would be a cell of its own.
  return `"${safe.replaceAll('"', '""')}"`
}

/** Hands a text to the person as a file. */
export const saveText = (name: string, text: string, type = 'text/csv;charset=utf-8'): void =>
  saveFile(name, new Blob([text], { type }))

/** Hands a file to the person. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
