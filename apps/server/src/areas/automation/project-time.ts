import type { CalendarDay, ProjectTime, Schedule } from '@linewarden/rules/automation'
import { bundledDays, createCalendar, nextDue } from '@linewarden/rules/automation'
import type { ProjectSite } from '../../store/automation/calendar.ts'
import { daysOfOwners, daysOfProjects, sitesOfProjects } from '../../store/automation/calendar.ts'
import type { Db, NextDue } from '../../store/automation/timer.ts'

export function projectTime(
  { timeZone, position }: Pick<ProjectSite, 'timeZone' | 'position'>,
  entered: readonly CalendarDay[],
  ofOwner: readonly CalendarDay[],
): ProjectTime {
  const calendar = createCalendar({ project: entered, owner: ofOwner, bundle: bundledDays(timeZone) })
  return { timeZone, calendar, position }
}

/** By which clock, calendar and sun the timers of a project act, as they are stored. */
export async function timeOfProject(db: Db, { id }: { readonly id: number }): Promise<ProjectTime> {
  return (await timesOfProjects(db, [id])).get(id) ?? projectTime({ timeZone: 'UTC', position: null }, [], [])
}

/** The same of several. */
export async function timesOfProjects(db: Db, projectIds: readonly number[]): Promise<ReadonlyMap<number, ProjectTime>> {
  const [sites, days] = [await sitesOfProjects(db, projectIds), await daysOfProjects(db, projectIds)]
  const ofOwners = await daysOfOwners(db, [...new Set([...sites.values()].map(({ ownerId }) => ownerId))])
  return new Map([...sites].map(([id, site]) => [id, projectTime(site, days.get(id) ?? [], ofOwners.get(site.ownerId) ?? [])]))
}

/** What a schedule is due for after an instant. */
export const nextOf = (schedule: Schedule, time: ProjectTime, after: number): NextDue => ({
  timeZone: time.timeZone,
  due: nextDue(schedule, time, after),
})
