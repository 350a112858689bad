import type { getCalendar, Reply, Request, updateCalendar } from '@linewarden/contract'
import type { DefinitionProblem } from '@linewarden/rules/automation'
import { bundledDays, civilZone, parseDate, unmaintainedYears } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { daysOfProjects, enterDays } from '../../store/automation/calendar.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import { refuseProblems } from './problem-texts.ts'
import { nextOf, projectTime } from './project-time.ts'

/** Days of projects that are none of the plain week. */
export function createCalendars({ database, clock, dueClock }: AutomationDeps) {
  return {
    async get(actor: Actor, project: PlantProject, year: number): Promise<Reply<typeof getCalendar>> {
      const days = await withRowSecurity(database, actor.scope, ({ general }) => daysOfProjects(general, [project.id]))
      const entered = days.get(project.id) ?? []
      const byDate = new Map([...bundledDays(project.timeZone), ...entered].map((day) => [day.date, day]))
      const today = civilZone(project.timeZone).dayAt(clock())
      return {
        Days: [...byDate.values()]
          .filter(({ date }) => date.startsWith(`${year}-`))
          .sort((one, other) => (one.date < other.date ? -1 : 1))
          .map(({ date, class: dayClass, name, origin }) => ({ Date: date, Class: dayClass, Name: name, Origin: origin })),
        Unmaintained: [...unmaintainedYears(projectTime({ ...project, position: null }, entered).calendar, today)],
      }
    },

    async update(actor: Actor, project: PlantProject, { Days }: Request<typeof updateCalendar>['body']): Promise<null> {
      const problems = Days.flatMap(({ Date: date }, index): DefinitionProblem[] => {
        if (parseDate(date) === null) return [{ key: 'date wrong', field: `Days.${index}.Date` }]
        return Days.findIndex((each) => each.Date === date) === index
          ? []
          : [{ key: 'listed twice', field: `Days.${index}.Date` }]
      })
      refuseProblems(problems)
      const now = clock()
      const days = Days.map(({ Date: date, Class, Name = '' }) => ({ date, class: Class, name: Name }))
      await enterDays(
        database,
        project.id,
        days,
        {
          clock: dueClock,
          next: (timer, entered, after, site) => nextOf(timer.schedule, projectTime(site, entered), after),
        },
        { ...by(actor, now, 'calendar.edit', project.ownerId), target: project.name, after: { days } },
      )
      return null
    },
  }
}
