import PDFDocument from 'pdfkit'
import { chineseFont, inFont } from './font.ts'

/** A4 in points, with the room that its text has. */
export const paper = { margin: 40, width: 515, bottom: 780 } as const
export const sizes = { small: 8, usual: 9, large: 16 } as const
export const colours = { ink: '#1a1a1a', grey: '#666666', line: '#cccccc' } as const

export type PdfDoc = InstanceType<typeof PDFDocument>

/**
 * A document on A4 and its bytes once it is laid out, with the part of the font that it uses. Text can be copied out of it, and every sign is looked
 * up before it is written.
 *
 * @param at Unix ms, for the properties of the file.
 */
export async function pdfOf(
  { title, language, at }: { readonly title: string; readonly language: 'CN' | 'EN'; readonly at: number },
  layOut: (doc: PdfDoc) => void,
): Promise<Buffer> {
  const doc = new PDFDocument({
    ...{ size: 'A4', margin: paper.margin, bufferPages: true, lang: language === 'EN' ? 'en' : 'zh-CN' },
    info: { Title: inFont(title), CreationDate: new Date(at) },
  })
  const pieces: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (piece: Buffer) => pieces.push(piece))
    doc.on('end', () => resolve(Buffer.concat(pieces)))
    doc.on('error', reject)
  })
  doc.registerFont('chinese', chineseFont().bytes).font('chinese')
  layOut(doc)
  doc.end()
  return done
}

interface Look {
  readonly wide: number
  readonly size?: number
  readonly colour?: string
  readonly align?: 'left' | 'right'
  /** The font has one weight: a bold text is one with a rim. */
  readonly bold?: boolean
}

/** One line of text, cut where it does not fit. */
export function put(doc: PdfDoc, text: string, x: number, y: number, look: Look): void {
  const { wide, size = sizes.usual, align = 'left' } = look
  const shown = inFont(text)
  doc.fontSize(size)
  const left = align === 'right' ? x + Math.max(0, wide - doc.widthOfString(shown)) : x
  // A hair more, so that what was measured is not cut for the last bit of a number.
  write(doc, shown, left, y, { ...look, wide: align === 'right' ? x + wide + 0.1 - left : wide }, true)
}

/** Text on as many lines as it takes; how high it is. */
export function putWrapped(doc: PdfDoc, text: string, x: number, y: number, look: Look): number {
  const height = heightOf(doc, text, look)
  write(doc, inFont(text), x, y, look, false)
  return height
}

export function heightOf(doc: PdfDoc, text: string, { wide, size = sizes.usual }: Look): number {
  return doc.fontSize(size).heightOfString(inFont(text), { width: wide })
}

function write(doc: PdfDoc, shown: string, x: number, y: number, look: Look, isLine: boolean): void {
  const { wide, size = sizes.usual, colour = colours.ink, bold = false, align = 'left' } = look
  doc.fontSize(size).fillColor(colour)
  if (bold) doc.lineWidth(size / 40).strokeColor(colour)
  const rim = bold && { fill: true, stroke: true }
  const cut = isLine ? { height: size * 1.6, lineBreak: false, ellipsis: true } : { align }
  doc.text(shown, x, y, { width: wide, ...rim, ...cut })
}

export function rule(
  doc: PdfDoc,
  y: number,
  { from = paper.margin as number, wide = paper.width as number, weight = 0.5 } = {},
): void {
  doc
    .lineWidth(weight)
    .moveTo(from, y)
    .lineTo(from + wide, y)
    .stroke(weight > 0.5 ? colours.ink : colours.line)
}

/** Where the next page begins. */
export function nextPage(doc: PdfDoc): number {
  doc.addPage()
  return paper.margin
}
