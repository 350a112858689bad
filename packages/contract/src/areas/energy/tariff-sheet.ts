import type { Text } from '@linewarden/equipment'
import type { DayType } from '@linewarden/rules/energy'
import { dayTypes, maxBands, painted, parsePrice, powerFactorStandards, quarterOfClock } from '@linewarden/rules/energy'
import type { componentBases, TariffContent } from './tariff.ts'
import { maxComponents, maxSeasons } from './tariff.ts'
import { dayTypeTexts, tariffKeyOf } from './tariff-rules.ts'

/** Rows of a version's sheet, and cells of a row, at most. */
export const maxSheetRows = 200
export const maxSheetCells = 14
export const maxSheetCell = 200

/** A row of a sheet as text, by its number in it. */
export interface TariffSheetRow {
  readonly row: number
  readonly cells: readonly string[]
}

/** What is wrong with a cell, such as `C12`. */
export interface TariffCellProblem {
  readonly cell: string
  readonly text: Text
}

/** What each row begins with, in either language. */
const rowWords = {
  from: ['生效日期', 'from'],
  to: ['截止日期', 'to'],
  source: ['依据', 'source'],
  bands: ['时段', 'bands'],
  season: ['季节', 'season'],
  times: ['时刻', 'times'],
  price: ['价格', 'price'],
  demand: ['需量', 'demand'],
  powerFactor: ['力调标准', 'power factor'],
} as const
type RowKind = keyof typeof rowWords

type Basis = (typeof componentBases)[number]
const basisWords: Readonly<Record<Basis, readonly string[]>> = {
  kwhByBand: ['按时段电量', 'by band'],
  kwh: ['按电量', 'energy'],
  kwhBySeries: ['按时序价格', 'by the quarter'],
  kwDemand: ['按需量', 'demand'],
  kvaCapacity: ['按容量', 'capacity'],
  month: ['按月固定', 'month'],
  percentOf: ['按其他项目的百分比', 'per cent of'],
}
const allDays = ['全部', '全部日类型', 'all']

const letter = (column: number): string => String.fromCharCode(65 + column)
const found = <Key extends string>(words: Readonly<Record<Key, readonly string[]>>, text: string): Key | undefined =>
  (Object.keys(words) as Key[]).find((key) => words[key].includes(text.trim().toLowerCase()) || words[key].includes(text.trim()))

const texts = {
  kind: {
    zh: '行首应为：生效日期、截止日期、依据、时段、季节、时刻、价格、需量、力调标准',
    en: 'A row begins with From, To, Source, Bands, Season, Times, Price, Demand or Power factor',
  },
  date: { zh: '日期应写作 2026-01-01', en: 'A date is written as 2026-01-01' },
  monthDay: { zh: '日期应写作 12-01', en: 'A date of each year is written as 12-01' },
  season: { zh: '时刻应在某个季节之下', en: 'Times stand below a season' },
  dayType: {
    zh: '日类型应为：全部、工作日、周六、周日、节假日、调休上班日',
    en: 'A type of day is all, workday, Saturday, Sunday, holiday or make-up workday',
  },
  clock: { zh: '时刻应为整刻，例如 08:30', en: 'A time is on a quarter of an hour, such as 08:30' },
  band: { zh: '不是“时段”一行中的名称', en: 'It is none of the bands' },
  bands: { zh: `时段须为 1–${maxBands} 个`, en: `There are 1 to ${maxBands} bands` },
  basis: {
    zh: '计费方式应为：按时段电量、按电量、按时序价格、按需量、按容量、按月固定、按其他项目的百分比',
    en: 'A price is by band, energy, by the quarter, demand, capacity, month or per cent of',
  },
  yesNo: { zh: '应为“是”或“否”', en: 'It is yes or no' },
  price: { zh: '价格须为数字，最多 8 位小数', en: 'A price is a number with at most 8 places' },
  name: { zh: '请填写名称', en: 'It needs a name' },
  whole: { zh: '须为整数', en: 'It is a whole number' },
  base: { zh: '应为“实际”或“申报”', en: 'It is actual or declared' },
  standard: { zh: '应为 0.90、0.85 或 0.80', en: 'It is 0.90, 0.85 or 0.80' },
  twice: { zh: '重复', en: 'It is there twice' },
  missing: { zh: '缺少此行', en: 'This row is missing' },
  tooMany: { zh: '过多', en: 'There are too many' },
} as const satisfies Readonly<Record<string, Text>>

const monthDay = /^\d{1,2}-\d{1,2}$/
const twoDigits = (text: string): string =>
  text
    .split('-')
    .map((each) => each.padStart(2, '0'))
    .join('-')

/** Reads the sheet of a version. What is wrong is told by its cell, all of it at once; whether the version can be published is asked of the rules. */
export function readTariffSheet(rows: readonly TariffSheetRow[]): {
  readonly content: TariffContent
  readonly problems: readonly TariffCellProblem[]
} {
  const problems: TariffCellProblem[] = []
  const wrong = (row: number, column: number, key: keyof typeof texts): null => {
    problems.push({ cell: `${letter(column)}${row}`, text: texts[key] })
    return null
  }
  const sheet = new SheetReader(wrong)
  const seen = new Set<RowKind>()
  for (const row of rows) {
    const cells = row.cells.map((cell) => cell.trim())
    const [first = ''] = cells
    if (cells.every((cell) => cell === '') || first.startsWith('#')) continue
    const kind = found(rowWords, first)
    if (kind === undefined) {
      wrong(row.row, 0, 'kind')
      continue
    }
    if (seen.has(kind) && !['season', 'times', 'price'].includes(kind)) wrong(row.row, 0, 'twice')
    seen.add(kind)
    sheet[kind]({ row: row.row, cells })
  }
  for (const kind of ['from', 'source', 'bands', 'season'] as const)
    if (!seen.has(kind)) problems.push({ cell: 'A1', text: missingText(kind) })
  return { content: sheet.content(), problems }
}

const missingText = (kind: RowKind): Text => ({
  zh: `${texts.missing.zh}：${rowWords[kind][0]}`,
  en: `${texts.missing.en}: ${rowWords[kind][1]}`,
})

interface Line {
  readonly row: number
  readonly cells: readonly string[]
}
type Wrong = (row: number, column: number, key: keyof typeof texts) => null

/** What has been read of a sheet so far. */
class SheetReader {
  readonly #wrong: Wrong
  #from = ''
  #to: string | null = null
  #source = ''
  #bands: readonly string[] = []
  readonly #seasons: TariffContent['Seasons'] = []
  readonly #components: TariffContent['Components'] = []
  #demand: TariffContent['DemandRule'] = null
  #standard: TariffContent['PowerFactorStandard'] = null

  constructor(wrong: Wrong) {
    this.#wrong = wrong
  }

  from({ row, cells }: Line): void {
    if (/^\d{4}-\d{2}-\d{2}$/.test(cells[1] ?? '')) this.#from = cells[1] ?? ''
    else this.#wrong(row, 1, 'date')
  }

  to({ row, cells }: Line): void {
    const text = cells[1] ?? ''
    if (text !== '' && !/^\d{4}-\d{2}-\d{2}$/.test(text)) this.#wrong(row, 1, 'date')
    else this.#to = text === '' ? null : text
  }

  source({ row, cells }: Line): void {
    this.#source = (cells[1] ?? '').slice(0, 300)
    if (this.#source === '') this.#wrong(row, 1, 'name')
  }

  bands({ row, cells }: Line): void {
    const names = cells.slice(1).filter((cell) => cell !== '')
    this.#bands = names.map((name) => tariffKeyOf(name).slice(0, 16))
    if (names.length < 1 || names.length > maxBands) this.#wrong(row, 1, 'bands')
  }

  season({ row, cells: [, name = '', from = '', to = ''] }: Line): void {
    if (this.#seasons.length >= maxSeasons) return void this.#wrong(row, 0, 'tooMany')
    for (const [column, text] of [[2, from] as const, [3, to] as const])
      if (!monthDay.test(text)) this.#wrong(row, column, 'monthDay')
    const none = '.'.repeat(96)
    const days = Object.fromEntries(dayTypes.map((each) => [each, none])) as Record<DayType, string>
    const isRight = monthDay.test(from) && monthDay.test(to)
    this.#seasons.push({
      ...{
        Name: name.slice(0, 20),
        From: isRight ? twoDigits(from) : '01-01',
        To: isRight ? twoDigits(to) : '12-31',
        Days: days,
      },
    })
  }

  times({ row, cells: [, type = '', from = '', to = '', band = ''] }: Line): void {
    const season = this.#seasons.at(-1)
    if (!season) return void this.#wrong(row, 0, 'season')
    const own = dayTypes.find(
      (each) => dayTypeTexts[each].zh === type || dayTypeTexts[each].en.toLowerCase() === type.toLowerCase(),
    )
    const types = allDays.includes(type.toLowerCase()) ? dayTypes : own ? [own] : null
    const [first, last] = [quarterOfClock(from), quarterOfClock(to)]
    const place = this.#bands.indexOf(tariffKeyOf(band).slice(0, 16))
    if (!types) this.#wrong(row, 1, 'dayType')
    if (first === null) this.#wrong(row, 2, 'clock')
    if (last === null) this.#wrong(row, 3, 'clock')
    if (place < 0) this.#wrong(row, 4, 'band')
    if (!types || first === null || last === null || place < 0) return
    for (const each of types) {
      const strip = season.Days[each]
      // Over midnight: to the end of the day, and from its beginning.
      season.Days[each] =
        first < last ? painted(strip, first, last, place) : painted(painted(strip, first, 96, place), 0, last, place)
    }
  }

  price({ row, cells: [, name = '', basisText = '', inBase = '', fund = '', ...prices] }: Line): void {
    if (this.#components.length >= maxComponents) return void this.#wrong(row, 0, 'tooMany')
    const basis = found(basisWords, basisText)
    if (name === '') this.#wrong(row, 1, 'name')
    if (!basis) this.#wrong(row, 2, 'basis')
    const [InPowerFactorBase, GovernmentFund] = [this.#yes(row, 3, inBase), this.#yes(row, 4, fund)]
    if (name === '' || !basis) return
    const count = basis === 'kwhByBand' ? this.#bands.length : basis === 'kwhBySeries' ? 0 : 1
    const Prices = Array.from({ length: count }, (_, index) => prices[index] ?? '')
    for (const [index, price] of Prices.entries()) if (parsePrice(price) === null) this.#wrong(row, 5 + index, 'price')
    const Of =
      basis === 'percentOf'
        ? (prices[1] ?? '').split(/[、,，]/).flatMap((each) => (each.trim() === '' ? [] : tariffKeyOf(each.trim())))
        : []
    this.#components.push({
      ...{ Key: tariffKeyOf(name).slice(0, 24), Basis: basis, Prices: Prices.map((each) => each.slice(0, 24)), Of },
      ...{ InPowerFactorBase: InPowerFactorBase && !GovernmentFund, GovernmentFund },
    })
  }

  demand({ row, cells: [, base = '', above = '', factor = '', floor = '', hours = '', percent = ''] }: Line): void {
    const Base = ['实际', 'actual'].includes(base.toLowerCase())
      ? 'actual'
      : ['申报', 'declared'].includes(base.toLowerCase())
        ? 'declared'
        : null
    if (Base === null) return void this.#wrong(row, 1, 'base')
    const whole = (column: number, text: string) =>
      /^\d{1,4}$/.test(text) ? Number(text) : text === '' ? null : this.#wrong(row, column, 'whole')
    const [AbovePercent, Factor, FloorPercent, FromKwhPerKva, PricePercent] = [
      ...[whole(2, above), whole(3, factor), whole(4, floor), whole(5, hours), whole(6, percent)],
    ]
    this.#demand = {
      ...{ Base, FloorPercent: FloorPercent ?? null },
      Over: AbovePercent == null || Factor == null ? null : { AbovePercent, Factor },
      Discount: FromKwhPerKva == null || PricePercent == null ? null : { FromKwhPerKva, PricePercent },
    }
  }

  powerFactor({ row, cells: [, text = ''] }: Line): void {
    if (text === '') return
    const standard = powerFactorStandards.find((each) => each === Math.round(Number(text) * 100))
    if (standard === undefined) this.#wrong(row, 1, 'standard')
    else this.#standard = standard
  }

  content(): TariffContent {
    return {
      ...{ From: this.#from, To: this.#to, Source: this.#source, Bands: [...this.#bands], Seasons: this.#seasons },
      ...{ Components: this.#components, DemandRule: this.#demand, PowerFactorStandard: this.#standard },
    }
  }

  #yes(row: number, column: number, text: string): boolean {
    if (['是', 'yes', '1'].includes(text.toLowerCase())) return true
    if (!['否', 'no', '0', ''].includes(text.toLowerCase())) this.#wrong(row, column, 'yesNo')
    return false
  }
}

/** A sheet to begin with: five bands, and prices for somebody to type. Rows that begin with # are read by people alone. */
export function tariffTemplate(isChinese: boolean): readonly (readonly string[])[] {
  const at = isChinese ? 0 : 1
  const row = (kind: RowKind, ...cells: readonly string[]) => [rowWords[kind][at], ...cells]
  const [zh, en] = [(text: string) => (isChinese ? text : ''), (text: string) => (isChinese ? '' : text)]
  const bands = isChinese ? ['尖', '峰', '平', '谷', '深谷'] : ['Sharp', 'Peak', 'Flat', 'Valley', 'Deep valley']
  const basis = (key: Basis) => basisWords[key][at] ?? ''
  const [all, holiday] = isChinese ? ['全部', '节假日'] : ['all', 'holiday']
  const [yes, no] = isChinese ? ['是', '否'] : ['yes', 'no']
  return [
    [
      `# ${zh('每个工作表一个版本；以 # 开头的行是说明，不读取')}${en('A version in a sheet; rows that begin with # are notes and are not read')}`,
    ],
    row('from', '2026-01-01'),
    [...row('to', ''), `${zh('留空至下一版本')}${en('empty: until the next version')}`],
    [...row('source', ''), `${zh('必填：电价文件的名称和文号')}${en('needed: title and number of the notice')}`],
    row('bands', ...bands),
    [
      `# ${zh('季节：名称、起、止（月-日）；其下的时刻：日类型、从、到、时段，后写的覆盖先写的')}${en('Season: name, from, to (month-day); below it times: type of day, from, to, band; later ones go over earlier ones')}`,
    ],
    row('season', isChinese ? '全年' : 'All year', '01-01', '12-31'),
    row('times', all ?? '', '00:00', '24:00', bands[2] ?? ''),
    row('times', all ?? '', '08:00', '11:00', bands[1] ?? ''),
    row('times', all ?? '', '23:00', '07:00', bands[3] ?? ''),
    row('times', holiday ?? '', '11:00', '14:00', bands[4] ?? ''),
    [
      `# ${zh('价格：项目、计费方式、计入力调基数、政府性基金、价格（按时段的各一个；百分比的先写百分比，再写基数项目，用、分开）')}${en('Price: name, basis, adjusted by power factor, government fund, prices (of bands one each; of a per cent first it, then of what, with commas)')}`,
    ],
    row('price', isChinese ? '代理购电' : 'Energy purchase', basis('kwhByBand'), yes ?? '', no ?? '', '', '', '', '', ''),
    row('price', isChinese ? '输配电' : 'Transmission and distribution', basis('kwh'), yes ?? '', no ?? '', ''),
    row('price', isChinese ? '政府性基金及附加' : 'Government funds', basis('kwh'), no ?? '', yes ?? '', ''),
    [
      `# ${zh('需量：实际或申报、超过申报值的 %、倍数、不低于容量的 %、每 kVA 用电达到 kWh、价格按 %')}${en('Demand: actual or declared, above per cent, times, at least per cent of the capacity, from kWh per kVA on, per cent of the price')}`,
    ],
  ]
}
