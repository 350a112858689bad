import type { Quarters } from './quarters.ts'
import { How } from './quarters.ts'

/** Energy of a stretch, made of its quarters: whole Wh, so that any sums of it are exact. */
export interface EnergySum {
  /** Of all quarters that are known. */
  readonly usedWh: number
  /** Parts of `usedWh` that were not measured. */
  readonly spreadWh: number
  readonly estimatedWh: number
  readonly enteredWh: number
  readonly quarters: number
  /** Quarters of which nothing is known: `usedWh` is too low by what they used. */
  readonly missing: number
  /** Quarters that are provisional. */
  readonly open: number
}

export const emptySum: EnergySum = {
  ...{ usedWh: 0, spreadWh: 0, estimatedWh: 0, enteredWh: 0, quarters: 0, missing: 0, open: 0 },
}

/** Sums the quarters from index `from` to before `to`. */
export function sumOfQuarters({ wh, how }: Quarters, from = 0, to = wh.length): EnergySum {
  const byHow = [0, 0, 0, 0]
  let [missing, open] = [0, 0]
  for (let index = from; index < to; index++) {
    const [each, code] = [wh[index] ?? null, how[index]]
    if (each !== null) byHow[code ?? How.measured] = (byHow[code ?? How.measured] ?? 0) + each
    else if (code === How.open) open += 1
    else missing += 1
  }
  const [measuredWh = 0, spreadWh = 0, estimatedWh = 0, enteredWh = 0] = byHow
  return {
    usedWh: measuredWh + spreadWh + estimatedWh + enteredWh,
    ...{ spreadWh, estimatedWh, enteredWh, quarters: Math.max(0, to - from), missing, open },
  }
}

/** Hours to a day, days to a month, lines to a project. */
export function addSums(sums: readonly EnergySum[]): EnergySum {
  return sums.reduce(
    (one, other) => ({
      usedWh: one.usedWh + other.usedWh,
      spreadWh: one.spreadWh + other.spreadWh,
      estimatedWh: one.estimatedWh + other.estimatedWh,
      enteredWh: one.enteredWh + other.enteredWh,
      quarters: one.quarters + other.quarters,
      missing: one.missing + other.missing,
      open: one.open + other.open,
    }),
    emptySum,
  )
}

/** What is shown of a sum, Wh; null: nothing of it is known, which is not nought. */
export const shownWh = ({ usedWh, quarters, missing, open }: EnergySum): number | null =>
  missing + open >= quarters ? null : usedWh
