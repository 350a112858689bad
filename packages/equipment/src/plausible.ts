import type { Point, Quantity } from './family.ts'

interface Range {
  readonly least: number
  readonly most: number
}

/**
 * What physics allows a quantity to be, in the unit of its points. Far wider than any limit that raises an alarm: a sensor at the end of its
 * scale must still alarm, and only what cannot be is no value.
 */
const plausible: Readonly<Record<Quantity, Range>> = {
  current: { least: -1e6, most: 1e6 },
  voltage: { least: -1e5, most: 1e5 },
  power: { least: -1e6, most: 1e6 },
  residual: { least: -1e9, most: 1e9 },
  temperature: { least: -273.15, most: 10_000 },
  powerFactor: { least: -1.05, most: 1.05 },
  // A meter counts on for ever and never stands below nought.
  energy: { least: 0, most: 1e12 },
  smoke: { least: -100, most: 1_000 },
  battery: { least: 0, most: 200 },
  signal: { least: -300, most: 300 },
  gas: { least: -1_000, most: 10_000 },
  arc: { least: 0, most: 1e9 },
  count: { least: 0, most: 1e12 },
}

/** Whether a point can have this value, in its own unit. */
export function isPlausible({ quantity }: Pick<Point, 'quantity'>, value: number): boolean {
  const { least, most } = plausible[quantity]
  return value >= least && value <= most
}
