import { expect, test } from 'vitest'
import { chartSvg, printedLook } from './chart.ts'
import type { PdfDoc } from './paper.ts'
import { pdfOf } from './paper.ts'
import { drawSvg, hatchPaint, heightOfSvg } from './svg.ts'

const bytesOf = (layOut: (doc: PdfDoc) => void) => pdfOf({ title: 'x', language: 'EN', at: 0 }, layOut)
const svg = (inner: string) => `<svg width="100" height="50">${inner}</svg>`
const drawn = (inner: string) => bytesOf((doc) => drawSvg(doc, svg(inner), 40, 40))

test('a chart of the library is drawn whole, and stands as high as it is', async () => {
  const option = {
    ...{ animation: false, xAxis: { type: 'category', data: ['a', '乙'] }, yAxis: { type: 'value' } },
    series: [{ type: 'bar', data: [1, { value: 2, itemStyle: { color: hatchPaint } }], label: { show: true } }],
  }
  const made = await chartSvg(option, { width: 300, height: 200 })
  expect(heightOfSvg(made)).toBe(144)
  const bytes = await bytesOf((doc) => drawSvg(doc, made, 40, 40))
  expect(bytes.length).toBeGreaterThan((await bytesOf(() => {})).length)
})

test.each([
  ['an element', '<image href="x"></image>'],
  ['a colour', '<path d="M0 0L1 1" fill="url(#p)"></path>'],
  ['a move', '<path d="M0 0L1 1" transform="skewX(3)"></path>'],
])('%s that is not known is an error, and no part of a chart that is missing', async (_, inner) => {
  await expect(drawn(inner)).rejects.toThrow('a chart')
})

test('shapes, clips, dashes and text of every anchor are drawn', async () => {
  const shapes = [
    '<defs><clipPath id="c"><path d="M0 0h50v50h-50Z"></path></clipPath></defs><g clip-path="url(#c)">',
    '<rect x="1" y="1" width="20" height="20" fill="rgba(10,20,30,0.5)"></rect></g>',
    '<polygon points="0,0 10,0 10,10" fill="#abc" stroke="rgb(1,2,3)" stroke-dasharray="2,1"></polygon>',
    '<polyline points="0,0 10,10" fill="none" stroke="#000000" transform="matrix(1,0,0,1,2,2)"></polyline>',
    ...['start', 'middle', 'end'].map((each) => `<text text-anchor="${each}" style="font-size:9px;" x="5">A &amp; 乙</text>`),
  ]
  expect((await drawn(shapes.join(''))).length).toBeGreaterThan((await drawn('')).length)
})

test('a printed chart names no colour that is not there', () => {
  expect(() => printedLook.token('--unheard-of')).toThrow('--unheard-of')
})
