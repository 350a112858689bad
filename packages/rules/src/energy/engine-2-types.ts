import type { Engine1Inputs, Engine1Member, Engine1Result, Engine1Row, SealedVersion } from './engine-1-types.ts'

/** What engine 2 takes and answers: never edited, see `engine-2.ts`. */

type Component = SealedVersion['Components'][number]

/** A published version as it was sealed. `kwhBySeries`: each quarter has its own price. */
export type Engine2Version = Omit<SealedVersion, 'Components'> & {
  readonly Components: readonly (Omit<Component, 'Basis'> & { readonly Basis: Component['Basis'] | 'kwhBySeries' })[]
}

export type Engine2Inputs = Omit<Engine1Inputs, 'days' | 'versions' | 'members'> & {
  /** `prices`: of each of its quarters, per kWh in whole 10^-8 as texts; null: of that one none is known, or its version has no series. */
  readonly days: readonly (Engine1Inputs['days'][number] & { readonly prices: readonly (string | null)[] | null })[]
  readonly versions: readonly { readonly sealed: Engine2Version }[]
  /** `how` may be 7, too: spread, and the register is known where the quarter begins. */
  readonly members: readonly Engine1Member[]
}

/** So many days of so many. */
export interface MonthDays {
  readonly days: number
  readonly of: number
}

/** `share`: of what is charged by the month, where not all of it is charged. What engine 1 answered has none. */
export type Engine2Row = Engine1Row & { readonly share?: MonthDays | null }

export type Engine2Result = Omit<Engine1Result, 'parts'> & {
  readonly parts: readonly (Omit<Engine1Result['parts'][number], 'rows'> & { readonly rows: readonly Engine2Row[] })[]
}
