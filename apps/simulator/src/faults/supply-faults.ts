import type { SupplyFault } from '../plant/supply.ts'
import type { Courses } from './courses.ts'
import { phaseIndex } from './fault.ts'
import type { Values } from './parameters.ts'

/** What can be wrong with a supply is the same at a board's terminals and at one line: only how much is downstream differs. */

const neutralBreakParameters = { ohm: { figure: 1_000_000, unit: 'Ω', min: 0.01, max: 1_000_000 }, over: { time: '0' } } as const

export const neutralBreak = {
  about: 'The neutral gives way: behind it the phases move apart inside their unchanged triangle, by how unequal the loads are.',
  parameters: neutralBreakParameters,
  happen(fault: SupplyFault, { ohm, over }: Values<typeof neutralBreakParameters>, courses: Courses) {
    // A contact burns away slowly and then all at once: its resistance grows by the same factor in the same time.
    const sound = 0.01
    courses.ramp(fault, 'neutral', over, (share) => (fault.neutralOhm = sound * (ohm / sound) ** share))
  },
} as const

const phaseLossParameters = { phase: { oneOf: ['A', 'B', 'C'] }, backfeed: { figure: 0.02, unit: '', min: 0, max: 0.8 } } as const

export const phaseLoss = {
  about:
    'One conductor is broken: nothing flows in it, and its voltage is what running motors feed back, as a share of the supply.',
  parameters: phaseLossParameters,
  happen(fault: SupplyFault, { phase, backfeed }: Values<typeof phaseLossParameters>) {
    fault.lostPhase = { phase: phaseIndex(phase), backfeed }
  },
} as const

const unbalanceParameters = {
  percent: { figure: 5, unit: '%', min: 0, max: 30 },
  phase: { oneOf: ['A', 'B', 'C'] },
  over: { time: '0' },
} as const

export const unbalance = {
  about: 'One phase is lower: the largest deviation from the mean of the three is this share of the mean.',
  parameters: unbalanceParameters,
  happen(fault: SupplyFault, { phase, percent, over }: Values<typeof unbalanceParameters>, courses: Courses) {
    const index = phaseIndex(phase)
    courses.ramp(fault, 'unbalance', over, (share) => (fault.unbalance = { phase: index, share: (percent / 100) * share }))
  },
} as const

export const voltage = (factor: number) =>
  ({
    parameters: { factor: { figure: factor, unit: '', min: 0.3, max: 1.7 } },
    happen(fault: Pick<SupplyFault, 'voltageFactor'>, values: { readonly factor: number }) {
      fault.voltageFactor = values.factor
    },
  }) as const
