import { zoneClock } from '@linewarden/contract'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { csvBytes } from './csv.ts'
import type { TableRow } from './table.ts'
import { xlsxBytes } from './xlsx.ts'

const at = Date.UTC(2026, 0, 15, 0, 30)
const zone = zoneClock('Asia/Shanghai')
const table = { columns: ['Time', '=cmd|calc', 'Quality'], zone }

async function* pages(...given: TableRow[][]): AsyncGenerator<readonly TableRow[]> {
  yield* given
}

async function whole(bytes: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const each of bytes) pieces.push(each)
  return Buffer.concat(pieces)
}

const sheetsOf = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, file]) => [name, new TextDecoder().decode(file)]))

test('CSV: the mark, the head, a missing value empty, and names that are no formulas', async () => {
  const text = (
    await whole(csvBytes(table, pages([{ at, values: [null], note: '@x,"y"' }], [{ at, values: [-1.5], note: '' }])))
  ).toString()
  expect(text).toBe(`\uFEFF"Time","'=cmd|calc","Quality"\r\n2026-01-15 08:30:00,,"'@x,""y"""\r\n2026-01-15 08:30:00,-1.5,""\r\n`)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '＠x', '\t=1', '\r=1'])('%j is text in both files', async (name) => {
  const columns = ['Time', name]
  const csv = (await whole(csvBytes({ columns, zone }, pages()))).toString()
  expect(csv).toContain(`'${name}`)
  const sheet = sheetsOf(await whole(xlsxBytes({ columns, zone }, pages())))['xl/worksheets/sheet1.xml']
  expect(sheet?.replace('\r', '')).toContain(`'${name.replace('\r', '')}</t>`)
})

test('a workbook: numbers stay numbers, a missing one is no cell value, names cannot break out of the XML', async () => {
  const rows = [{ at, values: [-2.5, null], note: '<&>\u0000' }]
  const sheet = sheetsOf(await whole(xlsxBytes({ columns: ['T', 'a', 'b', 'Q'], zone }, pages(rows))))['xl/worksheets/sheet1.xml']
  const day = (at + 8 * 3_600_000) / 86_400_000 + 25_569
  expect(sheet).toContain(
    `<row><c s="1"><v>${day}</v></c><c><v>-2.5</v></c><c/><c s="0" t="inlineStr"><is><t xml:space="preserve">&lt;&amp;&gt;</t></is></c></row>`,
  )
})

test('more rows than a sheet holds go to the next sheet, each with its head', async () => {
  const rows = Array.from({ length: 5 }, (_, i) => ({ at: at + i * 1_000, values: [i], note: '' }))
  const files = sheetsOf(await whole(xlsxBytes(table, pages(rows.slice(0, 2), rows.slice(2)), 3)))
  const sheets = [1, 2, 3].map((i) => files[`xl/worksheets/sheet${i}.xml`] ?? '')
  expect(sheets.map((each) => each.match(/<row>/g)?.length)).toEqual([3, 3, 2])
  expect(sheets.every((each) => each.includes('Quality') && each.endsWith('</sheetData></worksheet>'))).toBe(true)
  expect(files['xl/workbook.xml']?.match(/<sheet /g)).toHaveLength(3)
  expect(files['[Content_Types].xml']?.match(/worksheets/g)).toHaveLength(3)
})

test('what was made is handed out page by page, so that a page is all that is held', async () => {
  const rows = Array.from({ length: 2_000 }, (_, i) => ({ at: at + i * 1_000, values: [Math.sin(i)], note: '' }))
  let asked = 0
  async function* slowly(): AsyncGenerator<readonly TableRow[]> {
    for (let i = 0; i < 20; i++) {
      asked += 1
      yield rows
    }
  }
  const bytes = xlsxBytes(table, slowly())
  await bytes.next()
  expect(asked).toBeLessThan(20)
  await bytes.return(undefined)
})

test('a sheet ends with sums: formulas that a spreadsheet reckons, each with what it comes to', async () => {
  const totals = { label: 'Total', columns: [1, 3], note: 'in part' }
  const columns = ['Time', 'kWh', 'Name', 'Fee', 'Note']
  const rows = [0.1, 0.2, null].map((kwh) => ({ at, values: [kwh, 'x', null], note: '' }))
  const book = await whole(xlsxBytes({ columns, zone, totals }, pages(rows)))
  const sheet = sheetsOf(book)['xl/worksheets/sheet1.xml'] ?? ''
  // Of the fees nothing is known: no sum, and not nought.
  expect(sheet).toContain('<c s="3"><f>SUM(B2:B4)</f><v>0.3</v></c><c/><c/><c s="0" t="inlineStr">')
  const { utils, read } = await import('@e965/xlsx')
  const { Sheets, SheetNames } = read(book, { cellFormula: true })
  const opened = Sheets[SheetNames[0] ?? '']
  expect(opened?.B5).toMatchObject({ f: 'SUM(B2:B4)', v: 0.3 })
  expect(utils.sheet_to_json(opened ?? {}, { header: 1 }).at(-1)).toEqual(['Total', 0.3, undefined, undefined, 'in part'])
})

test('each sheet has its own sums, and never more rows than a sheet holds', async () => {
  const totals = { label: 'Total', columns: [1], note: '' }
  const rows = Array.from({ length: 5 }, (_, i) => ({ at, values: [i], note: '' }))
  const files = sheetsOf(await whole(xlsxBytes({ ...table, totals }, pages(rows), 4)))
  const sheets = [1, 2, 3].map((i) => files[`xl/worksheets/sheet${i}.xml`] ?? '')
  expect(sheets.map((each) => each.match(/<row>/g)?.length)).toEqual([4, 4, 3])
  expect(sheets.map((each) => /<f>([^<]*)<\/f><v>(\d+)/.exec(each)?.slice(1))).toEqual([
    ['SUM(B2:B3)', '1'],
    ['SUM(B2:B3)', '5'],
    ['SUM(B2:B2)', '4'],
  ])
})

test('the twenty-seventh column is AA', async () => {
  const columns = ['Time', ...Array.from({ length: 27 }, (_, place) => `c${place}`), 'Note']
  const totals = { label: 'Total', columns: [26], note: '' }
  const rows = [{ at, values: Array.from({ length: 27 }, () => 2), note: '' }]
  expect(sheetsOf(await whole(xlsxBytes({ columns, zone, totals }, pages(rows))))['xl/worksheets/sheet1.xml']).toContain(
    'SUM(AA2:AA2)',
  )
})
