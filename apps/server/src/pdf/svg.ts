import { inFont } from './font.ts'
import type { PdfDoc } from './paper.ts'
import { paper } from './paper.ts'

/** What is painted with it is hatched: missing is no colour. */
export const hatchPaint = '#010203'
const hatchStep = 4

/** Text of 12 px is one of 8.6 points. */
const pointsOfPixel = 0.72
/** A chart over the whole width of a page, px. */
export const chartWidth = Math.floor(paper.width / pointsOfPixel)

type Attributes = Readonly<Record<string, string>>

/**
 * Draws a chart as lines, areas and text of the document: what a chart library writes as SVG, and nothing beyond it.
 *
 * @throws Error where there is something that it does not draw: half a chart is never sent.
 */
export function drawSvg(doc: PdfDoc, svg: string, x: number, y: number): void {
  const [tags, size] = [tagsOf(svg), sizeOf(svg)]
  const clips = clipsOf(tags)
  doc.save().translate(x, y).scale(pointsOfPixel)
  for (const { name, isEnd, attributes, text } of tags) {
    if (name === 'g' && isEnd) doc.restore()
    if (isEnd || skipped.has(name)) continue
    switch (name) {
      case 'g':
        doc.save()
        clipTo(doc, clips, attributes)
        break
      case 'path':
      case 'polygon':
      case 'polyline':
      case 'rect':
        if (!attributes['inside-clip']) shape(doc, outlineOf(name, attributes), attributes, { clips, size })
        break
      case 'text':
        label(doc, text, attributes)
        break
      default:
        throw new Error(`a chart has a ${name}, which is not drawn`)
    }
  }
  doc.restore()
}

/** How high a chart stands in a document. */
export const heightOfSvg = (svg: string): number => sizeOf(svg).height * pointsOfPixel

/** How large it is, px. */
function sizeOf(svg: string): { readonly width: number; readonly height: number } {
  const { width, height } = attributesOf(/<svg([^>]*)>/.exec(svg)?.[1] ?? '')
  return { width: Number(width), height: Number(height) }
}

const skipped = new Set(['svg', 'defs', 'clipPath'])

interface Tag {
  readonly name: string
  readonly isEnd: boolean
  readonly attributes: Attributes
  readonly text: string
}

/** The tags in their order; a shape inside a clip path is marked as one that is not drawn. */
function tagsOf(svg: string): readonly Tag[] {
  const plain = svg.replace(/<style[\s\S]*?<\/style>/g, '')
  let clip: string | null = null
  return [...plain.matchAll(/<(\/?)([a-zA-Z]+)([^>]*)>([^<]*)/g)].map(([, slash, name = '', given = '', text = '']) => {
    const isEnd = slash === '/'
    const own = attributesOf(given)
    if (name === 'clipPath') clip = isEnd ? null : (own.id ?? '')
    const attributes = clip !== null && name !== 'clipPath' ? { ...own, 'inside-clip': clip } : own
    return { name, isEnd, attributes, text: unescaped(text) }
  })
}

const attributesOf = (given: string): Attributes =>
  Object.fromEntries([...given.matchAll(/([a-zA-Z:_-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", '#160': ' ' }
const unescaped = (text: string): string => text.replace(/&([a-z#0-9]+);/g, (whole, name: string) => named[name] ?? whole)

/** Outlines by the names of their clip paths. */
const clipsOf = (tags: readonly Tag[]): ReadonlyMap<string, string> =>
  new Map(
    tags.flatMap(({ name, isEnd, attributes }) =>
      !isEnd && attributes['inside-clip'] ? [[attributes['inside-clip'], outlineOf(name, attributes)] as const] : [],
    ),
  )

function clipTo(doc: PdfDoc, clips: ReadonlyMap<string, string>, attributes: Attributes): void {
  const [, id] = /url\(#([^)]+)\)/.exec(attributes['clip-path'] ?? '') ?? []
  const outline = id === undefined ? undefined : clips.get(id)
  if (outline !== undefined) doc.path(outline).clip()
}

function outlineOf(name: string, attributes: Attributes): string {
  if (name === 'path') return attributes.d ?? ''
  if (name === 'rect') {
    const { x = '0', y = '0', width = '0', height = '0' } = attributes
    return `M${x} ${y}h${width}v${height}h-${width}Z`
  }
  return `M${(attributes.points ?? '').trim()}${name === 'polygon' ? 'Z' : ''}`
}

interface Around {
  readonly clips: ReadonlyMap<string, string>
  readonly size: { readonly width: number; readonly height: number }
}

function shape(doc: PdfDoc, outline: string, attributes: Attributes, { clips, size }: Around): void {
  const fill = paintOf(attributes.fill ?? '#000000', attributes['fill-opacity'])
  const width = Number(attributes['stroke-width'] ?? 1)
  const stroke = width > 0 ? paintOf(attributes.stroke ?? 'none', attributes['stroke-opacity']) : null
  if (outline === '' || (!fill && !stroke)) return
  doc.save()
  clipTo(doc, clips, attributes)
  transform(doc, attributes.transform)
  if (fill?.colour === hatchPaint) hatch(doc, outline, size)
  else if (fill) doc.fillOpacity(fill.opacity).path(outline).fill(fill.colour)
  if (stroke) {
    doc.lineWidth(width).strokeOpacity(stroke.opacity)
    const dashes = (attributes['stroke-dasharray'] ?? '').split(/[ ,]+/).map(Number)
    const [dash = 0, space = dash] = dashes
    if (dash > 0) doc.dash(dash, { space })
    doc.path(outline).stroke(stroke.colour)
  }
  doc.restore()
}

/** Thin lines from right to left over the whole chart, of which the shape shows its own. */
function hatch(doc: PdfDoc, outline: string, { width, height }: Around['size']): void {
  doc.path(outline).fill('#f1f1f1')
  doc.save().path(outline).clip()
  for (let at = -width; at < width + height; at += hatchStep) doc.moveTo(at, height).lineTo(at + height, 0)
  doc.lineWidth(0.5).stroke('#9a9a9a').restore()
}

interface Paint {
  readonly colour: string
  readonly opacity: number
}

/** Null: nothing is painted. */
function paintOf(colour: string, opacity = '1'): Paint | null {
  if (colour === 'none' || colour === 'transparent') return null
  const [, r, g, b, a] = /^rgba?\((\d+),\s*(\d+),\s*(\d+)(?:,\s*([\d.]+))?\)$/.exec(colour) ?? []
  const hex = r === undefined ? colour : `#${[r, g, b].map((each) => Number(each).toString(16).padStart(2, '0')).join('')}`
  if (!/^#[0-9a-f]{3}(?:[0-9a-f]{3})?$/i.test(hex)) throw new Error(`a chart is painted with ${colour}, which is no colour here`)
  return { colour: hex, opacity: Number(opacity) * Number(a ?? 1) }
}

function transform(doc: PdfDoc, given: string | undefined): void {
  for (const [, name, values = ''] of (given ?? '').matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values.split(/[ ,]+/).map(Number)
    if (name === 'translate') doc.translate(a, b)
    else if (name === 'matrix') doc.transform(a, b, c, d, e, f)
    else if (name === 'rotate') doc.rotate(a)
    else if (name === 'scale') doc.scale(a, values.trim().split(/[ ,]+/).length > 1 ? b : a)
    else throw new Error(`a chart is moved by ${name}, which is not known here`)
  }
}

const anchors: Readonly<Record<string, number>> = { start: 0, middle: 0.5, end: 1 }

function label(doc: PdfDoc, text: string, attributes: Attributes): void {
  const shown = inFont(text)
  if (shown.trim() === '') return
  const [, size = '12'] = /(?:^|[ :])([\d.]+)px/.exec(attributes.style ?? '') ?? []
  const baseline = attributes['dominant-baseline'] === 'central' ? ('svg-central' as const) : ('alphabetic' as const)
  const halo = paintOf(attributes.stroke ?? 'none')
  const fill = paintOf(attributes.fill ?? '#000000', attributes['fill-opacity'])
  doc.save()
  transform(doc, attributes.transform)
  doc.fontSize(Number(size))
  const left = Number(attributes.x ?? 0) - (anchors[attributes['text-anchor'] ?? 'start'] ?? 0) * doc.widthOfString(shown)
  const place = [left, Number(attributes.y ?? 0)] as const
  const look = { lineBreak: false, baseline }
  if (halo) {
    doc.lineWidth(Number(attributes['stroke-width'] ?? 1)).strokeColor(halo.colour)
    doc.text(shown, ...place, { ...look, fill: false, stroke: true })
  }
  if (fill) doc.fillColor(fill.colour, fill.opacity).text(shown, ...place, look)
  doc.restore()
}
