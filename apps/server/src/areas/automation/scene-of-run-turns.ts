import type { NewSceneOfRun } from '../../store/automation/outer-run.ts'
import type { AutomationDeps } from './deps.ts'
import { createSceneTurns } from './scene-turns.ts'
import type { AutomationTurns, Turns } from './turns.ts'

/** What a scene has of the run that fires it. */
export type FiredBy = Pick<Turns, 'claim' | 'projectId' | 'source' | 'owner' | 'dueAt' | 'claimed'>

/** Carries out scenes that timers and linkages fire: as a person's, but with the rights, the claim and the time of the run that fired them. */
export function createScenesOfRuns(
  deps: Pick<AutomationDeps, 'database' | 'plant' | 'control' | 'clock'>,
  turns: Pick<AutomationTurns, 'give' | 'begin'>,
  changed: (executionId: string) => void,
) {
  const { closingRules } = createSceneTurns(deps)

  /** Trips first, then the closes as the scene says; resolves when each line had its turn, or `stopped`. */
  return async (scene: NewSceneOfRun, by: FiredBy, stopped: AbortSignal): Promise<void> => {
    const lineIds = scene.operations.flatMap(({ lines }) => lines.map(({ lineId }) => lineId))
    // Before its trips: whoever trips a line from here on keeps it open.
    const begun = await turns.begin(lineIds)
    changed(scene.executionId)
    const trips = scene.operations.find(({ action }) => action === 'trip')
    for (const { operationId, action, lines } of scene.operations) {
      const rules =
        action === 'trip'
          ? null
          : closingRules({
              ...{ closesId: operationId, tripsId: trips?.operationId ?? null, before: begun.before },
              stopsCloses: scene.trace.ifRefused === 'stopCloses',
            })
      await turns.give(
        {
          ...{ ...by, operationId, action, begun, rules, name: scene.reason, scene: scene.name },
          lines: lines.filter(({ state }) => state === 'waiting'),
          changed: () => changed(scene.executionId),
        },
        stopped,
      )
    }
  }
}
