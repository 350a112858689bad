import type { TrueFault } from './line-truth.ts'

/** Leakage that is so much more from a day on. */
export const step = (day: number, sizeMa: number): TrueFault => ({ kind: 'leakageStep', startHour: day * 24, sizeMa })

/** A second terminal that is so hot from a day on. */
export const hot = (day: number, atRatedK: number): TrueFault => ({
  kind: 'hotContact',
  startHour: day * 24,
  terminal: 1,
  atRatedK,
  perDayK: 0,
})
