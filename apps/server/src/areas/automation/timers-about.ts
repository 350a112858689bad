import type { lateTimers, Reply, Request, TimersAbout, timersAbout } from '@linewarden/contract'
import type { ProjectTime } from '@linewarden/rules/automation'
import { civilZone, occurrences, parseDate, unmaintainedYears } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { dueNow } from '../../store/automation/due.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import {
  calendarTimers,
  countRunsDue,
  countTimers,
  firstDue,
  missedRuns,
  movedDues,
  ownersOfTimers,
  timerIdsBy,
  unclaimedDues,
} from '../../store/automation/timer-page.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { lateAfterMs } from './automation-faults.ts'
import type { AutomationDeps } from './deps.ts'
import { placeFilter } from './place-filter.ts'
import { midnight } from './project-days.ts'
import { timesOfProjects } from './project-time.ts'
import { missedMs } from './timer-list.ts'
import { orphansOf } from './timer-owners.ts'

const shownProjects = 20
const shownMoved = 5

/** What is said of all timers of a place, and what is late anywhere. */
export function createTimersAbout(deps: AutomationDeps) {
  const { database, plant, clock, dueClock } = deps
  return { about, late }

  async function about(
    actor: Actor,
    project: PlantProject | null,
    body: Request<typeof timersAbout>['body'],
  ): Promise<TimersAbout> {
    const now = clock()
    const place = placeFilter(actor, plant, project, body)
    const timerIds = await withRowSecurity(database, actor.scope, (db) => timerIdsBy(db, place))
    const { total, enabled, conflict } = await countTimers(database.general, timerIds)
    const owners = await ownersOfTimers(database.general, timerIds)
    const orphans = await orphansOf(deps, owners)
    const lost = Map.groupBy(
      owners.filter(({ timerId }) => orphans.has(timerId)),
      ({ projectId }) => projectId,
    )
    const first = await firstDue(database.general, timerIds, now)
    const missed = await withRowSecurity(database, actor.scope, ({ general }) => missedRuns(general, timerIds, now - missedMs))
    const dueBy = (await dueNow(database, dueClock)) - lateAfterMs
    const mine = new Set(timerIds)
    const overdue = (await unclaimedDues(database.general, dueBy)).filter(({ timerId }) => mine.has(timerId)).length
    const moved = await movedDues(database.general, timerIds, shownMoved)
    const byCalendar = await calendarTimers(database.general, timerIds)
    const only = place.projectIds === undefined ? (plant.projects.size === 1 ? [...plant.projects.keys()] : []) : place.projectIds
    const [onlyId] = only.length === 1 ? only : []
    const times = await timesOfProjects(database.general, [
      ...new Set([...byCalendar.keys(), ...(onlyId === undefined ? [] : [onlyId])]),
    ])
    const time = onlyId === undefined ? undefined : times.get(onlyId)
    return {
      ...{ Total: total, Enabled: enabled, Conflict: conflict, Orphan: orphans.size, Overdue: overdue },
      Today: time ? await today(actor, timerIds, time, now) : null,
      Next: first
        ? {
            ...{ At: first.due_at.getTime(), TimerID: first.timer_id, Name: first.name },
            ...{ Action: first.action, TimeZone: first.time_zone },
          }
        : null,
      OrphansOf: [...lost]
        .slice(0, shownProjects)
        .map(([id, own]) => ({ HouseID: id, Name: plant.projects.get(id)?.name ?? '', Count: own.length })),
      Missed: [...missed.values()].reduce((sum, count) => sum + count, 0),
      Moved: moved.map((row) => ({
        ...{ TimerID: row.timer_id, Name: row.name, TimeZone: row.time_zone },
        ...{ From: row.moved_from.getTime(), At: row.due_at.getTime() },
      })),
      MovedCount: moved[0]?.count ?? 0,
      Unmaintained: [...byCalendar]
        .flatMap(([id, count]) => {
          const of = times.get(id)
          return of ? unmaintained(of, now).map((year) => ({ HouseID: id, Timers: count, ...year })) : []
        })
        .slice(0, shownProjects),
    }
  }

  async function today(actor: Actor, timerIds: readonly number[], time: ProjectTime, now: number): Promise<TimersAbout['Today']> {
    const day = civilZone(time.timeZone).dayAt(now)
    const [from, to] = [midnight(time, day), midnight(time, day + 1)]
    const done = await withRowSecurity(database, actor.scope, ({ general }) => countRunsDue(general, timerIds, from, to))
    const enabled = await timersWhere(database.general, { timerIds, enabled: true })
    const coming = enabled.reduce((sum, { schedule }) => sum + occurrences(schedule, time, now, to).length, 0)
    return { Done: done, Coming: coming }
  }

  async function late(actor: Actor): Promise<Reply<typeof lateTimers>> {
    const dueBy = (await dueNow(database, dueClock)) - lateAfterMs
    const dues = await withRowSecurity(database, actor.scope, ({ general }) => unclaimedDues(general, dueBy))
    return { Count: dues.length, DueAt: dues[0]?.dueAt ?? null }
  }
}

/** Years whose holidays nobody has entered, and how long it is until each begins. */
function unmaintained(
  { calendar, timeZone }: ProjectTime,
  now: number,
): { readonly Year: number; readonly BeginsInDays: number }[] {
  const today = civilZone(timeZone).dayAt(now)
  return unmaintainedYears(calendar, today).map((year) => ({
    Year: year,
    BeginsInDays: Math.max(0, (parseDate(`${year}-01-01`) ?? today) - today),
  }))
}
