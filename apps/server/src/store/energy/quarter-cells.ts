import { dayMs } from '@linewarden/equipment'
import type { Quarters } from '@linewarden/rules/energy'
import { How, quarterMs, quartersOfClock } from '@linewarden/rules/energy'

/** A stretch of one line, Unix ms, on quarters. */
export interface Stretch {
  readonly lineId: number
  readonly from: number
  readonly to: number
}

/** Neighbouring quarters of one row: of one line and one day of UTC. */
export interface Cells {
  /** Midnight of UTC, Unix ms. */
  readonly day: number
  /** Index of the first, from 0. */
  readonly first: number
  readonly wh: readonly (number | null)[]
  readonly how: Uint8Array
}

/** Quarters from `from` on as the rows hold them. What is still open is not known there: who reads it sees by its time that it is open. */
export function cellsOf({ wh, how }: Quarters, from: number): readonly Cells[] {
  const cells: Cells[] = []
  for (let index = 0; index < wh.length; ) {
    const at = from + index * quarterMs
    const day = Math.floor(at / dayMs) * dayMs
    const first = (at - day) / quarterMs
    const end = Math.min(wh.length, index + quartersOfClock - first)
    const marks = how.slice(index, end).map((code) => (code === How.open ? How.missing : code))
    cells.push({ day, first, wh: wh.slice(index, end), how: marks })
    index = end
  }
  return cells
}

/** What a row can hold; more than two gigawatt hours in a quarter no line uses. */
const maxWh = 2 ** 31 - 1

/** Without quarters that are more than a line can use: a register that jumped there says nothing of them. */
export function storable<C extends Cells>(cells: C): C {
  const isTooMuch = (value: number | null) => value !== null && value > maxWh
  if (!cells.wh.some(isTooMuch)) return cells
  const how = cells.how.map((code, index) => (isTooMuch(cells.wh[index] ?? null) ? How.missing : code))
  return { ...cells, wh: cells.wh.map((each) => (isTooMuch(each) ? null : each)), how }
}

/** As PostgreSQL reads an array of int. */
export const arrayText = (values: readonly (number | null)[]): string => `{${values.map((each) => each ?? 'null').join(',')}}`
