import type { CalendarDay, ProjectTime } from '@linewarden/rules/automation'
import { bundledDays, createCalendar } from '@linewarden/rules/automation'
import type { PlantProject } from '../../plant/plant.ts'
import { daysOfProjects } from '../../store/automation/calendar.ts'
import type { Db } from '../../store/automation/timer.ts'

export function projectTime({ timeZone }: Pick<PlantProject, 'timeZone'>, entered: readonly CalendarDay[]): ProjectTime {
  return { timeZone, calendar: createCalendar({ project: entered, bundle: bundledDays(timeZone) }), position: null }
}

/** By which clock and calendar the timers of a project act. */
export async function timeOfProject(db: Db, project: PlantProject): Promise<ProjectTime> {
  return projectTime(project, (await daysOfProjects(db, [project.id])).get(project.id) ?? [])
}
