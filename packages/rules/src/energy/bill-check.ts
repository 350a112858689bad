/** A row of a bill: ours as a statement has it, or the utility's as somebody typed it. Texts are decimal; null: the bill does not say it. */
export interface CheckedBillRow {
  readonly key: string
  readonly band: string | null
  readonly unit: 'kWh' | 'kW' | 'kVA' | 'month' | 'money'
  readonly quantity: string | null
  readonly price: string | null
  readonly amount: string | null
}

/** What may lie behind a difference, the likeliest first. */
export type BillReason =
  /** It stands on one of the two alone. */
  | 'oursOnly'
  | 'theirsOnly'
  /** The utility read its meter on other dates. */
  | 'period'
  /** The same dates, other energy: a register, a multiplier, or an hour in another band. */
  | 'register'
  | 'demand'
  | 'capacity'
  | 'months'
  | 'powerFactor'
  | 'price'
  /** What it is a share of differs, or what our statement does not know. */
  | 'base'
  /** No more than rounding can make. */
  | 'rounding'

export interface BillCheckRow {
  readonly key: string
  readonly band: string | null
  readonly unit: CheckedBillRow['unit']
  readonly ours: CheckedBillRow | null
  readonly theirs: CheckedBillRow | null
  /** Theirs less ours; null: one of them is not known. */
  readonly quantityMore: string | null
  readonly amountMore: string | null
  /** Within the tolerance; null: not known. */
  readonly isWithin: boolean | null
  readonly reasons: readonly BillReason[]
}

export interface BillCheckFacts {
  /** Both are of the same dates. */
  readonly isSamePeriod: boolean
  /** Both go by the same power factor; null: the bill does not say by which. */
  readonly isSameCos: boolean | null
  /** Hundredths of a per cent of their amount. */
  readonly toleranceHundredths: number
}

/** Of a row, where nobody says otherwise: half a per cent. */
export const usualToleranceHundredths = 50
export const maxToleranceHundredths = 1_000
const places = 8
/** One, of whatever is counted. */
const unit = 10n ** BigInt(places)

/** A decimal text in 10^-8; null: it is none. */
function scaled(text: string | null): bigint | null {
  const found = /^(-?)(\d{1,18})(?:\.(\d{1,8}))?$/.exec(text ?? '')
  if (!found) return null
  const [, sign, whole = '', rest = ''] = found
  const size = BigInt(whole) * unit + BigInt(rest.padEnd(places, '0'))
  return sign === '-' ? -size : size
}

function textOf(value: bigint): string {
  const size = (value < 0n ? -value : value).toString().padStart(places + 1, '0')
  const rest = size.slice(-places).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${size.slice(0, -places)}${rest === '' ? '' : `.${rest}`}`
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value)

/**
 * Our rows beside the utility's, each with what differs and why. A charge that the bill has in one row and we by band is compared as a whole; rows
 * of several versions of a tariff are added up.
 */
export function checkBill(
  ours: readonly CheckedBillRow[],
  theirs: readonly CheckedBillRow[],
  facts: BillCheckFacts,
): readonly BillCheckRow[] {
  const own = together(ours, theirs)
  const bill = together(theirs, theirs)
  const keys = [...new Set([...own.keys(), ...bill.keys()])]
  return keys.flatMap((key) => {
    const [one = null, other = null] = [own.get(key), bill.get(key)]
    const row = one ?? other
    return row ? [compared(row, one, other, facts)] : []
  })
}

/** What all rows come to: of theirs less ours, with the tolerance of the whole. */
export function checkTotal(ours: string | null, theirs: string | null, toleranceHundredths: number) {
  const more = less(theirs, ours)
  return { more, isWithin: within(more, theirs, toleranceHundredths) }
}

const idOf = (key: string, band: string | null): string => `${key} ${band ?? ''}`

/** By charge and band; where the bill has a charge without bands, its bands are one. */
function together(rows: readonly CheckedBillRow[], bill: readonly CheckedBillRow[]): ReadonlyMap<string, CheckedBillRow> {
  const whole = new Set(bill.filter(({ band }) => band === null).map(({ key }) => key))
  const found = new Map<string, CheckedBillRow>()
  for (const row of rows) {
    const band = whole.has(row.key) ? null : row.band
    const id = idOf(row.key, band)
    const before = found.get(id)
    found.set(id, before ? added(before, row) : { ...row, band })
  }
  return found
}

function added(one: CheckedBillRow, other: CheckedBillRow): CheckedBillRow {
  const sum = (a: string | null, b: string | null) => {
    const [x, y] = [scaled(a), scaled(b)]
    return x === null || y === null ? null : textOf(x + y)
  }
  // Demand is one of the period, however many versions charge for it.
  const isPeak = one.unit === 'kW' || one.unit === 'kVA'
  return {
    ...one,
    quantity: isPeak && one.quantity === other.quantity ? one.quantity : sum(one.quantity, other.quantity),
    price: one.price === other.price ? one.price : null,
    amount: sum(one.amount, other.amount),
  }
}

function compared(
  row: CheckedBillRow,
  ours: CheckedBillRow | null,
  theirs: CheckedBillRow | null,
  facts: BillCheckFacts,
): BillCheckRow {
  const quantityMore = less(theirs?.quantity ?? null, ours?.quantity ?? null)
  const amountMore = less(theirs?.amount ?? null, ours?.amount ?? null)
  return {
    ...{ key: row.key, band: row.band, unit: row.unit, ours, theirs, quantityMore, amountMore },
    isWithin: ours && theirs ? within(amountMore, theirs.amount, facts.toleranceHundredths) : null,
    reasons: reasonsOf(row, { ours, theirs, quantityMore, amountMore }, facts),
  }
}

function less(text: string | null, other: string | null): string | null {
  const [one, two] = [scaled(text), scaled(other)]
  return one === null || two === null ? null : textOf(one - two)
}

function within(more: string | null, of: string | null, toleranceHundredths: number): boolean | null {
  const [difference, whole] = [scaled(more), scaled(of)]
  if (difference === null || whole === null) return null
  return abs(difference) * 10_000n <= abs(whole) * BigInt(toleranceHundredths)
}

type Sides = Pick<BillCheckRow, 'ours' | 'theirs' | 'quantityMore' | 'amountMore'>

function reasonsOf(
  { unit: of, key }: CheckedBillRow,
  { ours, theirs, ...more }: Sides,
  facts: BillCheckFacts,
): readonly BillReason[] {
  if (!theirs) return ['oursOnly']
  if (!ours) return ['theirsOnly']
  const [quantity, amount] = [scaled(more.quantityMore), scaled(more.amountMore)]
  const isOther = (quantity !== null && quantity !== 0n) || (amount !== null && amount !== 0n)
  if (!isOther) return ours.amount === null ? ['base'] : []
  const isPrice = ours.price !== null && theirs.price !== null && scaled(ours.price) !== scaled(theirs.price)
  const isRounded = !isPrice && (quantity === null || abs(quantity) < unit) && amount !== null && abs(amount) <= roundingOf(ours)
  if (isRounded) return ['rounding']
  const reasons: BillReason[] = []
  if (key === 'powerFactor') {
    if (facts.isSameCos === false || isPrice) reasons.push('powerFactor')
    if (quantity !== null && quantity !== 0n) reasons.push('base')
  } else {
    if (quantity !== null && abs(quantity) >= (of === 'money' ? 1n : unit)) reasons.push(byUnit(of, facts))
    if (isPrice) reasons.push('price')
  }
  return reasons.length > 0 ? reasons : ['base']
}

const byUnit = (of: CheckedBillRow['unit'], { isSamePeriod }: BillCheckFacts): BillReason => {
  const reasons = {
    kWh: isSamePeriod ? 'register' : 'period',
    kW: 'demand',
    kVA: 'capacity',
    month: 'months',
    money: 'base',
  } as const
  return reasons[of]
}

/** What rounding makes at most: a kWh at its price, and two minor units, which are as fine as the amount is written. */
function roundingOf({ price, amount, unit: of }: CheckedBillRow): bigint {
  const each = of === 'kWh' ? (scaled(price) ?? 0n) : 0n
  const digits = amount?.split('.')[1]?.length ?? 0
  return abs(each) + 2n * 10n ** BigInt(places - digits)
}
