import { expect, test } from 'vitest'
import { civilZone, parseDate } from '../automation/civil-time.ts'
import { readPriceDocument } from './price-document.ts'
import { filePrice, pricedDays, quartersOfSeries, readPriceTable, seriesPriceText } from './price-import.ts'
import { startOfDay } from './slots.ts'

const berlin = civilZone('Europe/Berlin')
const hour = 3_600_000
const dayOf = (date: string) => {
  const day = parseDate(date)!
  return { from: startOfDay(berlin, day), to: startOfDay(berlin, day + 1) }
}
const stamp = (at: number) => `${new Date(at).toISOString().slice(0, 16)}Z`

/** A document as the platform of ENTSO-E gives it. */
function document(
  date: string,
  points: readonly (readonly [position: number, price: string])[],
  more: Record<string, string> = {},
) {
  const { from, to } = dayOf(date)
  const { currency = 'EUR', unit = 'MWH', curve = 'A03', resolution = 'PT60M', extra = '' } = more
  return `<?xml version="1.0" encoding="utf-8"?>
<Publication_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3">
  <type>A44</type>
  <!-- as published -->
  <TimeSeries>
    <mRID>1</mRID>
    <in_Domain.mRID codingScheme="A01">10Y1001A1001A82H</in_Domain.mRID>
    <currency_Unit.name>${currency}</currency_Unit.name>
    <price_Measure_Unit.name>${unit}</price_Measure_Unit.name>
    <curveType>${curve}</curveType>
    <Period>
      <timeInterval><start>${stamp(from)}</start><end>${stamp(to)}</end></timeInterval>
      <resolution>${resolution}</resolution>
      ${points.map(([position, price]) => `<Point><position>${position}</position><price.amount>${price}</price.amount></Point>`).join('\n      ')}
    </Period>
  </TimeSeries>${extra}
</Publication_MarketDocument>`
}
const hours = (count: number) => Array.from({ length: count }, (_, index) => [index + 1, String(index - 3.5)] as const)
const read = (xml: string, minutes?: 15 | 60) => readPriceDocument(xml, { currency: 'EUR', minutes })

test.each([
  ['2024-10-27', 25],
  ['2025-03-30', 23],
  ['2025-06-01', 24],
])('the document of %s has %d hours, each the price of four quarters, and negative ones are prices', (date, count) => {
  const { series, problems } = read(document(date, hours(count), { curve: 'A01' }))
  expect(problems).toEqual([])
  const { from, prices } = quartersOfSeries(series)
  expect([from, prices.length]).toEqual([dayOf(date).from, count * 4])
  // -3.5 EUR/MWh is -0.0035 EUR/kWh.
  expect(prices.slice(0, 5)).toEqual([...Array(4).fill(-350_000n), -250_000n])
  expect(pricedDays(berlin, { from, prices })).toMatchObject([{ date, quarters: count * 4, unknown: 0, least: -350_000n }])
})

test('a position that A03 leaves out repeats the one before it, on a day of twenty-five hours too', () => {
  const { series } = read(
    document('2024-10-27', [
      [1, '10'],
      [24, '20.5'],
    ]),
  )
  expect(series.map(({ price }) => Number(price))).toEqual([...Array(23).fill(1_000_000), 2_050_000, 2_050_000])
})

test.each([
  ['twenty-four hours of a day that has twenty-three', document('2025-03-30', hours(24)), 'positions'],
  ['a position that A01 leaves out', document('2025-03-30', hours(22), { curve: 'A01' }), 'positionsMissing'],
  ['another currency', document('2025-06-01', hours(24), { currency: 'GBP' }), 'currency'],
  ['another unit', document('2025-06-01', hours(24), { unit: 'MAW' }), 'unit'],
  ['an unknown curve', document('2025-06-01', hours(24), { curve: 'A05' }), 'curveType'],
  ['an unknown step', document('2025-06-01', hours(24), { resolution: 'PT7M' }), 'resolution'],
  ['what is no number', document('2025-06-01', [[1, 'much']]), 'priceWrong'],
  ['no prices', '<Publication_MarketDocument></Publication_MarketDocument>', 'empty'],
  [
    'an answer that says why there are none',
    '<Acknowledgement_MarketDocument><Reason/></Acknowledgement_MarketDocument>',
    'notPrices',
  ],
  ['what is cut off', document('2025-06-01', hours(24)).slice(0, -30), 'notXml'],
  ['a type declared in it', `<!DOCTYPE x [<!ENTITY a "b">]>${document('2025-06-01', hours(24)).slice(39)}`, 'notXml'],
])('%s is refused as a whole', (_name, xml, key) => {
  const { series, problems } = read(xml)
  expect([series, problems.map((each) => each.key)]).toEqual([[], [key]])
  expect(problems.every(({ row }) => row >= 1)).toBe(true)
})

test('of two resolutions in one document one is chosen', () => {
  const quarters = document('2025-06-01', [[1, '30']], { resolution: 'PT15M' })
  const extra = `\n${/<TimeSeries>[\s\S]*<\/TimeSeries>/.exec(quarters)?.[0] ?? ''}`
  const both = document('2025-06-01', hours(24), { extra })
  expect(read(both).problems).toMatchObject([{ key: 'overlap' }])
  expect(read(both, 15).series).toHaveLength(96)
  expect(read(both, 60).series).toHaveLength(24)
})

const table = (lines: readonly string[]) => readPriceTable(lines.join('\n'), berlin, { per: 'MWh', currency: 'EUR' })

test('a table by the clock has the hour that it shows twice written twice, and none that it skips', () => {
  const clock = (date: string, list: readonly number[]) =>
    list.map((each, index) => `${date} ${String(each).padStart(2, '0')}:00;${index},5`)
  const autumn = table([
    'Datum von;Preis',
    ...clock('27.10.2024', [0, 1, 2, 2, ...Array.from({ length: 21 }, (_, index) => index + 3)]),
  ])
  expect(autumn.problems).toEqual([])
  expect(autumn.series.map(({ at }) => (at - dayOf('2024-10-27').from) / hour)).toEqual(
    Array.from({ length: 25 }, (_, index) => index),
  )
  const spring = table(clock('2025-03-30', [0, 1, 2, 3]))
  expect(spring.problems).toEqual([{ row: 3, key: 'timeSkipped', detail: { time: '2025-03-30 02:00' } }])
})

test('times with offsets are those instants, whatever the clock of the project', () => {
  const { series } = table(['time,EUR/MWh', '2024-10-27T02:00+02:00,1', '2024-10-27T02:00+01:00,2', '2024-10-27T02:00Z,n/e'])
  expect(series.map(({ at, price }) => [new Date(at).toISOString().slice(11, 16), price])).toEqual([
    ['00:00', 100_000n],
    ['01:00', 200_000n],
    ['02:00', null],
  ])
})

test.each([
  ['a time that is none', ['2025-06-01 25:00;1'], [1, 'timeWrong']],
  ['a price that is none', ['时间;价格', '2025-06-01 00:00;free'], [2, 'priceWrong']],
  ['a time twice', ['2025-06-01 00:00;1', '2025-06-01 00:00;1'], [2, 'timeTwice']],
  ['times the wrong way round', ['2025-06-01 01:00;1', '2025-06-01 00:00;1'], [2, 'timeUnsorted']],
  ['a time on no quarter', ['2025-06-01 00:10;1'], [1, 'offQuarter']],
  ['a step that no price has', ['2025-06-01 00:00;1', '2025-06-01 00:45;1'], [2, 'stepWrong']],
  ['several columns that may be prices', ['time;price a;price b', '2025-06-01 00:00;1;2'], [1, 'columns']],
  ['several columns without a head', ['2025-06-01 00:00;1;2'], [1, 'columns']],
  ['a head alone', ['time;price'], [1, 'empty']],
  ['nothing', ['', ' '], [1, 'empty']],
  ['a price that a comma cuts in two', ['time,price', '2025-06-01 00:00,0,35'], [2, 'cells']],
  ['a head of another unit', ['time;EUR/kWh', '2025-06-01 00:00;1'], [1, 'headUnit']],
  ['a head of another currency', ['time;Price [GBP/MWh]', '2025-06-01 00:00;1'], [1, 'currency']],
  ['a head of cents', ['Zeit;Preis (ct/MWh)', '2025-06-01 00:00;1'], [1, 'currency']],
  ['a head of another clock', ['MTU (UTC);price', '2025-06-01 00:00;1'], [1, 'headClock']],
  ['a head of another offset', ['Time (UTC+8);price', '2025-06-01 00:00;1'], [1, 'headClock']],
  ['a time as long as the file', ['time;price', `a${' '.repeat(200_000)}a;1`], [2, 'timeWrong']],
  ['a year in which nothing has a price', ['9999-06-01 00:00;1'], [1, 'timeWrong']],
  ['years', ['2020-06-01 00:00;1', '2020-06-01 01:00;1', '2025-06-01 00:00;1'], [3, 'tooLong']],
])('%s is told by its line', (_name, lines, [row, key]) =>
  expect(table(lines).problems.map((each) => [each.row, each.key])).toEqual([[row, key]]),
)

test('a line that is missing is a price that nobody knows, and the step is that of the others', () => {
  const { series } = table([
    '"from - to";"Price, DE";note',
    '"01/06/2025 00:00 - 01/06/2025 00:15";"1";a',
    '01/06/2025 00:15;2;b',
    '01/06/2025 01:00;3;c',
  ])
  const { prices } = quartersOfSeries(series)
  expect([series[0]?.minutes, prices]).toEqual([15, [100_000n, 200_000n, undefined, undefined, 300_000n]])
})

test.each(['EUR/MWh', 'Price per MWh', '€ / MWh', 'Day-ahead (EUR/MWh, without VAT)', 'price'])('a head may say %s', (head) =>
  expect(table([`time;${head}`, '2025-06-01 00:00;1;']).problems).toEqual([]),
)

test.each([
  ['MTU (CET/CEST);price', '2025-06-01 00:00;1'],
  ['MTU (UTC);price', '2025-06-01T00:00Z;1'],
])('times under %s are read', (...lines) => expect(table(lines).problems).toEqual([]))

test('a first line that is wrong in all of it is no head', () =>
  expect(table(['2025-06-01 25:00;free', '2025-06-01 01:00;1']).problems.map(({ key }) => key)).toEqual([
    'timeWrong',
    'priceWrong',
  ]))

test('the clock of a head is that of the project where both are as far from UTC', () => {
  const asked = { per: 'MWh', currency: 'CNY' } as const
  const { series } = readPriceTable('时间 (UTC+8);价格\n2025-06-01 00:00;1', civilZone('Asia/Shanghai'), asked)
  expect(series.map(({ at }) => at)).toEqual([Date.UTC(2025, 4, 31, 16)])
})

test('hours that become quarters are two files, and lines that are missing here and there are not', () => {
  const at = (minutes: number) => `${new Date(Date.UTC(2025, 8, 30) + minutes * 60_000).toISOString().slice(0, 16)}Z;1`
  const mixed = table([0, 60, 120, 180, 240, 300, 315, 330].map(at))
  expect([mixed.series, mixed.problems]).toEqual([[], [{ row: 1, key: 'stepMixed', detail: { minutes: 60, least: 15 } }]])
  const reversed = table([0, 15, 30, 60, 90, 120, 150].map(at))
  expect(reversed.problems).toMatchObject([{ row: 3, key: 'stepMixed' }])
  expect(table([0, 15, 75, 135, 195, 210].map(at)).problems).toEqual([])
})

test('nothing is laid out of two lines that are a century apart', () =>
  expect(table(['2020-06-01 00:00;1', '2020-06-01 01:00;1', '2120-06-01 00:00;1']).series).toEqual([]))

test('few bytes that ask for billions of prices are refused before they are made, and so are very many periods', () => {
  const period = (to: string) => `<Period><timeInterval><start>2020-01-01T00:00Z</start><end>${to}</end></timeInterval>
    <resolution>PT15M</resolution><Point><position>1</position><price.amount>1</price.amount></Point></Period>`
  const of = (periods: string) => `<Publication_MarketDocument><TimeSeries><currency_Unit.name>EUR</currency_Unit.name>
    <price_Measure_Unit.name>MWH</price_Measure_Unit.name><curveType>A03</curveType>${periods}</TimeSeries></Publication_MarketDocument>`
  for (const minutes of [undefined, 60] as const)
    expect(read(of(period('2022-03-01T00:00Z').repeat(5_000)), minutes)).toEqual({
      ...{ series: [], problems: [{ row: 4, key: 'tooLong', detail: { most: 800 } }] },
    })
  expect(read(of('<Period/>'.repeat(100_000))).problems).toHaveLength(100_000)
  const more = [75_000, 5].map((each) => `<Point><position>${each}</position><price.amount>1</price.amount></Point>`).join('')
  const wrongAtItsEnd = period('2022-03-01T00:00Z').replace('</Period>', `${more}</Period>`)
  expect(read(of(wrongAtItsEnd.repeat(3_000))).problems).toHaveLength(3_000)
})

test('a price is exact or none', () => {
  expect([filePrice('85.02', 'MWh'), filePrice('-0,5', 'kWh'), filePrice('0.00001', 'MWh'), filePrice('', 'kWh')]).toEqual([
    ...[8_502_000n, -50_000_000n, 1n, null],
  ])
  expect([filePrice('0.000001', 'MWh'), filePrice('1e3', 'MWh'), filePrice('1,234.5', 'kWh')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect([8_502_000n, -350_000n, 0n, 200_000_000n].map(seriesPriceText)).toEqual(['0.08502', '-0.0035', '0', '2'])
})
