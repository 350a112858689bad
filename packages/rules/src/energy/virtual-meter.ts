import type { HowCode, Quarters } from './quarters.ts'
import { graverHow, How } from './quarters.ts'

/** One term of a virtual meter (虚拟表): so many times the energy of a line or of another virtual meter. */
export interface VirtualTerm {
  readonly quarters: Quarters
  readonly factor: number
}

/**
 * The quarters of a virtual meter, each for itself and then summed. A term that is not known makes its quarter unknown, unless its factor is 0; a
 * quarter is known as well as its term that is known least.
 *
 * @param floorsAtZero 逐刻取正: each quarter that would be negative is nought.
 */
export function virtualQuarters(terms: readonly VirtualTerm[], count: number, floorsAtZero: boolean): Quarters {
  const wh: (number | null)[] = []
  const how = new Uint8Array(count)
  for (let index = 0; index < count; index++) {
    let sum: number | null = 0
    let mark: HowCode = How.measured
    for (const { quarters, factor } of terms) {
      if (factor === 0) continue
      const each = quarters.wh[index] ?? null
      mark = graverHow(mark, each === null ? unknownHow(quarters.how[index]) : (quarters.how[index] as HowCode))
      sum = sum === null || each === null ? null : sum + factor * each
    }
    // Half a Wh is rounded as a person does, so that the same terms with all signs turned give the same with its sign turned.
    const rounded = sum === null ? null : Math.sign(sum) * Math.round(Math.abs(sum))
    wh.push(rounded === null ? null : floorsAtZero ? Math.max(0, rounded) : rounded + 0)
    how[index] = mark
  }
  return { wh, how }
}

const unknownHow = (how: number | undefined): HowCode => (how === How.open ? How.open : How.missing)

export const maxVirtualMeters = 100
export const maxVirtualTerms = 50
export const maxVirtualFactor = 100_000

/** Virtual meters in virtual meters at most. */
export const maxVirtualDepth = 8

/**
 * Why the terms of a virtual meter cannot be: a circle, or too many on top of each other. Null: they can.
 *
 * @param terms by virtual meter, the virtual meters among its terms.
 */
export function virtualProblem(terms: ReadonlyMap<number, readonly number[]>, meterId: number): 'circle' | 'tooDeep' | null {
  let level: ReadonlySet<number> = new Set([meterId])
  // A circle that the meter is not part of is deeper than anything, too.
  for (let depth = 1; depth <= maxVirtualDepth; depth++) {
    const next = new Set([...level].flatMap((each) => terms.get(each) ?? []))
    if (next.has(meterId)) return 'circle'
    if (next.size === 0) return null
    level = next
  }
  return reaches(terms, level, meterId) ? 'circle' : 'tooDeep'
}

/** The virtual meters of a circle that one is in, in order, itself at both ends; null: it is in none. */
export function circleOfMeters(terms: ReadonlyMap<number, readonly number[]>, meterId: number): readonly number[] | null {
  const from = new Map<number, number>()
  const open = [meterId]
  for (let next = open.shift(); next !== undefined; next = open.shift())
    for (const each of terms.get(next) ?? []) {
      if (each === meterId) {
        const path = [next]
        for (let above = from.get(next); above !== undefined; above = from.get(above)) path.unshift(above)
        return [...path, meterId]
      }
      if (from.has(each)) continue
      from.set(each, next)
      open.push(each)
    }
  return null
}

function reaches(terms: ReadonlyMap<number, readonly number[]>, from: ReadonlySet<number>, meterId: number): boolean {
  const passed = new Set<number>()
  const open = [...from]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === meterId) return true
    if (passed.has(next)) continue
    passed.add(next)
    open.push(...(terms.get(next) ?? []))
  }
  return false
}
