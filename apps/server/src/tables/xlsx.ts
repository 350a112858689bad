import { dayMs } from '@linewarden/equipment'
import { Zip, ZipDeflate } from 'fflate'
import type { Table, TableRow, Totals } from './table.ts'
import { harmless } from './table.ts'

/** Rows of a sheet that Excel opens, one of them the head; what is more goes to a next sheet. */
const rowsPerSheet = 1_048_576

const encoder = new TextEncoder()
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'

/**
 * An Excel workbook, made while it is sent: the sheet comes first, and what must know how many there were comes last, so that a page of
 * rows is all that is held. Times are real times, numbers numbers, every text an inline text.
 */
export async function* xlsxBytes(
  table: Table,
  pages: AsyncGenerator<readonly TableRow[]>,
  sheetRows = rowsPerSheet,
): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    out.push(bytes)
  })
  const open = (name: string) => {
    const file = new ZipDeflate(name, { level: 3 })
    zip.add(file)
    return file
  }
  const put = (name: string, xml: string) => open(name).push(encoder.encode(head + xml), true)

  const names: string[] = []
  let sheet: ZipDeflate | null = null
  let rows = 0
  const sums = table.totals && new Sums(table.totals)
  const mostRows = sums ? sheetRows - 1 : sheetRows
  const begin = (name = String(names.length + 1)): ZipDeflate => {
    names.push(name)
    rows = 1
    sums?.begin()
    const begun = open(`xl/worksheets/sheet${names.length}.xml`)
    const frozen =
      '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    const widths = `<cols><col min="1" max="1" width="24" customWidth="1"/><col min="2" max="${table.columns.length}" width="18" customWidth="1"/></cols>`
    begun.push(
      encoder.encode(
        `${head}<worksheet ${main}>${frozen}${widths}<sheetData><row>${table.columns.map((each) => textCell(each, 2)).join('')}</row>`,
      ),
    )
    return begun
  }
  const end = (done: ZipDeflate) =>
    done.push(encoder.encode(`${(rows > 1 && sums?.rowXml(table, rows)) || ''}</sheetData></worksheet>`), true)

  let named: string | undefined
  for await (const page of pages) {
    let xml = ''
    for (const row of page) {
      if (sheet === null || rows === mostRows || row.sheet !== named) {
        sheet?.push(encoder.encode(xml))
        xml = ''
        if (sheet) end(sheet)
        // What does not fit on one sheet goes on upon another, which cannot be called the same.
        sheet = begin(row.sheet === named ? undefined : row.sheet)
        named = row.sheet
      }
      rows += 1
      xml += rowXml(table, row)
      sums?.add(row)
    }
    sheet?.push(encoder.encode(xml))
    yield* out.splice(0)
  }
  end(sheet ?? begin())
  const each = names.map((_, i) => i + 1)
  put(
    'xl/workbook.xml',
    `<workbook ${main} xmlns:r="${office}"><sheets>${each.map((i) => `<sheet name="${attribute(names[i - 1] ?? '')}" sheetId="${i}" r:id="rId${i}"/>`).join('')}</sheets></workbook>`,
  )
  put(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packaged}/relationships">${each.map((i) => `<Relationship Id="rId${i}" Type="${office}/worksheet" Target="worksheets/sheet${i}.xml"/>`).join('')}<Relationship Id="rId${names.length + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  )
  put('xl/styles.xml', styles)
  put(
    '_rels/.rels',
    `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  put(
    '[Content_Types].xml',
    `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('/xl/workbook.xml', 'sheet.main')}${part('/xl/styles.xml', 'styles')}${each.map((i) => part(`/xl/worksheets/sheet${i}.xml`, 'worksheet')).join('')}</Types>`,
  )
  zip.end()
  yield* out.splice(0)
}

/** The last row of a sheet: a formula for each sum, with what it comes to for whoever does not reckon. */
class Sums {
  readonly #totals: Totals
  #sums: (number | null)[] = []

  constructor(totals: Totals) {
    this.#totals = totals
  }

  begin(): void {
    this.#sums = this.#totals.columns.map(() => null)
  }

  add({ values }: TableRow): void {
    this.#totals.columns.forEach((column, place) => {
      const value = values[column - 1]
      if (typeof value === 'number') this.#sums[place] = (this.#sums[place] ?? 0) + value
    })
  }

  /** `rows`: of the sheet so far, its head too. What nothing is known of has no sum, which would be nought. */
  rowXml({ columns }: Table, rows: number): string {
    const { label, note, columns: summed } = this.#totals
    const cells = columns.slice(1, -1).map((_, place) => {
      const sum = this.#sums[summed.indexOf(place + 1)] ?? null
      const letters = lettersOf(place + 1)
      // As finely as what is added up: the sum of decimal figures is none in the last bits of a float.
      return sum === null ? '<c/>' : `<c s="3"><f>SUM(${letters}2:${letters}${rows})</f><v>${Number(sum.toPrecision(15))}</v></c>`
    })
    return `<row>${textCell(label, 2)}${cells.join('')}${note === '' ? '' : textCell(note, 0)}</row>`
  }
}

/** What a spreadsheet calls a column: 0 is A, 26 is AA. */
const lettersOf = (place: number): string =>
  (place >= 26 ? lettersOf(Math.floor(place / 26) - 1) : '') + String.fromCharCode(65 + (place % 26))

const part = (name: string, kind: string): string =>
  `<Override PartName="${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`

// Style 1 is a time, style 2 a column's head, style 3 a sum.
const styles = `<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`

function rowXml({ zone }: Table, { at, values, note }: TableRow): string {
  // Excel counts days since the end of 1899.
  const day = zone.local(at) / dayMs + 25_569
  let xml = `<row><c s="1"><v>${day}</v></c>`
  for (const value of values)
    xml += value === null ? '<c/>' : typeof value === 'string' ? textCell(value, 0) : `<c><v>${value}</v></c>`
  return `${xml}${note === '' ? '' : textCell(note, 0)}</row>`
}

const textCell = (text: string, style: number): string =>
  `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(harmless(text))}</t></is></c>`

const attribute = (text: string): string => escaped(text).replaceAll('"', '&quot;')

const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these, and a name may.
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replace(/[&<>]/g, (each) => (each === '&' ? '&amp;' : each === '<' ? '&lt;' : '&gt;'))
