import { quartersOfClock } from './slots.ts'

/**
 * A day's bands as a text of 96 signs, one for each quarter: the digit of its band, or a dot where none is chosen yet. So a strip is written,
 * stored and hashed.
 */
export type Strip = string

/** What a strip may be. */
export const stripPattern = '^[0-7.]{96}$'

/** All quarters in one band. */
export const evenStrip = (band: number): Strip => String(band).repeat(quartersOfClock)

/** The band of each quarter; -1 where none is chosen. */
export const bandsOfStrip = (strip: Strip): readonly number[] =>
  Array.from(strip, (sign) => (/[0-7]/.test(sign) ? Number(sign) : -1))

/** A band from one quarter to before another. */
export interface StripRun {
  readonly from: number
  readonly to: number
  /** -1: none. */
  readonly band: number
}

/** Neighbours of one band as one. */
export function runsOf(strip: Strip): readonly StripRun[] {
  const runs: StripRun[] = []
  for (const [index, band] of bandsOfStrip(strip).entries()) {
    const last = runs.at(-1)
    if (last?.band === band) runs[runs.length - 1] = { ...last, to: index + 1 }
    else runs.push({ from: index, to: index + 1, band })
  }
  return runs
}

/** The strip with a band from one quarter to before another. */
export const painted = (strip: Strip, from: number, to: number, band: number): Strip =>
  strip.slice(0, from) + String(band).repeat(Math.max(0, to - from)) + strip.slice(Math.max(from, to))

/** `08:30` of the 34th quarter; `24:00` of the end. */
export const quarterClock = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`

/** The quarter of a clock time on its edge, 24:00 included; null: it is none. */
export function quarterOfClock(text: string): number | null {
  const match = /^(\d{1,2})[:：](00|15|30|45)$/.exec(text.trim())
  if (!match) return null
  const quarter = Number(match[1]) * 4 + Number(match[2]) / 15
  return quarter <= quartersOfClock ? quarter : null
}

/** The strip without a band, as when it is taken out of a tariff: its quarters have none, and those after it move up. */
export const withoutBand = (strip: Strip, band: number): Strip =>
  Array.from(strip, (sign) => {
    const own = /[0-7]/.test(sign) ? Number(sign) : -1
    if (own === band || own < 0) return '.'
    return String(own > band ? own - 1 : own)
  }).join('')
