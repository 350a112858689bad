import type { Statement } from '@linewarden/contract'
import {
  cosText,
  hashInGroups,
  kiloText,
  meanPrice,
  moneyText,
  quantityText,
  shareText,
  wholeKwh,
  zoneClock,
} from '@linewarden/contract'
import { renminbiInCapitals } from '@linewarden/rules/energy'
import { encode } from 'uqr'
import type { PdfDoc } from '../../pdf/paper.ts'
import { colours, heightOf, nextPage, paper, pdfOf, put, putWrapped, rule, sizes } from '../../pdf/paper.ts'
import { charges, metering } from './statement-pdf-tables.ts'
import type { StatementWords } from './statement-words.ts'
import { statementWords } from './statement-words.ts'

const { margin, width, bottom } = paper
const { grey, line } = colours

export interface StatementPrint {
  readonly language: 'CN' | 'EN'
  /** Unix ms, for the properties of the file. */
  readonly at: number
  /** Where a statement is verified; null: this server does not know how it is reached. */
  readonly addressOf: (statement: Statement) => string | null
}

/** Issued statements as they print, each from a page of its own on. */
export function statementPdf(statements: readonly Statement[], print: StatementPrint): Promise<Buffer> {
  const words = statementWords(print.language)
  const title = [words.word('sheet'), ...(statements.length === 1 ? [statements[0]?.Number ?? ''] : [])].join(' ')
  return pdfOf({ title, language: print.language, at: print.at }, (doc) => {
    let first = 0
    statements.forEach((statement, place) => {
      if (place > 0) nextPage(doc)
      sheet(doc, statement, words, print.addressOf(statement))
      first = foot(doc, statement, words, first)
    })
  })
}

function sheet(doc: PdfDoc, statement: Statement, words: StatementWords, address: string | null): void {
  let y = head(doc, statement, words)
  y = who(doc, statement, words, y)
  y = metering(doc, statement, words, y)
  y = facts(doc, statement, words, y)
  y = charges(doc, statement, words, y)
  y = total(doc, statement, words, y)
  y = known(doc, statement, words, y)
  proof(doc, statement, words, address, y)
}

const clockOf = ({ Zone }: Statement) => {
  const { text } = zoneClock(Zone)
  return (at: number): string => text(at).slice(0, 16)
}

function head(doc: PdfDoc, statement: Statement, { word }: StatementWords): number {
  const clock = clockOf(statement)
  const { State, IssuedAt, Ended, Successor, Replaces } = statement
  put(doc, word('sheet'), margin, margin, { wide: 280, size: 18, bold: true })
  const { Month: month, From: from, To: to, Zone: zone, Quarters } = statement
  const of = { month, from, to, zone, count: quantityText(String(Quarters)) }
  const left = 27 + putWrapped(doc, word('of', of), margin, margin + 27, { wide: 295, size: sizes.small, colour: grey })
  const number = { wide: 215, align: 'right' as const, size: 13, bold: true }
  put(doc, statement.Number ?? '', margin + 300, margin + 3, number)
  if (State === 'replaced' || State === 'void') {
    const struck = doc.fontSize(13).widthOfString(statement.Number ?? '')
    rule(doc, margin + 11, { from: margin + width - struck, wide: struck, weight: 1 })
  }
  const lines = [
    ...(State === 'replaced'
      ? [word('isReplaced', { number: Successor?.Number ?? '' })]
      : State === 'void'
        ? [word('isVoid')]
        : []),
    ...(IssuedAt === null ? [] : [word('issuedAt', { time: clock(IssuedAt) })]),
    ...(Ended ? [word('endedAt', { time: clock(Ended.At), reason: Ended.Reason })] : []),
    ...(Replaces ? [word('replacesNumber', { number: Replaces.Number })] : []),
  ]
  let right = 23
  for (const each of lines)
    right += putWrapped(doc, each, margin + 300, margin + right, { wide: 215, align: 'right', colour: grey })
  const y = margin + Math.max(left, right) + 5
  rule(doc, y, { weight: 1.5 })
  return y + 8
}

function who(doc: PdfDoc, statement: Statement, { word }: StatementWords, top: number): number {
  const { CapacityVa, DeclaredW, Parts } = statement
  const capacity = [
    ...(CapacityVa === null ? [] : [word('capacityIs', { kva: kiloText(CapacityVa) })]),
    ...(DeclaredW === null ? [] : [word('declaredIs', { kw: kiloText(DeclaredW) })]),
  ]
  const tariffs = Parts.map(({ Tariff, Number: no, ValidFrom: from }) => word('tariffIs', { tariff: Tariff, no, from }))
  const rows = [
    [word('customer'), statement.Project],
    [word('point'), statement.Supply],
    [word('account'), statement.AccountNo || '–'],
    [word('capacity'), capacity.join(', ') || '–'],
    [word('tariff'), tariffs.join('; ') || '–'],
    [word('source'), [...new Set(Parts.map(({ Source }) => Source))].join('; ') || '–'],
  ]
  let y = top
  for (let place = 0; place < rows.length; place += 2) {
    const heights = [0, 1].map((side) => {
      const [name = '', value = ''] = rows[place + side] ?? []
      const x = margin + side * (width / 2)
      put(doc, name, x, y, { wide: 52, colour: grey })
      return putWrapped(doc, value, x + 54, y, { wide: width / 2 - 62 })
    })
    y += Math.max(...heights, 12) + 1
  }
  return y + 8
}

function facts(doc: PdfDoc, statement: Statement, { word, unitOf }: StatementWords, top: number): number {
  const { Max, CosHundredths, PowerFactorStandard, BilledWh, Currency } = statement
  const mean = meanPrice(statement)
  const standard = PowerFactorStandard === null ? word('noStandard') : word('standard', { value: cosText(PowerFactorStandard) })
  const cosNote = CosHundredths === null && PowerFactorStandard !== null ? `${standard}, ${word('notEntered')}` : standard
  const own = [
    [word('activeEnergy'), wholeKwh(BilledWh), 'kWh', ''],
    [
      word('maxDemand', { time: Max.At === null ? '' : clockOf(statement)(Max.At).slice(5) }).trim(),
      ...[kiloText(Max.W), 'kW', Max.LeftOut > 0 ? word('maxLeftOut', { count: Max.LeftOut }) : ''],
    ],
    [word('powerFactor'), cosText(CosHundredths), '', cosNote],
    [word('meanPrice'), mean ?? '–', mean === null ? '' : `${unitOf(Currency)}/kWh`, ''],
  ]
  const [high, wide] = [46, width / own.length]
  const y = top + high > bottom ? nextPage(doc) : top
  doc.lineWidth(0.5).rect(margin, y, width, high).stroke(line)
  own.forEach(([label = '', value = '', unit = '', note = ''], place) => {
    const x = margin + place * wide + 7
    if (place > 0)
      doc
        .moveTo(margin + place * wide, y)
        .lineTo(margin + place * wide, y + high)
        .stroke(line)
    put(doc, label, x, y + 5, { wide: wide - 12, size: sizes.small, colour: grey })
    put(doc, value, x, y + 15, { wide: wide - 12, size: 12, bold: true })
    put(doc, unit, x + doc.fontSize(12).widthOfString(value) + 3, y + 18, { wide: 50, size: sizes.small, colour: grey })
    put(doc, note, x, y + 33, { wide: wide - 12, size: 7, colour: grey })
  })
  return y + high + 10
}

function total(doc: PdfDoc, { Total, Currency }: Statement, { language, word, unitOf }: StatementWords, top: number): number {
  const y = top + 30 > bottom ? nextPage(doc) : top
  put(doc, word('sum'), margin, y + 7, { wide: 60, size: 11, bold: true })
  const inWords =
    Currency === 'CNY' && language === 'CN' && Total !== null ? renminbiInCapitals(BigInt(Total.replace('.', ''))) : ''
  if (inWords !== '') put(doc, word('inCapitals', { text: inWords }), margin + 50, y + 8, { wide: 290 })
  const unit = unitOf(Currency)
  const unitWide = doc.fontSize(sizes.usual).widthOfString(unit)
  put(doc, unit, margin + width - unitWide, y + 11, { wide: unitWide + 1, colour: grey })
  put(doc, moneyText(Total), margin + 300, y + 2, { wide: 215 - unitWide - 5, size: 17, align: 'right', bold: true })
  rule(doc, y + 27, { weight: 1.5 })
  return y + 33
}

/** How well each line is known, in a sentence. */
function known(doc: PdfDoc, statement: Statement, { word }: StatementWords, top: number): number {
  const { Members, Quarters, LackingQuarters, Estimates, ByWeekday } = statement
  const sentence = (each: Statement['Members'][number]) => {
    const share = shareText(Quarters === 0 ? null : Math.floor((each.Known * 10_000) / Quarters))
    const name = each.Name ?? word('gone')
    const parts = [
      word('knownIs', { name, share, measured: quantityText(String(each.Measured)) }),
      ...(each.Spread > 0 ? [word('spreadIs', { count: each.Spread })] : []),
      ...(each.Across > 0 ? [word('acrossIs', { count: each.Across })] : []),
      ...(each.Entered > 0 ? [word('enteredIs', { count: each.Entered })] : []),
      ...(each.Estimated > 0 ? [word('estimatedIs', { count: each.Estimated })] : []),
      ...(each.Missing > 0 ? [word('missingIs', { count: each.Missing })] : []),
      ...(each.Filled > 0 ? [word('filledIs', { count: each.Filled })] : []),
    ]
    return word('sentence', { text: parts.join(word('and')) })
  }
  const texts = [
    ...Members.map(sentence),
    ...(LackingQuarters > 0 ? [word('lackingAre', { count: LackingQuarters })] : []),
    ...(Estimates ? [word('estimatesAre', { reason: Estimates.Reason, name: Estimates.Issuer ?? '–' })] : []),
    ...(ByWeekday ? [word('byWeekday')] : []),
  ]
  const look = { wide: width, size: sizes.small, colour: grey }
  let y = top
  for (const each of texts) {
    if (y + heightOf(doc, each, look) > bottom) y = nextPage(doc)
    y += putWrapped(doc, each, margin, y, look) + 1
  }
  return y
}

const [qrSize, proofHeight] = [72, 96]

/** At the foot of the last page: who signs, and how it is checked. */
function proof(doc: PdfDoc, statement: Statement, { word }: StatementWords, address: string | null, after: number): void {
  if (after + proofHeight > bottom) nextPage(doc)
  const [y, third] = [bottom - proofHeight, width / 3]
  ;(['made', 'checked', 'confirmed'] as const).forEach((key, place) => {
    put(doc, word(key), margin + place * third, y, { wide: third - 20, colour: grey })
    rule(doc, y + 15, { from: margin + place * third, wide: third - 20 })
  })
  const hash = statement.Sha256 ?? ''
  const rows = [
    [word('engine'), `engine ${statement.Engine}`],
    ['SHA-256', hashInGroups(hash)],
    [word('check'), word(address === null ? 'compare' : 'scan')],
  ]
  const wide = width - qrSize - 80
  let below = bottom - qrSize - 4
  for (const [name = '', value = ''] of rows) {
    put(doc, name, margin, below, { wide: 52, size: sizes.small, colour: grey })
    below += putWrapped(doc, value, margin + 54, below, { wide, size: sizes.small }) + 3
  }
  qrCode(doc, address ?? `${statement.Number} sha256:${hash}`, margin + width - qrSize, bottom - qrSize - 6)
}

function qrCode(doc: PdfDoc, text: string, x: number, y: number): void {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const side = qrSize / size
  data.forEach((row, place) => {
    // Neighbours in one piece: no hair of white between them.
    for (let from = row.indexOf(true); from >= 0; ) {
      const end = row.indexOf(false, from)
      const to = end < 0 ? row.length : end
      doc.rect(x + from * side, y + place * side, (to - from) * side, side)
      from = row.indexOf(true, to)
    }
  })
  doc.fill('#000000')
}

/** Under each of its pages; where the next statement's pages begin. */
function foot(doc: PdfDoc, { Number: number }: Statement, { word }: StatementWords, first: number): number {
  const { start, count } = doc.bufferedPageRange()
  for (let page = first; page < start + count; page++) {
    doc.switchToPage(page)
    rule(doc, bottom + 4)
    const look = { size: sizes.small, colour: grey }
    put(doc, word('neverMoves', { number: number ?? '' }), margin, bottom + 8, { ...look, wide: width - 80 })
    const pages = `${page - first + 1} / ${start + count - first}`
    put(doc, pages, margin + width - 60, bottom + 8, { ...look, wide: 60, align: 'right' })
  }
  return start + count
}
