import type { PlannedRun, TimerPlan } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Occurrence, ProjectTime } from '@linewarden/rules/automation'
import {
  civilZone,
  dateText,
  nextDues,
  occurrences,
  opposedInstants,
  parseDate,
  turnsMs,
  weekOf,
} from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import { minStaggerMs } from '../control/stagger.ts'
import type { AutomationDeps } from './deps.ts'
import { classOf, midnight } from './project-days.ts'
import { timeOfProject } from './project-time.ts'
import type { Ahead } from './timer-ahead.ts'
import { foreseenOf } from './timer-ahead.ts'
import { conflictRecord, conflictsOf, horizonOf, turnsOf } from './timer-conflicts.ts'
import type { TimerList } from './timer-list.ts'
import { nextTime } from './timer-record.ts'
import { timersSeen } from './timers-seen.ts'

const shownTimes = 5
const weekDays = 7
const insteadMs = 14 * dayMs

/** What timers are going to do, and what is known of it now. */
export function createTimerPlans(deps: AutomationDeps, timers: Pick<TimerList, 'seen'>) {
  const { database, plant, clock } = deps
  const { seenTimers, linesSeen } = timersSeen(deps)
  return { plan }

  async function plan(actor: Actor, timerId: number): Promise<TimerPlan> {
    const timer = await timers.seen(actor, timerId)
    const project = plant.projects.get(timer.projectId)
    if (!project) throw new Refusal('timer not exists')
    const now = clock()
    const time = await timeOfProject(database.general, project)
    const zone = civilZone(time.timeZone)
    const today = zone.dayAt(now)
    const [from, to] = [midnight(time, today), midnight(time, today + weekDays)]
    const lines = linesSeen(actor, timer)
    const seenIds = new Set(lines.map(({ id }) => id))
    const others = (await seenTimers(actor, { lineIds: [...seenIds], enabled: true })).filter((each) => each.timerId !== timerId)
    const due = timer.enabled ? nextDues(timer.schedule, time, now, shownTimes) : []
    const ahead = due.map((each, index): Ahead => ({ timer, due: each, isNext: index === 0 }))
    const foreseen = await foreseenOf(deps, actor, ahead, new Map([[project.id, time]]))
    const own = occurrences(timer.schedule, time, from, to)
    return {
      Next: due.map((each, index) => plannedRun(time, each, foreseen[index] ?? [])),
      Instead: instead(timer, others, lines, time, due),
      ...(await conflictsSeen(actor, project, timer, time, now)),
      LengthMs: turnsMs(turnsOf(timer), minStaggerMs),
      From: from,
      Days: Array.from({ length: weekDays }, (_, index) => ({
        Date: dateText(today + index),
        At: midnight(time, today + index),
        ...classOf(time, today + index),
      })),
      To: to,
      Timers: (timer.enabled ? [timer, ...others] : others).map((each) => {
        const { windows, instants } = weekOf(each.schedule, time, from, to)
        const opposed = each === timer ? [] : opposedInstants(occurrences(each.schedule, time, from, to), own)
        return {
          ...{ TimerID: each.timerId, Name: each.name, LineIDs: each.lineIds.filter((id) => seenIds.has(id)) },
          Windows: windows.map(({ from: begin, to: end, left }) => ({ From: begin, To: end, Left: left })),
          Instants: instants.map(({ at, action }) => ({ At: at, Action: action })),
          Opposed: [...opposed],
        }
      }),
    }
  }

  /** Of a timer that is seen in part, only what is about a line that is seen. */
  async function conflictsSeen(actor: Actor, project: PlantProject, timer: StoredTimer, time: ProjectTime, now: number) {
    const CheckedTo = now + horizonOf(timer.schedule)
    if (!timer.enabled) return { Conflicts: [], CheckedTo }
    const all = await timersWhere(database.general, { projectIds: [project.id] })
    const isWhole = linesSeen(actor, timer).length === timer.lineIds.length
    const found = conflictsOf(deps, project, timer, all, time, now).map((each) => conflictRecord(each, timer.timerId, all))
    const Conflicts = found
      .filter(({ Line, TimerID }) => {
        const line = Line && plant.lineAt(Line.ControllerID, Line.LineNo)
        return line ? actor.seesGateway(line.device.gateway) : isWhole || TimerID === null
      })
      .map((each) => (actor.shared ? { ...each, By: null } : each))
    return { Conflicts, CheckedTo }
  }
}

const plannedRun = (time: ProjectTime, due: Occurrence, foreseen: PlannedRun['Foreseen']): PlannedRun => ({
  ...nextTime(due),
  Skip: due.skip,
  ...classOf(time, parseDate(due.date) ?? 0),
  Foreseen: due.skip === null ? foreseen : [],
})

/** If the next run is skipped: when any timer does the same to each of its lines, this one among them. */
function instead(
  timer: StoredTimer,
  others: readonly StoredTimer[],
  lines: readonly { readonly id: number; readonly name: string }[],
  time: ProjectTime,
  due: readonly Occurrence[],
): TimerPlan['Instead'] {
  const skipped = due.find(({ skip }) => skip === null)
  if (!skipped) return []
  const firsts = [timer, ...others].flatMap((each) => {
    const next = occurrences(each.schedule, time, skipped.at + 1, skipped.at + insteadMs).find(
      ({ action, skip }) => action === skipped.action && skip === null,
    )
    return next ? [{ at: next.at, name: each.name, lineIds: new Set(each.lineIds) }] : []
  })
  return lines.map(({ id, name }) => {
    const first = firsts
      .filter(({ lineIds }) => lineIds.has(id))
      .reduce<(typeof firsts)[number] | null>((one, other) => (one && one.at <= other.at ? one : other), null)
    return { LineID: id, LineName: name, At: first?.at ?? null, By: first?.name ?? null }
  })
}
