import type { BillCheck, Statement, StatementBill, UtilityBill } from '@linewarden/contract'
import { billCheckOf, maxBillRows, tariffKeyOf } from '@linewarden/contract'
import { parseDate } from '@linewarden/rules/automation'
import { maxToleranceHundredths, usualToleranceHundredths } from '@linewarden/rules/energy'
import { cosIn, cosText } from '../energy/power-factor-values.ts'

type Unit = UtilityBill['Rows'][number]['Unit']

/** A row of the utility's bill as it is typed. */
export interface TypedRow {
  readonly key: string
  readonly band: string | null
  readonly unit: Unit
  readonly quantity: string
  readonly price: string
  readonly amount: string
}

export interface BillValues {
  readonly Number: string
  readonly From: string
  /** Included, as a bill is written. */
  readonly To: string
  readonly Cos: string
  /** Per cent. */
  readonly Tolerance: string
  readonly Total: string
  readonly Rows: readonly TypedRow[]
}

const dayMs = 86_400_000
const dayBeside = (date: string, by: number): string => {
  const day = parseDate(date)
  return day === null ? date : new Date((day + by) * dayMs).toISOString().slice(0, 10)
}

/** What was entered, else the rows of our own statement for somebody to type the bill beside them. */
export function billStart(statement: Statement, entered: StatementBill | null): BillValues {
  const bill = entered?.Bill ?? null
  const rows: TypedRow[] = (bill?.Rows ?? []).map(({ Key, Band, Unit, Quantity, Price, Amount }) => ({
    ...{ key: Key, band: Band, unit: Unit, quantity: Quantity ?? '', price: Price ?? '', amount: Amount },
  }))
  for (const { Key, Band, Unit } of statement.Parts.flatMap(({ Rows }) => Rows))
    if (!rows.some(({ key, band }) => key === Key && (band === Band || band === null)))
      rows.push({ key: Key, band: Band, unit: Unit, quantity: '', price: '', amount: '' })
  return {
    ...{ Number: bill?.Number ?? '', From: bill?.From ?? statement.From, To: dayBeside(bill?.To ?? statement.To, -1) },
    Cos: bill?.CosHundredths == null ? '' : cosText(bill.CosHundredths),
    Tolerance: String((bill?.ToleranceHundredths ?? usualToleranceHundredths) / 100),
    ...{ Total: bill?.Total ?? '', Rows: rows },
  }
}

/** A figure as a bill has it, `12,345.60` or `−680.89`; null: it is none, or nothing is typed. */
export function figureIn(text: string): string | null {
  const plain = text
    .trim()
    .replace(/[,，\s￥¥元%]/g, '')
    .replace('−', '-')
  return /^-?\d{1,12}(\.\d{1,8})?$/.test(plain) ? plain : null
}

const isNoFigure = (text: string): boolean => text.trim() !== '' && figureIn(text) === null

/** Hundredths of a per cent; null: it is no tolerance. */
export function toleranceIn(text: string): number | null {
  const value = figureIn(text)
  const hundredths = value === null ? null : Math.round(Number(value) * 100)
  return hundredths !== null && hundredths >= 0 && hundredths <= maxToleranceHundredths ? hundredths : null
}

/** Rows whose figures are none, by their places: an amount is missing where something else of its row is typed. */
export const wrongRows = ({ Rows }: BillValues): ReadonlySet<number> =>
  new Set(
    Rows.flatMap(({ quantity, price, amount }, place) => {
      const lacksAmount = amount.trim() === '' && `${quantity}${price}`.trim() !== ''
      return [quantity, price, amount].some(isNoFigure) || lacksAmount ? [place] : []
    }),
  )

/** The bill as it is typed so far; null: it is not one yet. Rows without an amount do not stand on it. */
export function billOf(values: BillValues): UtilityBill | null {
  const Total = figureIn(values.Total)
  const ToleranceHundredths = toleranceIn(values.Tolerance)
  const CosHundredths = values.Cos.trim() === '' ? null : cosIn(values.Cos)
  const [first, last] = [parseDate(values.From.trim()), parseDate(values.To.trim())]
  if (Total === null || ToleranceHundredths === null || first === null || last === null || last < first) return null
  if (values.Number.trim() === '' || (values.Cos.trim() !== '' && CosHundredths === null) || wrongRows(values).size > 0)
    return null
  const Rows = values.Rows.flatMap(({ key, band, unit, quantity, price, amount }) => {
    const Amount = figureIn(amount)
    return Amount === null
      ? []
      : [{ Key: key, Band: band, Unit: unit, Quantity: figureIn(quantity), Price: figureIn(price), Amount }]
  })
  if (Rows.length === 0 || Rows.length > maxBillRows) return null
  const dates = { From: values.From.trim(), To: dayBeside(values.To.trim(), 1) }
  return { Number: values.Number.trim(), ...dates, CosHundredths, ToleranceHundredths, Total, Rows }
}

/** What is typed beside our statement; null: it is no bill yet. */
export function checkOf(statement: Statement, values: BillValues): BillCheck | null {
  const bill = billOf(values)
  return bill && billCheckOf(statement, bill)
}

/** The name of a charge or band that a bill writes otherwise than we do. */
const keysOfBill: Readonly<Record<string, string>> = {
  力调电费: 'powerFactor',
  功率因数调整电费: 'powerFactor',
  力率调整电费: 'powerFactor',
}

/** Where a bill parts a charge from its band. */
const parting = /\s*[·・(（]\s*|\s+(?=(?:尖|峰|平|谷|深谷|Sharp|Peak|Flat|Valley|Deep valley)\s*$)/i

/**
 * Rows pasted from a table: name, quantity, price, amount, or name and amount. A charge that stands there already is written over; one that does
 * not is added. `unread`: lines in which there is no figure, as heads.
 */
export function withPasted(
  values: BillValues,
  text: string,
): { readonly values: BillValues; readonly unread: readonly string[] } {
  const rows = [...values.Rows]
  const unread: string[] = []
  for (const line of text.split(/\r?\n/).filter((each) => each.trim() !== '')) {
    const [name = '', ...cells] = line.split(line.includes('\t') ? '\t' : /\s{2,}|;|,(?!\d{3}\b)/).map((cell) => cell.trim())
    const figures = cells.filter((cell) => figureIn(cell) !== null)
    const amount = figures.at(-1)
    if (name === '' || amount === undefined) {
      unread.push(line.trim())
      continue
    }
    const [charge = '', given = ''] = name.replace(/[)）]\s*$/, '').split(parting)
    const key = keysOfBill[charge] ?? tariffKeyOf(charge)
    const band = given === '' ? null : tariffKeyOf(given)
    const [quantity = '', price = ''] = figures.length >= 3 ? figures : []
    const place = rows.findIndex((row) => row.key === key && row.band === band)
    const unit = rows[place]?.unit ?? rows.find((row) => row.key === key)?.unit ?? (quantity === '' ? 'money' : 'kWh')
    const row = { key, band, unit, quantity, price, amount }
    if (place >= 0) rows[place] = row
    else rows.push(row)
  }
  return { values: { ...values, Rows: rows }, unread }
}
