import type { Timer } from '@linewarden/contract'
import type { ConflictKey, Occurrence, ProjectTime } from '@linewarden/rules/automation'
import { nextRuns } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredExecution } from '../../store/automation/execution.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import { formOf } from './timer-form.ts'

const shownTimes = 5

export const nextTime = ({ at, pointNo, action, date, clock }: Occurrence) => ({
  ...{ At: at, PointNo: pointNo, Action: action, Date: date, Clock: clock },
})

/** What is known of a timer beside what people set. */
interface KnownOfTimer {
  readonly isOrphan: boolean
  readonly last: StoredExecution | undefined
  /** Runs that were missed lately. */
  readonly missed: number
  readonly conflicts: readonly ConflictKey[]
  readonly foreseen: Timer['Foreseen']
}

/** A timer as somebody sees it: of its lines those that they see. */
export function timerRecord(
  { plant, actor, now }: { readonly plant: Plant; readonly actor: Actor; readonly now: number },
  timer: StoredTimer,
  time: ProjectTime,
  { isOrphan, conflicts, last, missed, foreseen }: KnownOfTimer,
): Timer {
  const { schedule } = timer
  return {
    TimerID: timer.timerId,
    HouseID: timer.projectId,
    HouseName: plant.projects.get(timer.projectId)?.name ?? '',
    TimeZone: time.timeZone,
    Name: timer.name,
    Function: timer.function,
    ...formOf(schedule),
    Lines: timer.lineIds.flatMap((id) => {
      const line = plant.lines.get(id)
      if (!line || !actor.seesGateway(line.device.gateway)) return []
      return { LineID: id, ControllerID: line.device.controllerId, LineNo: line.lineNo, LineName: line.name }
    }),
    LineCount: timer.lineIds.length,
    SceneID: timer.sceneId,
    SceneName: timer.scene?.name ?? null,
    KeepWhileWanted: timer.keepWhileWanted,
    Enabled: timer.enabled,
    OwnerID: actor.shared ? null : timer.ownerId,
    OwnerName: actor.shared ? null : timer.ownerName,
    ChangedBy: timer.changedBy,
    Orphan: isOrphan,
    Conflicts: [...conflicts],
    Version: timer.version,
    SkipNextUntil: schedule.skipNext && schedule.skipNext.until > now ? schedule.skipNext.until : null,
    Next: timer.enabled ? nextRuns(schedule, time, now, shownTimes).map(nextTime) : [],
    Missed: missed,
    Foreseen: foreseen,
    Last: last ? { RunID: last.executionId, State: last.state, At: last.dueAt ?? last.claimedAt } : null,
    ChangedAt: timer.changedAt,
  }
}
