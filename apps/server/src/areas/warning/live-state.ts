import type { Persistence } from '@linewarden/rules/warning'
import { median } from '@linewarden/rules/warning'
import type { LiveLine } from './live-line.ts'
import { isQuiet } from './live-line.ts'

/** A condition that is counted: for how long it was seen, and when last; null: none is. */
type Counted = readonly [observedMs: number, lastAt: number] | null

/** What the checkpoint keeps of a line. What is open stands in its events. */
export interface KeptState {
  readonly overcurrent: readonly Counted[]
  readonly dead: readonly Counted[]
  readonly backFed: readonly Counted[]
  readonly neutral: Counted
  /** The usual phase voltage of its triangle, and when it was last learnt. */
  readonly reference: readonly [volts: number, at: number] | null
}

/** So many samples of the usual triangle are needed; one that was kept stands for them. */
const kept = 5

const counted = ({ counting, observedMs, lastAt }: Persistence): Counted => (counting ? [observedMs, lastAt] : null)

export function keptState({ overcurrent, phaseLoss, neutral }: LiveLine): KeptState {
  return {
    overcurrent: overcurrent.map(counted),
    dead: (phaseLoss ?? []).map(({ dead }) => counted(dead)),
    backFed: (phaseLoss ?? []).map(({ backFed }) => counted(backFed)),
    neutral: neutral && counted(neutral.persistence),
    reference: neutral && neutral.references.length >= kept ? [median(neutral.references), neutral.lastReferenceAt] : null,
  }
}

/** Goes on from what was kept: time that passed in between was not observed. */
export function restoreState(own: LiveLine, state: KeptState): void {
  const restore = (persistence: Persistence | undefined, from: Counted | undefined) => {
    if (!persistence || !from) return
    persistence.counting = true
    ;[persistence.observedMs, persistence.lastAt] = from
  }
  for (const [phase, each] of own.overcurrent.entries()) restore(each, state.overcurrent[phase])
  own.phaseLoss?.forEach(({ dead, backFed }, phase) => {
    restore(dead, state.dead[phase])
    restore(backFed, state.backFed[phase])
  })
  if (own.neutral) {
    restore(own.neutral.persistence, state.neutral)
    if (state.reference) {
      const [volts, at] = state.reference
      for (let i = 0; i < kept; i++) own.neutral.references[i] = volts
      own.neutral.next = kept
      own.neutral.lastReferenceAt = at
    }
  }
  own.isQuiet = isQuiet(own)
}
