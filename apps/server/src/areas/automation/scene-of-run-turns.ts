import type { SceneAction } from '@linewarden/rules/automation'
import type { NewSceneOfRun } from '../../store/automation/outer-run.ts'
import type { TurnRules } from '../control/group-operation-turns.ts'
import type { AutomationDeps } from './deps.ts'
import type { LaterCloses } from './linkage-later.ts'
import { createSceneTurns } from './scene-turns.ts'
import type { AutomationTurns, Turns } from './turns.ts'

/** What a scene has of the run that fires it. */
export type FiredBy = Pick<Turns, 'claim' | 'projectId' | 'source' | 'owner' | 'dueAt' | 'claimed'>

/** Carries out scenes that timers and linkages fire: as a person's, but with the rights, the claim and the time of the run that fired them. */
export function createScenesOfRuns(
  deps: Pick<AutomationDeps, 'database' | 'plant' | 'ingest' | 'control' | 'clock'>,
  turns: Pick<AutomationTurns, 'give' | 'begin'>,
  changed: (executionId: string) => void,
) {
  const { closingRules } = createSceneTurns(deps)

  /** Begins a scene: its trips, and its closes by themselves, so that whoever fires several has all their trips go first. */
  return (scene: NewSceneOfRun, by: FiredBy, stopped: AbortSignal) => {
    const closes = scene.operations.flatMap(({ action, lines }) => (action === 'close' ? lines : []))
    // Before its trips, which wait for nothing: whoever trips a line from here on keeps it open.
    const begins = turns.begin(closes.map(({ lineId }) => lineId))
    begins.catch(() => {})
    changed(scene.executionId)
    const tripsId = scene.operations.find(({ action }) => action === 'trip')?.operationId ?? null
    const stopsCloses = scene.trace.ifRefused === 'stopCloses'
    /** Resolves when each line of this action had its turn, or `stopped`. `barred`: why none has one. `later`: from when its closes count as begun. */
    return async (
      does: SceneAction,
      barred: TurnRules['ready'] | null = null,
      later: LaterCloses | null = null,
    ): Promise<void> => {
      for (const { operationId, action, lines } of scene.operations) {
        if (action !== does) continue
        const begun = action === 'trip' ? undefined : (later?.begun ?? (await begins))
        const usual = begun ? closingRules({ closesId: operationId, tripsId, before: begun.before, stopsCloses }) : null
        const rules = usual && barred ? { ...usual, ready: barred } : usual
        await turns.give(
          {
            ...{ ...by, operationId, action, rules, name: scene.reason, scene: scene.name, ...(begun && { begun }) },
            ...(later && { standsAgainst: later.standsAgainst }),
            lines: lines.filter(({ state }) => state === 'waiting'),
            changed: () => changed(scene.executionId),
          },
          stopped,
        )
      }
    }
  }
}
