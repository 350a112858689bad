/** The numbers of engine 1: never edited, see `engine-1.ts`. */

/** In the minor unit of the currency; null: not known. */
export type Minor = bigint | null

/** A price of at most 8 places in 10^-8; null: it is none. */
export function scaled(text: string): bigint | null {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,8}))?$/.exec(text)
  if (!match) return null
  const value = BigInt(match[2] ?? '0') * 10n ** 8n + BigInt((match[3] ?? '').padEnd(8, '0'))
  return match[1] === '-' ? -value : value
}

/** Thousandths of a unit times its price, in the minor unit. */
export function amountOf(thousandths: bigint, price: string, minorDigits: number): Minor {
  const each = scaled(price)
  return each === null ? null : half(thousandths * each, 10n ** BigInt(11 - minorDigits))
}

/** Null when one is not known: missing is not nought. */
export const sumOf = (minors: readonly Minor[]): Minor =>
  minors.reduce<Minor>((sum, each) => (sum === null || each === null ? null : sum + each), 0n)

/** Divides, rounding half away from zero: 四舍五入. */
export function half(value: bigint, by: bigint): bigint {
  const size = value < 0n ? -value : value
  const rounded = (2n * size + by) / (2n * by)
  return value < 0n ? -rounded : rounded
}

/** A whole number of 10^-places as a decimal text with all of them: `-680.89`. */
export function decimal(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0')
  const cut = digits.length - places
  const text = places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`
  return value < 0n ? `-${text}` : text
}

/** Parts in whole units that sum to the rounded whole (Hare); of equal remainders those that stand first. */
export function largestRemainder(parts: readonly bigint[], unit: bigint): readonly bigint[] {
  const floors = parts.map((part) => (part - (((part % unit) + unit) % unit)) / unit)
  const whole = half(
    parts.reduce((sum, part) => sum + part, 0n),
    unit,
  )
  const left = Number(whole - floors.reduce((sum, floor) => sum + floor, 0n))
  const over = parts.map((part, index) => ({ index, rest: part - (floors[index] ?? 0n) * unit }))
  over.sort((one, other) => (one.rest === other.rest ? one.index - other.index : one.rest > other.rest ? -1 : 1))
  const raised = new Set(over.slice(0, left).map(({ index }) => index))
  return floors.map((floor, index) => (raised.has(index) ? floor + 1n : floor))
}
