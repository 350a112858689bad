import type { CalendarDay } from '@linewarden/rules/automation'
import { bundledDays, createPublicCalendar } from '@linewarden/rules/automation'
import type { PublicCalendar } from '@linewarden/rules/energy'
import { daysOfOwners, daysOfProjects } from '../../store/automation/calendar.ts'
import type { Database } from '../../store/core/database.ts'

interface ProjectOfDays {
  readonly id: number
  readonly timeZone: string
  /** Null: it is the installation's own. */
  readonly ownerId: string | null
}

/** The public days that tariffs of a project go by. */
export interface PublicDays {
  readonly calendar: PublicCalendar
  /** By date, each as it counts. */
  readonly days: readonly CalendarDay[]
}

/**
 * The public days of these projects: those that come with the platform, and before them those that their owners and the projects themselves entered as
 * arranged by the state. What somebody entered for timers alone moves no price. `seen`: as somebody reads them.
 */
export async function publicDaysOf(
  { general }: Pick<Database, 'general'>,
  projects: readonly ProjectOfDays[],
  seen: Pick<Database, 'general'>,
): Promise<ReadonlyMap<number, PublicDays>> {
  const own = await daysOfProjects(
    seen.general,
    projects.map(({ id }) => id),
  )
  const ofOwners = await daysOfOwners(general, [...new Set(projects.map(({ ownerId }) => ownerId))])
  return new Map(
    projects.map(({ id, timeZone, ownerId }) => {
      const [bundle, owner, project] = [bundledDays(timeZone), ofOwners.get(ownerId) ?? [], own.get(id) ?? []]
      const entered = [...owner, ...project].filter(({ isPublic }) => isPublic === true)
      const byDate = new Map([...bundle, ...entered].map((day) => [day.date, day]))
      const days = [...byDate.values()].toSorted((one, other) => (one.date < other.date ? -1 : 1))
      return [id, { calendar: createPublicCalendar({ bundle, owner, project }), days }]
    }),
  )
}

/** Of one project. */
export async function publicDaysIn(database: Pick<Database, 'general'>, project: ProjectOfDays, seen: Pick<Database, 'general'>) {
  const found = (await publicDaysOf(database, [project], seen)).get(project.id)
  if (!found) throw new Error(`there are no days of project ${project.id}`)
  return found
}
