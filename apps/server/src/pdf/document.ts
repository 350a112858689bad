import { inFont } from './font.ts'
import type { PdfDoc } from './paper.ts'
import { colours, nextPage, paper, pdfOf, put, rule, sizes } from './paper.ts'
import { drawSvg, heightOfSvg } from './svg.ts'

/** A document on A4: what it is of, its figures, bars, and rows over as many pages as they take. */
export interface PdfContent {
  readonly title: string
  readonly language: 'CN' | 'EN'
  /** When it was made, and by which clock. */
  readonly made: string
  /** Unix ms, for the properties of the file. */
  readonly at: number
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly bars: { readonly label: string; readonly unit: string; readonly values: readonly PdfBar[] } | null
  /** Charts as SVG, each under its name. */
  readonly charts?: readonly { readonly label: string; readonly svg: string }[]
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
}

interface PdfBar {
  readonly label: string
  /** Null: not known, which is no bar of no height. */
  readonly value: number | null
  /** Stands as a tick beside it. */
  readonly compared: number | null
}

const { margin, width, bottom } = paper
const { small, usual, large } = sizes
const { ink, grey, line } = colours
const [rowHeight, fill] = [15, '#3d6fb4'] as const

/** Its bytes. */
export const pdfBytes = (content: PdfContent): Promise<Buffer> =>
  pdfOf(content, (doc) => {
    let y = head(doc, content)
    if (content.bars) y = bars(doc, content.bars, y)
    for (const each of content.charts ?? []) y = chart(doc, each, y)
    rows(doc, content.table, y)
    foot(doc, content)
  })

function head(doc: PdfDoc, { title, facts }: PdfContent): number {
  doc.fontSize(large).fillColor(ink).text(inFont(title), margin, margin, { width })
  let y = doc.y + 8
  for (const { label, value } of facts) {
    put(doc, label, margin, y, { wide: 150, colour: grey })
    doc
      .fontSize(usual)
      .fillColor(ink)
      .text(inFont(value), margin + 160, y, { width: width - 160 })
    y = Math.max(y + rowHeight, doc.y + 2)
  }
  return y + 10
}

const barsHeight = 120

function bars(doc: PdfDoc, { label, unit, values }: NonNullable<PdfContent['bars']>, top: number): number {
  const y = top + 14 + barsHeight > bottom ? nextPage(doc) : top
  put(doc, `${label} (${unit})`, margin, y, { wide: width, colour: grey, size: small })
  const [base, most] = [y + 14 + barsHeight, Math.max(...values.flatMap((each) => [each.value ?? 0, each.compared ?? 0]), 0)]
  const step = width / Math.max(1, values.length)
  values.forEach(({ value, compared }, place) => {
    const x = margin + place * step
    const heightOf = (figure: number) => (most === 0 ? 0 : (Math.max(0, figure) / most) * barsHeight)
    // What is not known is hatched by a dashed line over the whole height, so that it is not read as nought.
    if (value === null)
      doc
        .lineWidth(0.5)
        .dash(2, { space: 2 })
        .moveTo(x + step / 2, base)
        .lineTo(x + step / 2, base - barsHeight)
        .stroke(line)
        .undash()
    else doc.rect(x + step * 0.15, base - heightOf(value), step * 0.7, heightOf(value)).fill(fill)
    if (compared !== null)
      doc
        .lineWidth(1)
        .moveTo(x, base - heightOf(compared))
        .lineTo(x + step, base - heightOf(compared))
        .stroke(ink)
  })
  doc
    .lineWidth(0.5)
    .moveTo(margin, base)
    .lineTo(margin + width, base)
    .stroke(grey)
  const every = Math.ceil(values.length / 12)
  values.forEach((each, place) => {
    if (place % every === 0) put(doc, each.label, margin + place * step, base + 2, { wide: step * every, size: 6, colour: grey })
  })
  if (most > 0) put(doc, String(Math.round(most)), margin + width - 60, y, { wide: 60, size: small, colour: grey })
  return base + 18
}

function chart(doc: PdfDoc, { label, svg }: NonNullable<PdfContent['charts']>[number], top: number): number {
  const height = heightOfSvg(svg)
  const y = top + 14 + height > bottom ? nextPage(doc) : top
  put(doc, label, margin, y, { wide: width, colour: grey, size: small })
  drawSvg(doc, svg, margin, y + 14)
  return y + 14 + height + 12
}

function rows(doc: PdfDoc, { columns, rows: all }: PdfContent['table'], top: number): void {
  const wide = width / columns.length
  let y = top + 3 * rowHeight > bottom ? nextPage(doc) : top
  const write = (cells: readonly string[], colour: string) => {
    cells.forEach((cell, place) => {
      put(doc, cell, margin + place * wide, y, { wide: wide - 6, colour })
    })
    y += rowHeight
    rule(doc, y - 3)
  }
  write(columns, grey)
  for (const row of all) {
    if (y + rowHeight > bottom) {
      y = nextPage(doc)
      write(columns, grey)
    }
    write(row, ink)
  }
}

/** Written last: how many pages there are is known then. */
function foot(doc: PdfDoc, { made }: PdfContent): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    put(doc, made, margin, bottom + 8, { wide: width - 80, size: small, colour: grey })
    put(doc, `${page + 1} / ${count}`, margin + width - 60, bottom + 8, { wide: 60, size: small, colour: grey, align: 'right' })
  }
}
