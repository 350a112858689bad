import { maxLateMs } from '@linewarden/rules/automation'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { claimDueActions } from '../../store/automation/linkage-due.ts'
import type { NewLinkageRun } from '../../store/automation/linkage-run.ts'
import { haltLinkage, noteRaised } from '../../store/automation/linkage-state.ts'
import type { AutomationDeps } from './deps.ts'
import { createLinkageParts, runOf } from './linkage-parts.ts'
import { traceOf } from './linkage-trace.ts'

/** So long a delayed action is left to the server that evaluates its linkage. */
const graceMs = 1_500

/** Does what firings do later: a close only while the conditions are still true, and nothing late. */
export function createLinkageDue({ database, plant, runner, dueClock, clock }: AutomationDeps) {
  const { partsOf } = createLinkageParts(plant)
  return { due }

  /** What is due of firings before. `isTrue`: whether the conditions of a linkage are known to be true now. */
  async function due(linkageIds: readonly number[], isTrue: (linkageId: number) => boolean) {
    const raised: { readonly linkage: StoredLinkage; readonly lineIds: readonly number[] }[] = []
    const decided = await claimDueActions(database, {
      ...{ clock: dueClock, holder: runner.holder, linkageIds, graceMs },
      async decide(trx, linkage, each, now) {
        const { action, executionId, dueAt } = each
        const at = now
        const trace = { ...traceOf(linkage, { conditions: [], truth: 'unknown', blind: [] }, dueAt, true), conditions: [] }
        const head = { executionId, at, cause: [], parentId: each.parentId, trace }
        const ended = (state: 'skipped' | 'missed', why: string): NewLinkageRun => ({ ...head, state, why, operations: [] })
        if (linkage.removed || !linkage.enabled) return ended('skipped', 'disabledMeanwhile')
        const parts = await partsOf(trx, linkage, executionId, [{ ...action, delayS: 0 }], at, true)
        const hasCloses = parts.operations.some((operation) => operation.action === 'close')
        const isLate = now - dueAt > (hasCloses ? maxLateMs.close : maxLateMs.trip)
        if (action.kind === 'close' && isLate) return ended('missed', 'late')
        if (!hasCloses && isLate) return ended('missed', 'late')
        const mayClose = !isLate && linkage.version === each.version && linkage.halted === null && isTrue(linkage.linkageId)
        if (action.kind === 'close' && !mayClose) return ended('skipped', 'conditionOver')
        if (parts.raises.length > 0) raised.push({ linkage, lineIds: parts.raises })
        await noteRaised(trx, linkage.linkageId, parts.raises, executionId, at)
        if (parts.isTooOften) await haltLinkage(trx, linkage.linkageId, 'closesPerHour', clock())
        const operations = mayClose ? parts.operations : parts.operations.filter((operation) => operation.action === 'trip')
        return runOf(head, { ...parts, operations })
      },
    })
    return { decided, raised }
  }
}
