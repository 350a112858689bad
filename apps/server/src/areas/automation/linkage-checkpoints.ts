import { keptLinkages, writeLinkages } from '../../store/automation/linkage-state.ts'
import type { AutomationDeps } from './deps.ts'
import type { LiveLinkage } from './linkage-state.ts'
import { besideKept, keptOf } from './linkage-state.ts'

/** So many rows are locked together: one that rises waits for no more than these. */
const together = 200

/** Stores where the conditions of linkages stand, so that the next start goes on from there. */
export function createLinkageCheckpoints({ database, clock }: Pick<AutomationDeps, 'database' | 'clock'>) {
  let last = Promise.resolve()
  return {
    /** One after the other: what is written here is no other server's. */
    write(linkages: readonly LiveLinkage[]): Promise<void> {
      const writing = last.catch(() => {}).then(() => write(linkages))
      last = writing
      return writing
    },
  }

  async function write(linkages: readonly LiveLinkage[]): Promise<void> {
    for (let from = 0; from < linkages.length; from += together) await writeSome(linkages.slice(from, from + together))
  }

  async function writeSome(linkages: readonly LiveLinkage[]): Promise<void> {
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
      if (kept) besideKept(own, kept, clock())
      else own.turn = -1
    }
    return linkages
  }
}
