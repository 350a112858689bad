import type { CalendarDay } from '@linewarden/rules/automation'
import { bundledDays, createCalendar } from '@linewarden/rules/automation'
import type pg from 'pg'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { enteredDays } from '../../store/warning/calendar-day.ts'

/** Whether a local day, counted since 1970, is none on which people work. */
export type IsRestDay = (day: number) => boolean

/**
 * By the calendar of a project, the same as its timers act by: what people entered, the last of a day that is there twice, else the holidays and make-up workdays that come with the
 * product, else the week.
 */
export function restDays({ timeZone }: Pick<PlantProject, 'timeZone'>, entered: readonly CalendarDay[]): IsRestDay {
  const calendar = createCalendar({ project: entered, bundle: bundledDays(timeZone) })
  return (day) => calendar.classOf(day).class !== 'workday'
}

/** The rest days of the projects of these lines. */
export async function restDaysOf(
  client: Pick<pg.ClientBase, 'query'>,
  lines: readonly PlantLine[],
): Promise<(line: PlantLine) => IsRestDay> {
  const projects = [...new Set(lines.map(({ device }) => device.gateway.project))]
  const entered = await enteredDays(
    client,
    projects.map(({ id }) => id),
  )
  const known = new Map(projects.map((project) => [project, restDays(project, entered.get(project.id) ?? [])]))
  return ({ device: { gateway } }) => known.get(gateway.project) ?? restDays(gateway.project, [])
}
