import { minuteMs } from '@linewarden/equipment'
import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import { evidence } from './finding.ts'
import type { LiveChange } from './live-change.ts'
import type { Persistence } from './persistence.ts'
import { newPersistence, persist } from './persistence.ts'
import type { ThreeVoltages } from './unbalance.ts'

/** One phase of a closed line is gone: a motor that runs on two burns. */
export const phaseLoss = detector({
  key: 'phaseLoss',
  label: { zh: '缺相', en: 'Phase loss' },
  priority: 'high',
  looks: 1,
  parameters: {
    deadShare: parameter('失电电压', 'Dead below', '×U', [0.05, 0.2, 0.4], 'default of ours'),
    deadSeconds: parameter('失电持续时间', 'Dead for', 's', [1, 3, 30], 'default of ours'),
    backFedShare: parameter('反馈电压上限', 'Fed back below', '×U', [0.5, 0.8, 0.9], 'default of ours'),
    backFedSeconds: parameter('反馈持续时间', 'Fed back for', 's', [3, 10, 60], 'default of ours'),
  },
})
type PhaseLossParams = Params<typeof phaseLoss>

/** What the other phases have while one is dead, and while one is fed back by a motor; and what a phase has again that returned. */
const [othersShare, fedOthersShare, soundShare] = [0.8, 0.85, 0.85]
/** Currents, as shares of the rated one, of a phase that is fed back and of the others that feed it. */
const [noCurrentShare, loadShare] = [0.02, 0.1]
const returnMs = minuteMs

/** One sample of a three-phase line; NaN is not known. */
export interface ThreePhaseSample {
  readonly at: number
  /** Null: the position is not known. */
  readonly closed: boolean | null
  readonly volts: ThreeVoltages
  readonly amperes: ThreeVoltages
}

export interface PhaseLossContext {
  readonly supplyV: number
  readonly ratedA: number
  /** Points of the phase voltages. */
  readonly points: readonly string[]
  readonly periodMs: number
}

/** For each phase: dead, and fed back by motors of the others. */
export type PhaseLossState = readonly { readonly dead: Persistence; readonly backFed: Persistence }[]

export const newPhaseLossState = (): PhaseLossState =>
  Array.from({ length: 3 }, () => ({ dead: newPersistence(), backFed: newPersistence() }))

/** Folds one sample; at most one change for each phase. */
export function foldPhaseLoss(
  params: PhaseLossParams,
  state: PhaseLossState,
  { at, closed, volts, amperes }: ThreePhaseSample,
  { supplyV, ratedA, points, periodMs }: PhaseLossContext,
): readonly LiveChange[] {
  if (closed === null || volts.some((each) => Number.isNaN(each))) return []
  return state.flatMap(({ dead, backFed }, phase): readonly LiveChange[] => {
    const own = (volts[phase] ?? Number.NaN) / supplyV
    const others = volts.filter((_, each) => each !== phase).map((each) => each / supplyV)
    const loads = amperes.filter((_, each) => each !== phase).map((each) => each / ratedA)
    const good = !closed || own >= soundShare
    const isDead = closed && own < params.deadShare && others.every((each) => each >= othersShare)
    const isBackFed =
      closed &&
      own >= params.deadShare &&
      own < params.backFedShare &&
      (amperes[phase] ?? Number.NaN) / ratedA < noCurrentShare &&
      others.every((each) => each >= fedOthersShare) &&
      loads.every((each) => each >= loadShare)
    const before = dead.active || backFed.active
    persist(dead, { bad: isDead, good }, at, { onMs: params.deadSeconds * 1_000, offMs: returnMs, periodMs })
    persist(backFed, { bad: isBackFed, good }, at, { onMs: params.backFedSeconds * 1_000, offMs: returnMs, periodMs })
    const now = dead.active || backFed.active
    if (now === before) return []
    const point = points[phase] ?? null
    if (!now) return [{ kind: 'returned', key: phaseLoss.key, point }]
    const share = dead.active ? params.deadShare : params.backFedShare
    const shown = evidence({ value: own * supplyV, limit: share * supplyV, unit: 'V', baseline: supplyV, used: 1 })
    return [{ kind: 'raised', finding: { key: phaseLoss.key, point, level: 'alarm', evidence: shown } }]
  })
}
