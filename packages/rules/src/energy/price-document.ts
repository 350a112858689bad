import { minuteMs } from '@linewarden/equipment'
import { parsePrice } from './money.ts'
import type { PriceProblem, ReadPrices } from './price-import.ts'
import { filePrice, maxPriceDays } from './price-import.ts'
import type { BlockPosition, SeriesPrice } from './price-series.ts'
import { openBlock } from './price-series.ts'
import { quarterMs } from './slots.ts'

/** An element of a document with the line that it begins in. Names are without their prefixes. */
interface Element {
  readonly name: string
  readonly row: number
  readonly children: Element[]
  text: string
}

/** Reads the elements of an XML document; attributes, comments and instructions are passed over. Null: it is none, or has what no price document has. */
function elementsOf(xml: string): Element | null {
  const root: Element = { name: '', row: 1, children: [], text: '' }
  const open = [root]
  const tag = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)|</g
  let row = 1
  for (const match of xml.matchAll(tag)) {
    const [all, closing, name, , empty, text] = match
    const own = open.at(-1) as Element
    if (text !== undefined) own.text += text
    // A declaration of a type, or a bracket that is none: no such document has them.
    else if (all === '<') return null
    else if (name !== undefined) {
      const plain = name.slice(name.indexOf(':') + 1)
      if (closing) {
        if (open.length < 2 || own.name !== plain) return null
        open.pop()
      } else {
        const element: Element = { name: plain, row, children: [], text: '' }
        own.children.push(element)
        if (!empty) open.push(element)
      }
    }
    for (let at = all.indexOf('\n'); at >= 0; at = all.indexOf('\n', at + 1)) row += 1
  }
  return open.length === 1 && root.children.length === 1 ? (root.children[0] ?? null) : null
}

const childrenOf = (element: Element, name: string) => element.children.filter((each) => each.name === name)
const textOf = (element: Element, name: string) => childrenOf(element, name)[0]?.text.trim() ?? ''

interface Asked {
  /** Of the tariff. */
  readonly currency: string
  /** Of several resolutions in one document, which is meant; undefined: there is one. */
  readonly minutes?: SeriesPrice['minutes'] | undefined
}

/** Prices that the periods of one document may have, with all its resolutions: few bytes can ask for billions where positions are left out. */
const maxOpened = 2 * maxPriceDays * 96
/** Signs of a text that are repeated in what is said of it. */
const shown = 40

const resolutions: Readonly<Record<string, SeriesPrice['minutes']>> = { PT15M: 15, PT30M: 30, PT60M: 60, PT1H: 60 }

/**
 * Prices of an ENTSO-E document (Publication_MarketDocument, A44). Curve type A01 has each position; in A03 one that is left out repeats the one before
 * it. A day on which clocks change has the positions of its own ends.
 */
export function readPriceDocument(xml: string, { currency, minutes }: Asked): ReadPrices {
  const wrong = (row: number, key: PriceProblem['key'], detail?: PriceProblem['detail']): ReadPrices => ({
    ...{ series: [], problems: [detail ? { row, key, detail } : { row, key }] },
  })
  const document = elementsOf(xml.replace(/^﻿/, ''))
  if (!document) return wrong(1, 'notXml')
  if (document.name !== 'Publication_MarketDocument')
    return wrong(document.row, 'notPrices', { name: document.name.slice(0, 60) })
  const problems: PriceProblem[] = []
  const series: (SeriesPrice & { readonly row: number })[] = []
  const found = new Set<number>()
  let opened = 0
  for (const own of childrenOf(document, 'TimeSeries')) {
    const about = aboutSeries(own, currency)
    problems.push(...about)
    if (about.length > 0) continue
    const [curve, isPerKwh] = [textOf(own, 'curveType') || 'A01', textOf(own, 'price_Measure_Unit.name') === 'KWH']
    for (const period of childrenOf(own, 'Period')) {
      const read = readPeriod(period, curve, isPerKwh)
      if ('key' in read) {
        problems.push(read)
        continue
      }
      opened += read.length
      if (opened > maxOpened) return wrong(period.row, 'tooLong', { most: maxPriceDays })
      const step = read[0]?.minutes ?? 0
      if (minutes !== undefined && step !== minutes) continue
      found.add(step)
      for (const each of read) series.push({ ...each, row: period.row })
    }
  }
  if (problems.length > 0) return { series: [], problems }
  if (series.length === 0) return wrong(document.row, 'empty')
  return inOrder(series, found)
}

function inOrder(series: readonly (SeriesPrice & { readonly row: number })[], minutes: ReadonlySet<number>): ReadPrices {
  const sorted = series.toSorted((one, other) => one.at - other.at)
  for (const [index, { at, row }] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before && before.at + before.minutes * minuteMs > at)
      return { series: [], problems: [{ row, key: 'overlap', detail: { minutes: [...minutes].join(' / ') } }] }
  }
  const [from, to] = [sorted[0]?.at ?? 0, sorted.at(-1)?.at ?? 0]
  if (to - from > maxPriceDays * 96 * quarterMs)
    return { series: [], problems: [{ row: sorted.at(-1)?.row ?? 1, key: 'tooLong', detail: { most: maxPriceDays } }] }
  return { series: sorted.map(({ at, minutes: own, price }) => ({ at, minutes: own, price })), problems: [] }
}

function aboutSeries(series: Element, currency: string): readonly PriceProblem[] {
  const [own, unit, curve] = ['currency_Unit.name', 'price_Measure_Unit.name', 'curveType'].map((name) =>
    textOf(series, name),
  ) as [string, string, string]
  const { row } = series
  if (own !== currency) return [{ row, key: 'currency', detail: { currency, found: own.slice(0, shown) || '–' } }]
  if (unit !== 'MWH' && unit !== 'KWH') return [{ row, key: 'unit', detail: { found: unit.slice(0, shown) || '–' } }]
  return ['A01', 'A03', ''].includes(curve) ? [] : [{ row, key: 'curveType', detail: { found: curve.slice(0, shown) } }]
}

function readPeriod(period: Element, curve: string, isPerKwh: boolean): readonly SeriesPrice[] | PriceProblem {
  const { row } = period
  const [interval] = childrenOf(period, 'timeInterval')
  const [from, to] = ['start', 'end'].map((name) => instantOf(interval ? textOf(interval, name) : '')) as [
    number | null,
    number | null,
  ]
  const minutes = resolutions[textOf(period, 'resolution')]
  if (minutes === undefined)
    return { row, key: 'resolution', detail: { found: textOf(period, 'resolution').slice(0, shown) || '–' } }
  if (from === null || to === null || to <= from || to - from > maxPriceDays * 96 * quarterMs) return { row, key: 'interval' }
  const points: BlockPosition[] = []
  for (const point of childrenOf(period, 'Point')) {
    const text = textOf(point, 'price.amount')
    const price = filePrice(text, isPerKwh ? 'kWh' : 'MWh')
    if (price == null || parsePrice(text) === null)
      return { row: point.row, key: 'priceWrong', detail: { price: text.slice(0, 24) } }
    points.push({ position: Number(textOf(point, 'position') || Number.NaN), price })
  }
  const count = (to - from) / (minutes * minuteMs)
  const positions = { count, found: points.length, last: points.at(-1)?.position ?? 0 }
  if (!points.every(({ position }) => Number.isInteger(position))) return { row, key: 'positions', detail: positions }
  if (curve === 'A01' && points.length !== count) return { row, key: 'positionsMissing', detail: positions }
  const opened = openBlock({ from, to, minutes, points })
  return typeof opened === 'string' ? { row, key: 'positions', detail: positions } : opened
}

/** `2024-10-26T22:00Z`. */
function instantOf(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::00)?Z$/.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [number, number, number, number, number]
  const at = Date.UTC(year, month - 1, day, hour, minute)
  return at % quarterMs === 0 ? at : null
}
