import type { Table, TableRow } from './table.ts'
import { harmless } from './table.ts'

/** CSV as spreadsheets read it: UTF-8 with its mark, CRLF, a missing value empty. */
export async function* csvBytes(
  { columns, zone }: Table,
  pages: AsyncGenerator<readonly TableRow[]>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`\uFEFF${columns.map(cell).join(',')}\r\n`)
  for await (const page of pages) {
    let text = ''
    for (const { at, values, note } of page) text += `${zone.text(at)},${values.map(valueCell).join(',')},${cell(note)}\r\n`
    yield encoder.encode(text)
  }
}

const valueCell = (value: number | string | null): string | number => (typeof value === 'string' ? cell(value) : (value ?? ''))

/** Quoted always: spreadsheets part at what their country parts at, and behind a `;` the next cell may be a formula. */
const cell = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`
