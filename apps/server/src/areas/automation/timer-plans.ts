import type { PlannedRun, TimerPlan } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Occurrence, ProjectTime } from '@linewarden/rules/automation'
import {
  bareSchedule,
  civilZone,
  dateText,
  nextDues,
  opposedInstants,
  parseDate,
  turnsMs,
  weekMarginMs,
  weekOf,
} from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import { minStaggerMs } from '../control/stagger.ts'
import type { AutomationDeps } from './deps.ts'
import type { DueReading } from './due-reading.ts'
import { dueReading } from './due-reading.ts'
import { classOf, midnight } from './project-days.ts'
import { timeOfProject } from './project-time.ts'
import type { Ahead } from './timer-ahead.ts'
import { foreseenOf } from './timer-ahead.ts'
import { conflictsOf, horizonOf, turnsOf } from './timer-conflicts.ts'
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
    const reading = dueReading()
    const shown = timer.enabled ? [timer, ...others] : others
    const week = await weekOfAll(reading, shown, time, from, to)
    const own = await reading.of([timer.schedule], time, from, to)
    const Instead = await instead(reading, timer, others, lines, time, due)
    const conflicts = await conflictsSeen(actor, project, timer, time, now, reading)
    return {
      Next: due.map((each, index) => plannedRun(time, each, foreseen[index] ?? [])),
      Instead,
      ...conflicts,
      CutAt: reading.cutAt(),
      LengthMs: turnsMs(turnsOf(timer), minStaggerMs),
      From: from,
      Days: Array.from({ length: weekDays }, (_, index) => ({
        Date: dateText(today + index),
        At: midnight(time, today + index),
        ...classOf(time, today + index),
      })),
      To: to,
      Timers: shown.map((each, index) => {
        const { windows, instants, within } = week[index]!
        const opposed = each === timer ? [] : opposedInstants(within, own.due[0] ?? [])
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
  async function conflictsSeen(
    actor: Actor,
    project: PlantProject,
    timer: StoredTimer,
    time: ProjectTime,
    now: number,
    reading: DueReading,
  ) {
    const CheckedTo = now + horizonOf(timer.schedule)
    if (!timer.enabled) return { Conflicts: [], CheckedTo }
    const all = await timersWhere(database.general, { projectIds: [project.id] })
    const isWhole = linesSeen(actor, timer).length === timer.lineIds.length
    const found = await conflictsOf(deps, project, timer, all, time, now, reading)
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

/** What each of these does in a stretch, and what it is due for there. */
async function weekOfAll(reading: DueReading, timers: readonly StoredTimer[], time: ProjectTime, from: number, to: number) {
  const [begin, end] = [from - weekMarginMs, to + weekMarginMs]
  const schedules = timers.map(({ schedule }) => schedule)
  const due = await reading.of(schedules, time, begin, end)
  const bare = await reading.of(schedules.map(bareSchedule), time, begin, due.cutAt ?? end)
  return timers.map((_, index) => {
    const own = (due.due[index] ?? []).filter(({ at }) => at < (bare.cutAt ?? end))
    return { ...weekOf(own, bare.due[index] ?? [], from, to), within: own.filter(({ at }) => at >= from && at < to) }
  })
}

/** If the next run is skipped: when any timer does the same to each of its lines, this one among them. */
async function instead(
  reading: DueReading,
  timer: StoredTimer,
  others: readonly StoredTimer[],
  lines: readonly { readonly id: number; readonly name: string }[],
  time: ProjectTime,
  due: readonly Occurrence[],
): Promise<TimerPlan['Instead']> {
  const skipped = due.find(({ skip }) => skip === null)
  if (!skipped) return []
  const all = [timer, ...others]
  const after = await reading.of(
    all.map(({ schedule }) => schedule),
    time,
    skipped.at + 1,
    skipped.at + insteadMs,
  )
  const firsts = all.flatMap((each, index) => {
    const next = after.due[index]?.find(({ action, skip }) => action === skipped.action && skip === null)
    return next ? [{ at: next.at, name: each.name, lineIds: new Set(each.lineIds) }] : []
  })
  return lines.map(({ id, name }) => {
    const first = firsts
      .filter(({ lineIds }) => lineIds.has(id))
      .reduce<(typeof firsts)[number] | null>((one, other) => (one && one.at <= other.at ? one : other), null)
    return { LineID: id, LineName: name, At: first?.at ?? null, By: first?.name ?? null }
  })
}
