import type { Phasor } from './phasor.ts'
import { magnitude, minus, over, phaseAngle, phasor, plus, scaled, times, zero } from './phasor.ts'

/** What may be wrong with a supply, at the board's own terminals or at one line of it: everything downstream has it too. */
export interface SupplyFault {
  /** Everything is this much higher or lower. */
  voltageFactor: number
  /** The conductor of this phase is broken; motors that still run feed back this share of its voltage. */
  lostPhase: { readonly phase: number; readonly backfeed: number } | null
  /** One phase is lower, so that the largest deviation from the mean is this share of it. */
  unbalance: { readonly phase: number; readonly share: number } | null
  /** What the neutral's contact has grown to, in ohms; infinite: it is broken; null: sound. */
  neutralOhm: number | null
}

export const soundSupply = (): SupplyFault => ({ voltageFactor: 1, lostPhase: null, unbalance: null, neutralOhm: null })

/** Three phases against their neutral, and which of them carry nothing because their conductor is broken upstream. */
export interface Supply {
  readonly volts: readonly Phasor[]
  readonly broken: readonly boolean[]
}

export const dead: Supply = { volts: [zero, zero, zero], broken: [false, false, false] }

/** What the grid brings: three phases that wander a little in ten minutes, each by itself. */
export function grid(nominalV: number, now: number): Supply {
  const volts = [0, 1, 2].map((phase) => {
    const swing = Math.sin(now / 600_000 + phase) * 2.5 + Math.sin(now / 47_000 + 2 * phase) * 0.4
    return phasor(nominalV * (1 + swing / 230), phaseAngle(phase))
  })
  return { volts, broken: dead.broken }
}

/**
 * The supply downstream of a faulty place. `admittances` are those of what is connected there, phase by phase: behind a bad neutral they
 * decide where its point lies (Millman), while the triangle of the phases stays as it was.
 */
export function faulty(supply: Supply, fault: SupplyFault, admittances: () => readonly Phasor[]): Supply {
  const { voltageFactor, lostPhase, unbalance, neutralOhm } = fault
  if (voltageFactor === 1 && lostPhase === null && unbalance === null && neutralOhm === null) return supply
  const volts = supply.volts.map((each, phase) => {
    if (lostPhase?.phase === phase) return scaled(each, voltageFactor * lostPhase.backfeed)
    return scaled(each, voltageFactor * (unbalance?.phase === phase ? 1 - dipOf(unbalance.share) : 1))
  })
  const broken = supply.broken.map((each, phase) => each || lostPhase?.phase === phase)
  if (neutralOhm === null) return { volts, broken }
  const shift = neutralShift(volts, broken, admittances(), neutralOhm)
  return { volts: volts.map((each) => minus(each, shift)), broken }
}

/** How much lower one phase must be for the largest deviation from the mean to be this share of the mean. */
const dipOf = (share: number): number => share / (2 / 3 + share / 3)

/** The voltage of the loads' neutral point against the sound one. */
function neutralShift(volts: readonly Phasor[], broken: readonly boolean[], admittances: readonly Phasor[], ohm: number): Phasor {
  let driven = zero
  let all: Phasor = { re: 1 / ohm, im: 0 }
  for (const [phase, admittance] of admittances.entries()) {
    if (broken[phase]) continue
    driven = plus(driven, times(volts[phase] ?? zero, admittance))
    all = plus(all, admittance)
  }
  return magnitude(all) === 0 ? zero : over(driven, all)
}
