import type { NearFiring } from '../../store/automation/linkage-state.ts'
import { nearSlot, nearSlotEnd, noteNear } from '../../store/automation/linkage-state.ts'
import type { AutomationDeps } from './deps.ts'
import type { LiveLinkage } from './linkage-state.ts'
import { traceOf } from './linkage-trace.ts'
import { foldedView } from './linkage-view.ts'

/** More than these are kept at the next look. */
const [nearAtOnce, mostNear] = [200, 20_000]

/** What nearly fired, of each linkage and for each reason once in five minutes. */
export class NearFirings {
  /** What is still to be kept of them. */
  readonly #near: NearFiring[] = []

  look(own: LiveLinkage, now: number): void {
    if (now >= own.nearFrom) own.nearFrom = this.#note(own, now)
  }

  store({ general }: AutomationDeps['database']): Promise<void> {
    return noteNear(general, this.#near.splice(0, nearAtOnce))
  }

  /** Answers from when on there may be something to note again, if nothing is folded until then. */
  #note(own: LiveLinkage, now: number): number {
    if (own.linkage.halted) return now
    const view = foldedView(own.rule, own.state, now)
    const falses = view.conditions.filter(({ truth }) => truth !== true)
    const isAlmost = own.rule.match === 'all' && view.conditions.length > 1 && falses.length === 1 && falses[0]?.truth === false
    const why = view.blind.length > 0 ? 'blind' : isAlmost ? 'almost' : null
    // What cannot be known is blind after a while, and nothing else comes of time alone.
    if (why === null) return own.state.unknownSince === null ? Number.POSITIVE_INFINITY : now
    if (own.near.get(why) !== nearSlot(now)) {
      own.near.set(why, nearSlot(now))
      this.#near.push({ linkage: own.linkage, why, at: now, trace: traceOf(own.linkage, view, now, true) })
      if (this.#near.length > mostNear) this.#near.shift()
    }
    return nearSlotEnd(now)
  }
}
