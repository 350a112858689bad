import { setTimeout as pause } from 'node:timers/promises'
import { isAsMeant } from '@linewarden/rules/automation'
import { namedUuid } from '../../lib/named-uuid.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import type { FiringSoFar, LaterRun } from '../../store/automation/linkage-later.ts'
import { firingSoFar } from '../../store/automation/linkage-later.ts'
import { sceneById } from '../../store/automation/scene.ts'
import type { LinesOverDeps } from './lines-over.ts'
import { createLinesOver } from './lines-over.ts'

/** How often it is looked whether what the firing does before has come to be stored. */
const lookMs = 250

/** The run of an action after a delay: the same on every server and after every crash. */
export const laterRunId = (firingId: string, position: number): string => namedUuid(firingId, 'later', position)

/** How long anybody still waits. */
export interface Waited {
  /** By a clock that no step moves. */
  readonly until: number
  readonly over: AbortSignal
}

interface TripStep {
  /** The run in which it is done. */
  readonly executionId: string
  /** Null: it is a scene, which may trip. */
  readonly lineId: number | null
  readonly sceneId: number | null
}

/** What a firing trips at once, or after a delay that is no longer than that of this action. */
function earlierTrips({ actions }: StoredLinkage, { firingId, position }: LaterRun): readonly TripStep[] {
  const ownS = actions[position]?.delayS ?? 0
  return actions.flatMap(({ kind, lineId, sceneId, delayS }, index): TripStep[] => {
    if ((kind !== 'trip' && kind !== 'scene') || index === position || delayS > ownS) return []
    return [{ executionId: delayS === 0 ? firingId : laterRunId(firingId, index), lineId, sceneId }]
  })
}

/** What a firing of a linkage trips before it closes anything after a delay. */
export function createFiringTrips(deps: LinesOverDeps) {
  const { database } = deps
  const linesOver = createLinesOver(deps)
  return { areEarlierAsMeant, trippedBy }

  /** Whether all that the firing trips up to this action is verified, or stood open already; it is waited for that long. */
  async function areEarlierAsMeant(linkage: StoredLinkage, later: LaterRun, { until, over }: Waited): Promise<boolean> {
    const steps = earlierTrips(linkage, later)
    for (;;) {
      const firing = await firingSoFar(database.control, later.firingId)
      if (steps.every(({ executionId }) => firing.executionIds.includes(executionId))) {
        for (const step of steps) if (!(await isStepAsMeant(step, firing, { until, over }))) return false
        return true
      }
      if (over.aborted || performance.now() > until) return false
      await pause(lookMs, undefined, { signal: over }).catch(() => {})
    }
  }

  /** A trip that was given up, as one that came too late, is none; nor are those of a scene that was disabled by then. */
  async function isStepAsMeant({ executionId, lineId, sceneId }: TripStep, firing: FiringSoFar, { until, over }: Waited) {
    const trips = (of: string) => firing.operations.filter((each) => each.executionId === of && each.action === 'trip')
    const scene = firing.scenes.find((each) => each.outerId === executionId && each.sceneId === sceneId)
    if (sceneId !== null && !scene) {
      const known = await sceneById(database.control, sceneId)
      return known?.items.every(({ action }) => action !== 'trip') ?? false
    }
    const operations = trips(scene?.executionId ?? executionId)
    if (lineId !== null && !operations.some(({ lineIds }) => lineIds.includes(lineId))) return false
    for (const { operationId } of operations) {
      const lines = await linesOver({ operationId, timeoutMs: until - performance.now(), over })
      if (!lines?.every(isAsMeant)) return false
    }
    return true
  }

  /** The lines that the firing trips before this action, and does not close again. What a scene trips itself is a matter of its own rules. */
  async function trippedBy({ firingId, position }: LaterRun): Promise<readonly number[]> {
    const { operations, scenes } = await firingSoFar(database.control, firingId)
    const own = scenes.filter(({ outerId }) => outerId === laterRunId(firingId, position)).map(({ executionId }) => executionId)
    const closed = new Set(operations.flatMap(({ action, lineIds }) => (action === 'close' ? lineIds : [])))
    const trips = operations.filter(({ executionId, action }) => action === 'trip' && !own.includes(executionId))
    return trips.flatMap(({ lineIds }) => lineIds).filter((lineId) => !closed.has(lineId))
  }
}
