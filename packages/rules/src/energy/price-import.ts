import { minuteMs } from '@linewarden/equipment'
import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import { dateText, parseDate } from '../automation/civil-time.ts'
import { parsePrice, pricePlaces } from './money.ts'
import type { SeriesPrice } from './price-series.ts'
import { priceMinutes } from './price-series.ts'
import { quarterMs } from './slots.ts'

/** Days that one import may span, and quarters of them. */
export const maxPriceDays = 800
/** Problems that are told of one file. */
export const maxPriceProblems = 50

/** What is wrong with a file of prices. `row`: its line, or that of the element in a document. */
export interface PriceProblem {
  readonly row: number
  readonly key: PriceProblemKey
  readonly detail?: Readonly<Record<string, string | number>>
}
export type PriceProblemKey =
  | 'empty'
  | 'columns'
  | 'cells'
  | 'headUnit'
  | 'headClock'
  | 'timeWrong'
  | 'timeSkipped'
  | 'timeTwice'
  | 'timeUnsorted'
  | 'offQuarter'
  | 'priceWrong'
  | 'stepWrong'
  | 'stepMixed'
  | 'tooLong'
  | 'notXml'
  | 'notPrices'
  | 'currency'
  | 'unit'
  | 'curveType'
  | 'resolution'
  | 'interval'
  | 'positions'
  | 'positionsMissing'
  | 'overlap'

/** Prices of a file, in the order of time, with all that is wrong in it. */
export interface ReadPrices {
  readonly series: readonly SeriesPrice[]
  readonly problems: readonly PriceProblem[]
}

export const pricePers = ['kWh', 'MWh'] as const
/** Of how much energy the prices of a file are. */
export type PricePer = (typeof pricePers)[number]

/** A price of a file per kWh in 10^-8; null: the file knows none. Undefined: it is no number, or has too many places. */
export function filePrice(text: string, per: PricePer): bigint | null | undefined {
  const plain = text
    .trim()
    .replace(/^[−–](?=\d)/, '-')
    .replace(/^\+/, '')
  if (/^(|-|–|n\/?e|n\/?a|null|nan)$/i.test(plain)) return null
  const number = /^-?\d+,\d+$/.test(plain) ? plain.replace(',', '.') : plain
  if (per === 'kWh') return parsePrice(number) ?? undefined
  // Three places more than a price per kWh can have would be lost.
  const price = parsePrice(number)
  return price === null || price % 1_000n !== 0n ? undefined : price / 1_000n
}

/** Splits a line, with quotes as spreadsheets write them. */
function cellsOf(line: string, separator: string): readonly string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]
    if (sign === '"') {
      if (isQuoted && line[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = !isQuoted
    } else if (sign === separator && !isQuoted) {
      cells.push(cell.trim())
      cell = ''
    } else cell += sign
  }
  return [...cells, cell.trim()]
}

interface Line {
  readonly row: number
  readonly cells: readonly string[]
}

function linesOf(text: string): readonly Line[] {
  const lines = text.replace(/^﻿/, '').split(/\r?\n/)
  const first = lines.find((line) => line.trim() !== '') ?? ''
  const separator = [';', '\t', ','].find((each) => first.includes(each)) ?? ','
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : { row: index + 1, cells: cellsOf(line, separator) }))
}

const priceHead = /price|preis|prix|价|mwh|kwh/i

/** What a table is asked to be of: the currency is that of the tariff. */
interface AskedTable {
  readonly per: PricePer
  readonly currency: string
}

const unitBefore = /(\b[A-Z]{3}|\b[cC]t|\b[cC]ents?|\bp|万元|[¢€£$¥元角分])\s?(?:\/|per|je|每)\s?[kKmM][wW][hH]/
const currencySigns: Readonly<Record<string, readonly string[]>> = {
  ...{ CNY: ['RMB', '¥', '元'], EUR: ['€'], GBP: ['£'], JPY: ['¥'], USD: ['$'] },
  ...{ AUD: ['$'], CAD: ['$'], HKD: ['$'], NZD: ['$'], SGD: ['$'], TWD: ['$', '元'] },
}

/** What the head of a column says of its unit, where it says one: `EUR/MWh`, `Preis (ct/kWh)`. */
function headProblem(head: string, { per, currency }: AskedTable): Omit<PriceProblem, 'row'> | null {
  const found = /[kM]Wh/i.exec(head)?.[0]
  if (found !== undefined && found.toLowerCase() !== per.toLowerCase()) return { key: 'headUnit', detail: { found, per } }
  const own = unitBefore.exec(head)?.[1] ?? currency
  return own === currency || currencySigns[currency]?.includes(own) ? null : { key: 'currency', detail: { currency, found: own } }
}

/** The column of prices; null: it is not clear which one is. */
function priceColumn(head: readonly string[], isHead: boolean): number | null {
  if (head.length === 2) return 1
  if (!isHead) return null
  const found = head.flatMap((cell, column) => (column > 0 && priceHead.test(cell) ? column : []))
  return found.length === 1 ? (found[0] ?? null) : null
}

/** A first line that was meant as a time is no head, and one with a price beside `Time (UTC+8)` is none, either. */
function isHeadOf({ cells }: Line, per: PricePer): boolean {
  const [time = '', price = ''] = cells
  return timeOf(time) === null && (!/\d/.test(time) || (!/^\d/.test(time) && filePrice(price, per) === undefined))
}

/** Clocks that heads of tables name, with their minutes from UTC in winter and in summer. */
const namedClocks: Readonly<Record<string, readonly [winter: number, summer: number]>> = {
  ...{
    UTC: [0, 0],
    GMT: [0, 0],
    CET: [60, 120],
    CEST: [60, 120],
    WET: [0, 60],
    WEST: [0, 60],
    EET: [120, 180],
    EEST: [120, 180],
  },
}
const ofYear = { winter: Date.UTC(2025, 0, 15), summer: Date.UTC(2025, 6, 15) }

/** What the head of times says of their clock: `MTU (UTC)` are no times of Berlin. */
function clockProblem(head: string, zone: CivilZone): Omit<PriceProblem, 'row'> | null {
  const [found, name = '', hours, minutes = '0'] =
    /\b(UTC|GMT|CES?T|WES?T|EES?T)\b(?: ?([+-]\d{1,2})(?::?(\d{2}))?)?/.exec(head) ?? []
  if (found === undefined) return null
  const offset = hours === undefined ? 0 : Number(hours) * 60 + (hours.startsWith('-') ? -1 : 1) * Number(minutes)
  const isThere = [ofYear.winter, ofYear.summer].every(
    (at, season) => zone.offsetMsAt(at) / minuteMs === (namedClocks[name]?.[season] ?? 0) + offset,
  )
  return isThere ? null : { key: 'headClock', detail: { found, zone: zone.timeZone } }
}

/**
 * Prices of a table as text: a time and a price a line, with or without a head. A time with its offset is that instant; any other is of the project's
 * clock, and an hour that it shows twice is written twice. The step is the smallest between two of them; a line that is missing is a price that is
 * not known.
 */
export function readPriceTable(text: string, zone: CivilZone, asked: AskedTable): ReadPrices {
  const lines = linesOf(text)
  const [first] = lines
  if (!first) return { series: [], problems: [{ row: 1, key: 'empty' }] }
  const isHead = isHeadOf(first, asked.per)
  const column = priceColumn(first.cells, isHead)
  const body = isHead ? lines.slice(1) : lines
  if (column === null) return { series: [], problems: [{ row: first.row, key: 'columns' }] }
  if (body.length === 0) return { series: [], problems: [{ row: first.row, key: 'empty' }] }
  const isOfClock = timeOf(body[0]?.cells[0] ?? '')?.offsetMs === null
  const ofHead =
    (isHead && headProblem(first.cells[column] ?? '', asked)) || (isHead && isOfClock && clockProblem(first.cells[0] ?? '', zone))
  if (ofHead) return { series: [], problems: [{ row: first.row, ...ofHead }] }
  const problems: PriceProblem[] = []
  const prices: { readonly row: number; readonly at: number; readonly price: bigint | null }[] = []
  let before = Number.NEGATIVE_INFINITY
  for (const { row, cells } of body) {
    // A decimal comma between columns that commas part would cut a price off where it begins.
    if (cells.slice(first.cells.length).some((cell) => cell !== '')) {
      problems.push({ row, key: 'cells', detail: { found: cells.length, count: first.cells.length } })
      continue
    }
    const at = instantOf(cells[0] ?? '', zone, before)
    const price = filePrice(cells[column] ?? '', asked.per)
    if (typeof at === 'string') problems.push({ row, key: at, detail: { time: (cells[0] ?? '').slice(0, 40) } })
    if (price === undefined) problems.push({ row, key: 'priceWrong', detail: { price: (cells[column] ?? '').slice(0, 24) } })
    if (typeof at === 'number') before = at
    if (typeof at === 'number' && price !== undefined) prices.push({ row, at, price })
  }
  if (problems.length > 0) return { series: [], problems }
  const tooLong = lengthProblem(prices)
  if (tooLong.length > 0) return { series: [], problems: tooLong }
  const minutes = stepOf(prices.map(({ at }) => at))
  if (minutes === null) return { series: [], problems: [{ row: prices[1]?.row ?? first.row, key: 'stepWrong' }] }
  const mixed = mixedAt(prices, minutes)
  if (mixed) return { series: [], problems: [mixed] }
  return { series: prices.map(({ at, price }) => ({ at, minutes, price })), problems: [] }
}

/** Longer steps that follow one another evenly: a market that went over from hours to quarters, and no lines that are missing. */
const evenSteps = 4

function mixedAt(prices: readonly { readonly row: number; readonly at: number }[], minutes: number): PriceProblem | null {
  const stepAt = (index: number) => ((prices[index + 1]?.at ?? Number.NaN) - (prices[index]?.at ?? Number.NaN)) / minuteMs
  let even = 0
  for (let index = 0; index < prices.length - 1; index++) {
    const step = stepAt(index)
    const isLonger = step > minutes && priceMinutes.some((each) => each === step)
    even = !isLonger ? 0 : step === stepAt(index - 1) ? even + 1 : 1
    if (even === evenSteps)
      return { row: prices[index - evenSteps + 1]?.row ?? 1, key: 'stepMixed', detail: { minutes: step, least: minutes } }
  }
  return null
}

function lengthProblem(prices: readonly { readonly row?: number; readonly at: number }[]): readonly PriceProblem[] {
  const [from, to] = [prices[0]?.at ?? 0, prices.at(-1)?.at ?? 0]
  return to - from > maxPriceDays * 96 * quarterMs
    ? [{ row: prices.at(-1)?.row ?? 1, key: 'tooLong', detail: { most: maxPriceDays } }]
    : []
}

/** The smallest step between two prices, of which all others are made; one price alone is one of an hour. Null: it is none that a price has. */
function stepOf(times: readonly number[]): SeriesPrice['minutes'] | null {
  const steps = times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / minuteMs)
  const least = steps.length === 0 ? 60 : steps.reduce((one, other) => Math.min(one, other))
  const minutes = priceMinutes.find((each) => each === least)
  return minutes !== undefined && steps.every((each) => each % minutes === 0) ? minutes : null
}

interface WrittenTime {
  readonly day: CivilDay
  readonly secondOfDay: number
  /** Of the offset that is written beside it; null: none is. */
  readonly offsetMs: number | null
}

/** What is longer is no time, and not looked at: a cell may be as long as the file. */
const maxTimeLength = 80
/** Zones remember each date that they were asked of: a file does not ask for millions of them. */
const years = { first: 1990, last: 2199 }

const two = (text: string | undefined) => (text ?? '').padStart(2, '0')

/** `2025-03-30 01:00`, `30.03.2025 01:00`, with an offset or without; of `from - to` the first. Null: it is no time. */
function timeOf(text: string): WrittenTime | null {
  if (text.length > maxTimeLength) return null
  const [written = ''] = text.trim().split(/ +[-–] +/)
  const iso = /^(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?[T ]+(\d{1,2}):(\d{2})(?::00(?:\.0+)?)? ?(Z|[+-]\d{2}:?\d{2})?$/.exec(
    written,
  )
  const european = /^(\d{1,2})[./](\d{1,2})[./](\d{4})[ ,]+(\d{1,2}):(\d{2})(?::00)?$/.exec(written)
  const [year, month, day, hour, minute, zone] = iso
    ? iso.slice(1)
    : european
      ? [european[3], european[2], european[1], european[4], european[5]]
      : []
  if (year === undefined || Number(hour) > 23 || Number(minute) > 59) return null
  const date = parseDate(`${year}-${two(month)}-${two(day)}`)
  if (date === null || Number(year) < years.first || Number(year) > years.last) return null
  return {
    day: date,
    secondOfDay: Number(hour) * 3_600 + Number(minute) * 60,
    offsetMs: zone === undefined ? null : offsetOf(zone),
  }
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * minuteMs
}

type TimeProblem = Extract<PriceProblemKey, 'timeWrong' | 'timeSkipped' | 'timeTwice' | 'timeUnsorted' | 'offQuarter'>

function instantOf(text: string, zone: CivilZone, before: number): number | TimeProblem {
  const time = timeOf(text)
  if (time === null) return 'timeWrong'
  const at =
    time.offsetMs === null
      ? shownAt(zone, time.day, time.secondOfDay, before)
      : time.day * 96 * quarterMs + time.secondOfDay * 1_000 - time.offsetMs
  if (at === null) return 'timeSkipped'
  if (at % quarterMs !== 0) return 'offQuarter'
  return at > before ? at : at === before ? 'timeTwice' : 'timeUnsorted'
}

/** When the clock shows a time; of two instants the second where the first is over by then. Null: it never does. */
function shownAt(zone: CivilZone, day: number, secondOfDay: number, before: number): number | null {
  const found = zone.resolve(day, secondOfDay)
  if (found === null || found.clock === 'gap') return null
  if (found.clock === 'plain' || found.at > before) return found.at
  // The clock goes back by half an hour or by a whole one.
  const again = [30, 60].map((minutes) => found.at + minutes * minuteMs).find((at) => zone.wallAt(at) === zone.wallAt(found.at))
  return again ?? found.at
}

/** Quarters one after the other from the first price to the last; undefined: the file says nothing of that one. */
export function quartersOfSeries(series: readonly SeriesPrice[]): {
  readonly from: number
  readonly prices: readonly (bigint | null | undefined)[]
} {
  const last = series.at(-1)
  const from = series[0]?.at ?? 0
  const to = last ? last.at + last.minutes * minuteMs : from
  const prices = new Array<bigint | null | undefined>((to - from) / quarterMs).fill(undefined)
  for (const { at, minutes, price } of series)
    for (let slot = at; slot < at + minutes * minuteMs; slot += quarterMs) prices[(slot - from) / quarterMs] = price
  return { from, prices }
}

/** A price per kWh as a decimal text without noughts at its end: `-0.005`. */
export function seriesPriceText(price: bigint): string {
  const digits = String(price < 0n ? -price : price).padStart(pricePlaces + 1, '0')
  const places = digits.slice(-pricePlaces).replace(/0+$/, '')
  return `${price < 0n ? '-' : ''}${digits.slice(0, -pricePlaces)}${places === '' ? '' : `.${places}`}`
}

/** A date of the zone in a file of prices. */
export interface PricedDay {
  readonly date: string
  readonly quarters: number
  readonly unknown: number
  readonly least: bigint | null
  readonly most: bigint | null
}

/** Prices by the dates of the project's clock. */
export function pricedDays(zone: CivilZone, { from, prices }: ReturnType<typeof quartersOfSeries>): readonly PricedDay[] {
  const days = new Map<number, { quarters: number; unknown: number; least: bigint | null; most: bigint | null }>()
  for (const [index, price] of prices.entries()) {
    if (price === undefined) continue
    const day = zone.dayAt(from + index * quarterMs)
    const own = days.get(day) ?? { quarters: 0, unknown: 0, least: null, most: null }
    days.set(day, own)
    own.quarters += 1
    if (price === null) own.unknown += 1
    else {
      if (own.least === null || price < own.least) own.least = price
      if (own.most === null || price > own.most) own.most = price
    }
  }
  return [...days].map(([day, own]) => ({ date: dateText(day), ...own }))
}
