/** A figure of a finding with as many digits as it deserves: three, and none that only fill up. */
export function amount(value: number): string {
  const size = Math.abs(value)
  return String(Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)))
}

/** The same with its unit. */
export const withUnit = (value: number, unit: string): string => `${amount(value)}${unit === '' ? '' : ` ${unit}`}`

/** A count, its thousands apart. */
export const counted = (count: number): string => count.toLocaleString('en-US')

/** A local day as it comes in answers, counted since 1970. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000
