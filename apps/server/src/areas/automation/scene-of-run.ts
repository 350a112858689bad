import { Refusal } from '@linewarden/contract'
import type { AutomationSource, SceneAction } from '@linewarden/rules/automation'
import { namedUuid } from '../../lib/named-uuid.ts'
import type { NewSceneOfRun, SceneOperation } from '../../store/automation/outer-run.ts'
import type { TimerScene } from '../../store/automation/timer.ts'
import { wordOf } from '../control/group-operation-records.ts'
import { minStaggerMs } from '../control/stagger.ts'

/** The run that fires a scene, and with whose rights. */
export interface OuterRun {
  readonly executionId: string
  readonly source: Exclude<AutomationSource, 'scene'>
  readonly sourceId: number
  readonly projectId: number
  readonly name: string
  readonly accountId: string | null
  readonly actor: string
}

type LineFate = Pick<SceneOperation['lines'][number], 'state' | 'refusal'>

export const waiting: LineFate = { state: 'waiting', refusal: null }

/** Of closes that come too late while their trips still may. */
export const tooLate = (): LineFate => ({ state: 'missed', refusal: wordOf(new Refusal('timed action missed')) })

/**
 * A scene as a timer or a linkage runs it: a run of its own with ids that are made of the outer one's, so that nothing runs twice. `fate`: what
 * becomes of a line that has no turn.
 */
export function sceneOfRun(
  outer: OuterRun,
  scene: TimerScene,
  fate: (lineId: number, action: SceneAction) => LineFate = () => waiting,
): NewSceneOfRun {
  const executionId = namedUuid(outer.executionId, 'scene', scene.sceneId)
  const operations = (['trip', 'close'] as const).flatMap((action): SceneOperation[] => {
    const lines = scene.items.flatMap((item) =>
      item.action === action
        ? [{ lineId: item.lineId, commandId: namedUuid(executionId, item.lineId, action), ...fate(item.lineId, action) }]
        : [],
    )
    return lines.length === 0 ? [] : [{ operationId: namedUuid(executionId, action), action, staggerMs: minStaggerMs, lines }]
  })
  return {
    ...{ executionId, outerId: outer.executionId, sceneId: scene.sceneId, projectId: outer.projectId, name: scene.name },
    ...{ accountId: outer.accountId, actor: outer.actor, reason: outer.name, operations },
    trace: {
      ...{ version: scene.version, ifRefused: scene.ifRefused },
      firedBy: { source: outer.source, id: outer.sourceId, name: outer.name },
    },
  }
}
