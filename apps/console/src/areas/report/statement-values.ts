import type { Statement, StatementRow } from '@linewarden/contract'
import { inBillOrder } from '@linewarden/contract'
import { dateText, parseDate } from '@linewarden/rules/automation'
import { minorText, monthStart } from '@linewarden/rules/energy'

/** Months that stand on one page. */
const monthsShown = 4

export const monthText = (day: number): string => dateText(day).slice(0, 7)

/** The month so many later. */
export function monthBeside(month: string, by: number): string {
  const [year = 0, of = 0] = month.split('-').map(Number)
  const months = year * 12 + of - 1 + by
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

/** The months of a page whose last one the address names; this month where it names none that exists. */
export function monthsOfPage(named: string | null, today: number): { readonly from: string; readonly to: string } {
  const day = named === null ? null : parseDate(`${named}-01`)
  const to = monthText(day !== null && day <= monthStart(today) ? day : today)
  return { from: monthBeside(to, 1 - monthsShown), to }
}

/** A row with what a draft of it comes to. */
export interface ShownRow {
  readonly key: string
  readonly row: StatementRow
  /** Of a draft; null: of what was issued, or not here yet. */
  readonly draft: Statement | null
  readonly draftState: 'none' | 'loading' | 'failed' | 'here'
}

export const keyOf = ({ SupplyID, Month, Issued }: StatementRow): string =>
  Issued ? `i${Issued.StatementID}` : `d${SupplyID}.${Month}`

/** What a row shows, whether it was issued or would be. */
interface RowFigures {
  readonly wh: number | null
  readonly bands: readonly { readonly Key: string; readonly Wh: number }[]
  readonly maxW: number | null
  readonly cos: number | null
  readonly total: string | null
  readonly currency: string | null
  readonly known: number | null
}

export function figuresOf({ row: { Issued }, draft }: ShownRow): RowFigures | null {
  if (Issued)
    return {
      ...{ wh: Issued.BilledWh, bands: Issued.Bands, maxW: Issued.MaxW, cos: Issued.CosHundredths, total: Issued.Total },
      ...{ currency: Issued.Currency, known: Issued.KnownHundredths },
    }
  if (!draft) return null
  const isKnown = draft.Quarters > draft.LackingQuarters
  return {
    ...{ wh: isKnown ? draft.BilledWh : null, bands: isKnown ? bandsOf(draft) : [], maxW: draft.Max.W },
    ...{ cos: draft.CosHundredths, total: draft.Total, currency: draft.Currency, known: draft.KnownHundredths },
  }
}

/** Of all its parts together. */
function bandsOf({ Parts }: Statement): RowFigures['bands'] {
  const sums = new Map<string, number>()
  for (const { Bands } of Parts) for (const { Key, Wh } of Bands) sums.set(Key, (sums.get(Key) ?? 0) + Wh)
  return [...sums].map(([Key, Wh]) => ({ Key, Wh }))
}

/** The bands of all rows in the order of a bill; those with other names after them. */
export function bandsIn(rows: readonly ShownRow[]): readonly string[] {
  const keys = new Set(rows.flatMap((row) => figuresOf(row)?.bands.map(({ Key }) => Key) ?? []))
  return inBillOrder([...keys], (key) => key)
}

/** The sums of rows that count; null: one of them is not known. */
interface Sums {
  readonly wh: number | null
  readonly bands: ReadonlyMap<string, number>
  /** In the minor unit's places of its texts. */
  readonly fee: string | null
  readonly issuedFee: string | null
  readonly isIssued: boolean
}

/** What was corrected or made void counts no more; money of several currencies has no sum. */
export function sumsOf(rows: readonly ShownRow[]): Sums {
  const counted = rows.filter(({ row: { State } }) => State === 'issued' || State === 'draft')
  const figures = counted.map(figuresOf)
  const currencies = new Set(figures.flatMap((each) => each?.currency ?? []))
  const bands = new Map<string, number>()
  for (const each of figures) for (const { Key, Wh } of each?.bands ?? []) bands.set(Key, (bands.get(Key) ?? 0) + Wh)
  const isOne = currencies.size === 1
  const issued = counted.filter(({ row }) => row.Issued)
  return {
    wh: figures.some((each) => each === null || each.wh === null)
      ? null
      : figures.reduce((sum, each) => sum + (each?.wh ?? 0), 0),
    bands,
    fee: isOne ? moneySum(figures.map((each) => each?.total ?? null)) : null,
    issuedFee: isOne ? moneySum(issued.map(({ row }) => row.Issued?.Total ?? null)) : null,
    isIssued: counted.length > 0 && issued.length === counted.length,
  }
}

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0

/** Exact: a decimal text is no float here. Null: one of them is not known. */
function moneySum(texts: readonly (string | null)[]): string | null {
  if (texts.length === 0 || texts.includes(null)) return null
  const known = texts.flatMap((text) => text ?? [])
  const places = Math.max(...known.map(placesOf))
  const whole = (text: string) => BigInt(text.replace('.', '') + '0'.repeat(places - placesOf(text)))
  return minorText(
    known.reduce((sum, text) => sum + whole(text), 0n),
    places,
  )
}

/** One decimal text less another. */
export const moneyLess = (text: string | null, other: string | null): string | null =>
  text === null || other === null ? null : moneySum([text, other.startsWith('-') ? other.slice(1) : `-${other}`])

/** How much more, with its sign. */
export const signed = (text: string): string => (text.startsWith('−') ? text : `+${text}`)
