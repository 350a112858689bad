import { maxLateMs } from '@linewarden/rules/automation'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import type { ClaimedAction, DecidedAction } from '../../store/automation/linkage-due.ts'
import { claimDueActions, dueAtOnce } from '../../store/automation/linkage-due.ts'
import { noteOrders } from '../../store/automation/linkage-order.ts'
import type { NewLinkageRun } from '../../store/automation/linkage-run.ts'
import { haltLinkage, noteRaised } from '../../store/automation/linkage-state.ts'
import type { AutomationDeps } from './deps.ts'
import type { CloseBar } from './linkage-parts.ts'
import { createLinkageParts, runOf } from './linkage-parts.ts'
import { traceOf } from './linkage-trace.ts'

/** So long a delayed action is left to the server that evaluates its linkage. */
const graceMs = 1_500
/** So long one that could not be done is left alone; whatever else is due does not wait for it. */
const leaveAloneMs = 2_000

interface Raised {
  readonly linkage: StoredLinkage
  readonly lineIds: readonly number[]
}

/**
 * Does what firings do later: a close only while the conditions are still true, and nothing late. Whether a line is closed then is decided at its
 * turn, by all that has become of it since the firing.
 */
export function createLinkageDue({ database, plant, runner, dueClock, clock, log }: AutomationDeps) {
  const { partsOf } = createLinkageParts(plant)
  /** By its run, until when, by a clock that no step moves. */
  const leftAlone = new Map<string, number>()
  return { due }

  /**
   * What is due of firings before. `isTrue`: whether the conditions of a linkage as it is by now are known to be true. `done` gets what is stored, before
   * anything else is asked of the database.
   */
  async function due(
    linkageIds: readonly number[],
    isTrue: (linkage: StoredLinkage) => boolean,
    done: (decided: readonly DecidedAction[], raised: readonly Raised[]) => void,
  ): Promise<void> {
    for (const [id, until] of leftAlone) if (performance.now() > until) leftAlone.delete(id)
    for (let found = dueAtOnce; found >= dueAtOnce; ) {
      const raised: Raised[] = []
      const claimed = await claimDueActions(database, {
        ...{ clock: dueClock, holder: runner.holder, linkageIds, graceMs, except: [...leftAlone.keys()] },
        async decide(trx, linkage, each, now) {
          const { action, executionId } = each
          const head = headOf(linkage, each, now)
          if (linkage.removed || !linkage.enabled) return ended(linkage, each, now, 'skipped', 'disabledMeanwhile')
          if (linkage.mode === 'shadow') return ended(linkage, each, now, 'skipped', 'shadow')
          const bar = barOf(linkage, each, now, isTrue)
          if (action.kind === 'close' && bar) return ended(linkage, each, now, bar === 'late' ? 'missed' : 'skipped', bar)
          const parts = await partsOf(trx, linkage, executionId, [{ ...action, delayS: 0 }], now, bar)
          if (now - each.dueAt > maxLateMs.trip) return ended(linkage, each, now, 'missed', 'late')
          if (parts.raises.length > 0) raised.push({ linkage, lineIds: parts.raises })
          await noteRaised(trx, linkage.linkageId, parts.raises, executionId, now)
          await noteOrders(trx, linkage, parts.orders, executionId, now)
          if (parts.isTooOften) await haltLinkage(trx, linkage.linkageId, 'closesPerHour', clock())
          const { parentId: firingId, firedAt, position, before } = each
          return { ...runOf(head, parts), later: { firingId, firedAt, position, before } }
        },
        failed(error, linkage, each, now) {
          log.error(
            { err: error, linkage: linkage.linkageId },
            'what a linkage does later could not be stored; it is tried again',
          )
          leftAlone.set(each.executionId, performance.now() + leaveAloneMs)
          return now - each.dueAt > maxLateMs.trip ? ended(linkage, each, now, 'missed', 'failed') : null
        },
      })
      done(claimed.decided, raised)
      found = claimed.found
    }
  }

  function barOf(
    linkage: StoredLinkage,
    { version, mayClose, byPerson, dueAt }: ClaimedAction,
    now: number,
    isTrue: (linkage: StoredLinkage) => boolean,
  ): CloseBar | null {
    if (!mayClose) return byPerson ? 'tripsOnly' : 'unobserved'
    if (now - dueAt > maxLateMs.close) return 'late'
    const isStill = linkage.version === version && linkage.halted === null && isTrue(linkage)
    return isStill ? null : 'conditionOver'
  }
}

/** What led to a firing led to what is done of it later. */
const headOf = (linkage: StoredLinkage, { executionId, parentId, dueAt, cause, afterDanger }: ClaimedAction, now: number) => ({
  ...{ executionId, at: now, cause, afterDanger, parentId },
  trace: { ...traceOf(linkage, { conditions: [], truth: 'unknown', blind: [] }, dueAt, true), conditions: [] },
})

const ended = (
  linkage: StoredLinkage,
  due: ClaimedAction,
  now: number,
  state: 'skipped' | 'missed',
  why: string,
): NewLinkageRun => ({
  ...headOf(linkage, due, now),
  state,
  why,
  operations: [],
  scenes: [],
})
