import type { KeptLinkage } from '../../store/automation/linkage-state.ts'
import { keptLinkages, writeLinkages } from '../../store/automation/linkage-state.ts'
import type { AutomationDeps } from './deps.ts'
import type { LiveLinkage } from './linkage-state.ts'
import { keptOf } from './linkage-state.ts'

/** Stores where the conditions of linkages stand, so that the next start goes on from there. */
export function createLinkageCheckpoints({ database, clock }: Pick<AutomationDeps, 'database' | 'clock'>) {
  return { write }

  async function write(linkages: readonly LiveLinkage[]): Promise<void> {
    const learnt = new Set(linkages.filter(({ isLearnt }) => isLearnt))
    for (const own of linkages) own.isDirty = own.isLearnt = false
    let left = linkages
    try {
      left = await written(left)
      // Others have written since: what they know is read, and stays.
      if (left.length > 0) left = await written(await withOthers(left))
    } finally {
      for (const own of left) {
        own.isDirty = true
        own.isLearnt ||= learnt.has(own)
      }
    }
  }

  /** Answers those that were not: others write at the same time, or have changed them. */
  async function written(linkages: readonly LiveLinkage[]): Promise<readonly LiveLinkage[]> {
    const kept = linkages.map((own) => keptOf(own))
    const turns = await writeLinkages(database, kept, clock())
    return linkages.filter((own) => {
      const turn = turns.get(own.linkage.linkageId)
      own.turn = turn ?? own.turn
      return turn === undefined
    })
  }

  async function withOthers(linkages: readonly LiveLinkage[]): Promise<readonly LiveLinkage[]> {
    const stored = await keptLinkages(
      database.general,
      linkages.map(({ linkage }) => linkage.linkageId),
    )
    for (const own of linkages) {
      const kept = stored.get(own.linkage.linkageId)
      own.turn = kept?.turn ?? -1
      if (kept) own.elsewhere = elsewhere(own, kept)
    }
    return linkages
  }
}

const elsewhere = ({ linkage, elsewhere: before }: LiveLinkage, { version, state }: KeptLinkage) =>
  version === linkage.version ? state : before
