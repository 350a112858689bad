import type { Statement } from '@linewarden/contract'
import { cosText, inBillOrder, kwhText, moneyText, quantityText, registersOf } from '@linewarden/contract'
import type { PdfDoc } from '../../pdf/paper.ts'
import { colours, heightOf, nextPage, paper, put, putWrapped, rule, sizes } from '../../pdf/paper.ts'
import type { StatementWords } from './statement-words.ts'

const { margin, width, bottom } = paper
const { grey } = colours
const [rowHeight, cellSize] = [13.5, 8.5] as const
/** Between the text of a row and the rule below it. */
const rowGap = 0.8

interface Column {
  readonly wide: number
  readonly align?: 'right'
}

interface Placed {
  readonly x: number
  readonly wide: number
  readonly align: 'left' | 'right'
}

/** Where each column begins, and how wide its text is. */
function placed(columns: readonly Column[]): readonly Placed[] {
  let x: number = margin
  return columns.map(({ wide, align = 'left' as const }): Placed => {
    const at: Placed = { x, wide: wide - 6, align }
    x += wide
    return at
  })
}

/** A heading of the sheet, with what it says beside it; where what follows begins. */
function heading(doc: PdfDoc, title: string, hint: string, y: number): number {
  put(doc, title, margin, y, { wide: 120, size: 10, bold: true })
  const beside = margin + doc.fontSize(10).widthOfString(title) + 8
  put(doc, hint, beside, y + 1, { wide: margin + width - beside, size: sizes.small, colour: grey })
  return y + 16
}

const meterColumns = placed([
  { wide: 118 },
  { wide: 120 },
  { wide: 72, align: 'right' },
  { wide: 72, align: 'right' },
  { wide: 50, align: 'right' },
  { wide: 33, align: 'right' },
  { wide: 56, align: 'right' },
])

/** What each line's register showed at both ends, and what it used by band; a line stays on one page. */
export function metering(doc: PdfDoc, { Members }: Statement, words: StatementWords, top: number): number {
  const { word } = words
  const heads = (['meter', 'register', 'opening', 'closing', 'rise', 'multiplier', 'energy'] as const).map((key) => word(key))
  const begin = (y: number) => tableHead(doc, meterColumns, heads, y)
  let y = begin(heading(doc, word('metering'), word('meteringHint'), top))
  for (const member of Members) {
    const rows = meterRows(member, words)
    const notes = notesOf(member, words)
    const [first] = meterColumns
    const name = { wide: first?.wide ?? 0 }
    const heights = [heightOf(doc, notes.name, name), ...notes.others.map((each) => heightOf(doc, each, { ...name, size: 7.5 }))]
    const wrapped = { wide: meterColumns[1]?.wide ?? 0, size: cellSize }
    const rowHeights = rows.map(({ cells }) => heightOf(doc, cells[0] ?? '', wrapped) + rowGap)
    const high = Math.max(sumOf(rowHeights), sumOf(heights) + 3)
    if (y + high > bottom) y = begin(nextPage(doc))
    let below = y + putWrapped(doc, notes.name, margin, y, { ...name, bold: true })
    for (const each of notes.others) below += putWrapped(doc, each, margin, below, { ...name, size: 7.5, colour: grey })
    rows.forEach(({ cells, bold }, place) => {
      const at = y + sumOf(rowHeights.slice(0, place))
      if (place > 0) rule(doc, at, { from: margin + 118, wide: width - 118 })
      write(doc, meterColumns.slice(1), cells, at, { bold, wrapping: 0 })
    })
    y += high
    rule(doc, y)
  }
  return y + 8
}

function meterRows(member: Statement['Members'][number], { word, nameOf }: StatementWords) {
  const registers = registersOf(member)
  const isOne = registers.length === 1
  return [
    ...registers.map(({ serial, opening, closing, rise, multiplier, wh }) => ({
      cells: [
        serial === '' ? word('active') : word('serialIs', { serial }),
        ...[opening, closing, rise, String(multiplier), kwhText(wh)],
      ],
      bold: isOne,
    })),
    ...(isOne ? [] : [{ cells: [word('metersTogether'), '', '', '', '', kwhText(member.Wh)], bold: true }]),
    ...inBillOrder(member.Bands, ({ Key }) => Key).map(({ Key, Wh }) => ({
      cells: [nameOf(Key), '', '', '', '', kwhText(Wh)],
      bold: false,
    })),
  ]
}

const notesOf = ({ Name, Place, Sign, Agrees }: Statement['Members'][number], { word }: StatementWords) => ({
  name: Name ?? word('gone'),
  others: [
    ...(Sign === -1 ? [word('takenOff')] : []),
    ...(Place === null ? [] : [Place]),
    ...(Agrees === true ? [] : [word(Agrees === null ? 'noRegister' : 'disagrees')]),
  ],
})

const chargeColumns = placed([
  { wide: 24 },
  { wide: 158 },
  { wide: 76, align: 'right' },
  { wide: 34 },
  { wide: 92, align: 'right' },
  { wide: 72, align: 'right' },
  { wide: 59 },
])

/** Each row of the bill, rounded once. */
export function charges(doc: PdfDoc, statement: Statement, words: StatementWords, top: number): number {
  const { word, unitOf } = words
  const { Parts, Currency } = statement
  const heads = [
    ...[word('item'), word('name'), word('quantity'), '', word('price')],
    ...[word('amount', { unit: unitOf(Currency) }), ''],
  ]
  const begin = (y: number) => tableHead(doc, chargeColumns, heads, y)
  const start = top + 5 * rowHeight > bottom ? nextPage(doc) : top
  let y = begin(heading(doc, word('charges'), word('chargesHint'), start))
  const line = (high: number) => {
    if (y + high > bottom) y = begin(nextPage(doc))
  }
  let number = 0
  for (const part of Parts) {
    if (Parts.length > 1) {
      line(2 * rowHeight)
      const text = word('part', { from: part.From, to: part.To, tariff: part.Tariff, no: part.Number })
      put(doc, text, margin, y, { wide: width, size: cellSize, bold: true })
      y += rowHeight
      rule(doc, y)
    }
    for (const row of part.Rows) {
      number += 1
      const cells = [String(number), ...chargeCells(row, statement, words)]
      const high = heightOf(doc, cells[1] ?? '', { wide: chargeColumns[1]?.wide ?? 0, size: cellSize }) + rowGap
      line(high)
      write(doc, chargeColumns, cells, y, { bold: false, wrapping: 1 })
      y += high
      rule(doc, y)
    }
  }
  return y
}

function chargeCells(
  row: Statement['Parts'][number]['Rows'][number],
  { Currency, CosHundredths: cos }: Statement,
  { word, nameOf, unitOf }: StatementWords,
): readonly string[] {
  const { Key, Band, Unit, Quantity, Price, PricePercent, Share, Amount, Gap, InPowerFactorBase, Estimated } = row
  const isPowerFactor = Key === 'powerFactor'
  const own = isPowerFactor ? word(cos === null ? 'powerFactorRow' : 'powerFactorIs', { cos: cosText(cos) }) : nameOf(Key)
  const name = `${own}${Band === null ? '' : ` · ${nameOf(Band)}`}${Estimated ? ` ${word('estimated')}` : ''}`
  const price =
    Price === null
      ? isPowerFactor || Unit !== 'kWh'
        ? '–'
        : word('byQuarter')
      : `${moneyText(Price)}${Unit === 'money' ? ' %' : ''}`
  const parts = [price, ...(PricePercent === null ? [] : [`${PricePercent} %`]), ...(Share ? [`${Share.Days}/${Share.Of}`] : [])]
  const unit = Unit === 'money' ? unitOf(Currency) : Unit === 'month' ? word('month') : Unit
  const sign = Amount === null || Number(Amount) === 0 ? '' : word(Amount.startsWith('-') ? 'reward' : 'penalty')
  const note = Gap !== null ? word('unknown') : isPowerFactor ? sign : word(InPowerFactorBase ? 'inBase' : 'notInBase')
  return [name, quantityText(Quantity), unit, parts.join(' × '), moneyText(Amount), note]
}

function tableHead(doc: PdfDoc, columns: readonly Placed[], heads: readonly string[], y: number): number {
  rule(doc, y, { weight: 0.75 })
  columns.forEach(({ x, wide, align }, place) => {
    put(doc, heads[place] ?? '', x, y + 1, { wide, align, size: sizes.small, colour: grey })
  })
  rule(doc, y + rowHeight)
  return y + rowHeight
}

/** One row; the cell at `wrapping` takes as many lines as it needs. */
function write(
  doc: PdfDoc,
  columns: readonly Placed[],
  cells: readonly string[],
  y: number,
  { bold, wrapping }: { readonly bold: boolean; readonly wrapping: number },
): void {
  columns.forEach(({ x, wide, align }, place) => {
    const look = { wide, align, bold, size: cellSize }
    if (place === wrapping) putWrapped(doc, cells[place] ?? '', x, y, look)
    else put(doc, cells[place] ?? '', x, y, look)
  })
}

const sumOf = (heights: readonly number[]): number => heights.reduce((sum, each) => sum + each, 0)
