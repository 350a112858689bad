import type { getCalendar, importCalendar, Reply, Request, updateCalendar } from '@linewarden/contract'
import type { DefinitionProblem } from '@linewarden/rules/automation'
import { bundledDays, civilZone, parseDate, unmaintainedYears } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { EnterDays } from '../../store/automation/calendar.ts'
import { daysOfProjects, enterDays, enteredBy } from '../../store/automation/calendar.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { compared, importedDays, problemRecords, refuseWrongRows } from './calendar-import.ts'
import type { AutomationDeps } from './deps.ts'
import { refuseProblems } from './problem-texts.ts'
import { nextOf, projectTime } from './project-time.ts'

/** Days of projects that are none of the plain week. */
export function createCalendars({ database, clock, dueClock }: AutomationDeps) {
  const enter = (project: PlantProject, days: EnterDays) =>
    enterDays(database, project.id, days, {
      clock: dueClock,
      next: (timer, entered, after, site) => nextOf(timer.schedule, projectTime(site, entered), after),
    })
  return {
    async get(actor: Actor, project: PlantProject, year: number): Promise<Reply<typeof getCalendar>> {
      const { days, people } = await withRowSecurity(database, actor.scope, async ({ general }) => ({
        days: await daysOfProjects(general, [project.id]),
        people: await enteredBy(general, project.id),
      }))
      const entered = days.get(project.id) ?? []
      const byDate = new Map([...bundledDays(project.timeZone), ...entered].map((day) => [day.date, day]))
      const today = civilZone(project.timeZone).dayAt(clock())
      return {
        Days: [...byDate.values()]
          .filter(({ date }) => date.startsWith(`${year}-`))
          .sort((one, other) => (one.date < other.date ? -1 : 1))
          .map(({ date, class: dayClass, name, origin }) => ({
            ...{ Date: date, Class: dayClass, Name: name, Origin: origin },
            ...{ ChangedBy: people.get(date)?.by ?? null, ChangedAt: people.get(date)?.at ?? null },
          })),
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
      await enter(project, () => ({
        days,
        origin: 'person',
        audit: { ...by(actor, now, 'calendar.edit', project.ownerId), target: project.name, after: { days } },
      }))
      return null
    },

    /** Days of a file. What is shown of a dry run is decided once more when they are stored, by what is there then. */
    async import(
      actor: Actor,
      project: PlantProject,
      body: Request<typeof importCalendar>['body'],
    ): Promise<Reply<typeof importCalendar>> {
      const read = importedDays(body)
      const Problems = problemRecords(read.problems)
      const compare = compared(read.days, project.timeZone, body.OverEntered ?? false)
      if (body.DryRun) {
        const there = await withRowSecurity(database, actor.scope, ({ general }) => daysOfProjects(general, [project.id]))
        return { Stored: 0, Days: compare(there.get(project.id) ?? []), Problems }
      }
      if (!body.LeaveOut) refuseWrongRows(Problems)
      const now = clock()
      let Days: ReturnType<typeof compare> = []
      const stored = () => Days.filter(({ Change }) => Change === 'new' || Change === 'changed')
      await enter(project, (entered) => {
        Days = compare(entered)
        const days = stored().map(({ Date: date, Class, Name }) => ({ date, class: Class, name: Name }))
        const audit = { ...by(actor, now, 'calendar.import', project.ownerId), target: project.name }
        const source = body.Ics === undefined ? 'rows' : 'ics'
        return { days, origin: 'import', audit: { ...audit, after: { source, days, leftOut: Problems.length } } }
      })
      return { Stored: stored().length, Days, Problems }
    },
  }
}
