import { writeLinkages } from '../../store/automation/linkage-state.ts'
import type { AutomationDeps } from './deps.ts'
import type { LiveLinkage } from './linkage-state.ts'
import { keptOf } from './linkage-state.ts'

/** Stores where the conditions of linkages stand, so that the next start goes on from there. */
export function createLinkageCheckpoints({ database, clock }: Pick<AutomationDeps, 'database' | 'clock'>) {
  return {
    async write(linkages: readonly LiveLinkage[]): Promise<void> {
      const learnt = linkages.filter(({ isLearnt }) => isLearnt)
      for (const own of linkages) own.isDirty = own.isLearnt = false
      try {
        await writeLinkages(database, linkages.map((own) => keptOf(own)), clock())
      } catch (error) {
        for (const own of linkages) own.isDirty = true
        for (const own of learnt) own.isLearnt = true
        throw error
      }
    },
  }
}
