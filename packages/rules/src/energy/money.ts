/**
 * Money before it is rounded, in 10^-11 of the currency's main unit: a price per kWh of 8 places times whole Wh, or one per kW times whole W,
 * is exact in it. No float touches money.
 */
export type Amount = bigint

/** Decimal places that a price can have. */
export const pricePlaces = 8
/** Decimal places of an amount: those of a price, and three from Wh to kWh. */
export const amountPlaces = 11

const power = (places: number): bigint => 10n ** BigInt(places)

/** A price such as `0.1357` in 10^-8; null: it is no decimal number, or has more than 8 places. A price can be negative. */
export function parsePrice(text: string): bigint | null {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,8}))?$/.exec(text)
  if (!match) return null
  const [, sign, whole = '', places = ''] = match
  const value = BigInt(whole) * power(pricePlaces) + BigInt(places.padEnd(pricePlaces, '0'))
  return sign === '-' ? -value : value
}

/** Divides, rounding half away from zero: 四舍五入, of a credit as of a charge. */
export function divideHalfAway(value: bigint, by: bigint): bigint {
  const [size, divisor] = [value < 0n ? -value : value, by < 0n ? -by : by]
  const rounded = (2n * size + divisor) / (2n * divisor)
  return value < 0n === by < 0n ? rounded : -rounded
}

/** An amount in the currency's minor unit, such as fen: once for each line of a statement. */
export const roundToMinor = (amount: Amount, minorDigits: number): bigint =>
  divideHalfAway(amount, power(amountPlaces - minorDigits))

/** `-680.89` of -68089 fen. */
export function minorText(minor: bigint, minorDigits: number): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(minorDigits + 1, '0')
  const cut = digits.length - minorDigits
  const text = minorDigits === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`
  return minor < 0n ? `-${text}` : text
}

/** An amount as it is, not rounded: `680.89` or `0.00000000001`. */
export const amountText = (amount: Amount): string => minorText(amount, amountPlaces).replace(/\.?0+$/, '')

/** What {@link amountText} wrote, as it was. */
export function amountOf(text: string): Amount {
  const [whole = '0', places = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + places.padEnd(amountPlaces, '0'))
  return text.startsWith('-') ? -value : value
}

/** By how much of the other an amount is more, 0.1 is 10 % more; null: the other is nothing. */
export const amountChange = (one: Amount, other: Amount): number | null =>
  other <= 0n ? null : Number(one - other) / Number(other)

/**
 * Parts in whole units that sum to the rounded whole: the largest remainders are rounded up (Hare), of equal ones those that stand first.
 */
export function largestRemainder(parts: readonly bigint[], unit: bigint): readonly bigint[] {
  const floors = parts.map((part) => floorDivide(part, unit))
  const whole = divideHalfAway(
    parts.reduce((sum, part) => sum + part, 0n),
    unit,
  )
  const left = Number(whole - floors.reduce((sum, floor) => sum + floor, 0n))
  const remainders = parts.map((part, index) => ({ index, over: part - (floors[index] ?? 0n) * unit }))
  remainders.sort((one, other) => (one.over === other.over ? one.index - other.index : one.over > other.over ? -1 : 1))
  const raised = new Set(remainders.slice(0, left).map(({ index }) => index))
  return floors.map((floor, index) => (raised.has(index) ? floor + 1n : floor))
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value % by < 0n ? quotient - 1n : quotient
}
