import type { CalendarDay, ProjectTime, Schedule } from '@linewarden/rules/automation'
import { bundledDays, createCalendar, nextDue } from '@linewarden/rules/automation'
import type { PlantProject } from '../../plant/plant.ts'
import { daysOfProjects, zonesOfProjects } from '../../store/automation/calendar.ts'
import type { Db, NextDue } from '../../store/automation/timer.ts'

export function projectTime({ timeZone }: Pick<PlantProject, 'timeZone'>, entered: readonly CalendarDay[]): ProjectTime {
  return { timeZone, calendar: createCalendar({ project: entered, bundle: bundledDays(timeZone) }), position: null }
}

/** By which clock and calendar the timers of a project act. */
export async function timeOfProject(db: Db, project: PlantProject): Promise<ProjectTime> {
  return projectTime(project, (await daysOfProjects(db, [project.id])).get(project.id) ?? [])
}

/** The same of several, as they are stored. */
export async function timesOfProjects(db: Db, projectIds: readonly number[]): Promise<ReadonlyMap<number, ProjectTime>> {
  const [zones, days] = [await zonesOfProjects(db, projectIds), await daysOfProjects(db, projectIds)]
  return new Map([...zones].map(([id, timeZone]) => [id, projectTime({ timeZone }, days.get(id) ?? [])]))
}

/** What a schedule is due for after an instant. */
export const nextOf = (schedule: Schedule, time: ProjectTime, after: number): NextDue => ({
  timeZone: time.timeZone,
  due: nextDue(schedule, time, after),
})
