import type { getCalendar, importCalendar, Reply, Request, updateCalendar } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { CalendarDay, DefinitionProblem } from '@linewarden/rules/automation'
import { bundledDays, civilZone, createCalendar, isPublicClass, parseDate, unmaintainedYears } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { EnterDays, EnteredDay } from '../../store/automation/calendar.ts'
import {
  daysOfOwners,
  daysOfProjects,
  enterDays,
  enteredBy,
  enteredByOwner,
  enterOwnerDays,
} from '../../store/automation/calendar.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { compared, importedDays, problemRecords, refuseWrongRows } from './calendar-import.ts'
import type { AutomationDeps } from './deps.ts'
import { refuseProblems } from './problem-texts.ts'
import { nextOf, projectTime } from './project-time.ts'

type Whose = 'project' | 'owner'
type DayOf = Whose | 'bundle'

/** Days that are none of the plain week: of a project, and of all projects of its owner. */
export function createCalendars({ database, plant, clock, dueClock }: AutomationDeps) {
  return {
    async get(
      actor: Actor,
      project: PlantProject,
      { Year, For = 'project' }: Request<typeof getCalendar>['query'],
    ): Promise<Reply<typeof getCalendar>> {
      const of = {
        project: For === 'project' ? await daysEntered(actor, project, 'project') : [],
        owner: await daysEntered(actor, project, 'owner'),
        bundle: bundledDays(project.timeZone),
      }
      const people = {
        project:
          For === 'project'
            ? await withRowSecurity(database, actor.scope, ({ general }) => enteredBy(general, project.id))
            : null,
        owner: await enteredByOwner(database.general, project.ownerId),
        bundle: null,
      }
      const today = civilZone(project.timeZone).dayAt(clock())
      return {
        Days: shownDays(of, people).filter(({ Date: date }) => date.startsWith(`${Year}-`)),
        Unmaintained: [...unmaintainedYears(createCalendar(of), today)],
      }
    },

    async update(
      actor: Actor,
      project: PlantProject,
      { Days, For = 'project' }: Request<typeof updateCalendar>['body'],
    ): Promise<null> {
      refuseProblems(dayProblems(Days))
      const days = Days.map(({ Date: date, Class, Name = '', Public = false }) => ({
        ...{ date, class: Class, name: Name, isPublic: Public },
      }))
      const action = For === 'owner' ? 'calendar.ownerEdit' : 'calendar.edit'
      await enter(actor, project, For, (entered) => {
        refuseMovedPrices(actor, days, entered)
        const audit = { ...by(actor, clock(), action, project.ownerId), target: project.name, after: { days } }
        return { days, origin: 'person', audit }
      })
      return null
    },

    /** Days of a file. What is shown of a dry run is decided once more when they are stored, by what is there then. */
    async import(
      actor: Actor,
      project: PlantProject,
      body: Request<typeof importCalendar>['body'],
    ): Promise<Reply<typeof importCalendar>> {
      const { For = 'project' } = body
      const read = importedDays(body)
      const Problems = problemRecords(read.problems)
      const ofOwner = For === 'project' ? await daysEntered(actor, project, 'owner') : []
      const choices = { overEntered: body.OverEntered ?? false, isPublic: body.Public ?? false }
      const compare = compared(read.days, project.timeZone, choices, ofOwner)
      if (body.DryRun) return { Stored: 0, Days: compare(await daysEntered(actor, project, For)), Problems }
      if (!body.LeaveOut) refuseWrongRows(Problems)
      const now = clock()
      let Days: ReturnType<typeof compare> = []
      const stored = () => Days.filter(({ Change }) => Change === 'new' || Change === 'changed')
      const action = For === 'owner' ? 'calendar.ownerImport' : 'calendar.import'
      await enter(actor, project, For, (entered) => {
        Days = compare(entered)
        const days = enteredOf(stored(), body.Public === true)
        refuseMovedPrices(actor, days, entered)
        const audit = { ...by(actor, now, action, project.ownerId), target: project.name }
        const source = body.Ics === undefined ? 'rows' : 'ics'
        return { days, origin: 'import', audit: { ...audit, after: { source, days, leftOut: Problems.length } } }
      })
      return { Stored: stored().length, Days, Problems }
    },
  }

  async function daysEntered(actor: Actor, project: PlantProject, whose: Whose): Promise<readonly CalendarDay[]> {
    if (whose === 'owner') return (await daysOfOwners(database.general, [project.ownerId])).get(project.ownerId) ?? []
    const days = await withRowSecurity(database, actor.scope, ({ general }) => daysOfProjects(general, [project.id]))
    return days.get(project.id) ?? []
  }

  async function enter(actor: Actor, project: PlantProject, whose: Whose, days: EnterDays): Promise<void> {
    if (whose === 'owner') {
      refuseUnlessAll(actor, project)
      return enterOwnerDays(database, { ownerId: project.ownerId, projectId: project.id }, days)
    }
    await enterDays(database, project.id, days, {
      clock: dueClock,
      next: (timer, { entered, ofOwner }, after, site) => nextOf(timer.schedule, projectTime(site, entered, ofOwner), after),
    })
  }

  /** What is entered for all projects of an owner moves timers of each: whoever does not see one of them does not do so. */
  function refuseUnlessAll(actor: Actor, { ownerId }: PlantProject): void {
    const seesAll = [...plant.projects.values()].every((each) => each.ownerId !== ownerId || actor.sees(each.id))
    if (!actor.administrator || !seesAll) throw new Refusal('owner calendar needs administrator')
  }
}

/** The days in their order: what is entered for the project over what is for its owner over what is bundled. */
function shownDays(
  of: Readonly<Record<DayOf, readonly CalendarDay[]>>,
  people: Readonly<Record<DayOf, Awaited<ReturnType<typeof enteredBy>> | null>>,
): Reply<typeof getCalendar>['Days'] {
  const byDate = new Map(
    (['bundle', 'owner', 'project'] as const).flatMap((Of) => of[Of].map((day) => [day.date, { day, Of }] as const)),
  )
  return [...byDate.values()]
    .sort((one, other) => (one.day.date < other.day.date ? -1 : 1))
    .map(({ day: { date, class: dayClass, name, origin, isPublic }, Of }) => ({
      ...{ Date: date, Class: dayClass, Name: name, Origin: origin, Of, Public: Of === 'bundle' || isPublic === true },
      ...{ ChangedBy: people[Of]?.get(date)?.by ?? null, ChangedAt: people[Of]?.get(date)?.at ?? null },
    }))
}

/** Imported days as they are stored. */
const enteredOf = (days: Reply<typeof importCalendar>['Days'], isPublic: boolean): readonly EnteredDay[] =>
  days.map(({ Date: date, Class, Name }) => ({ date, class: Class, name: Name, isPublic: isPublic && isPublicClass(Class) }))

/** Days that prices go by, and those that they went by, are changed by whoever may edit projects. */
function refuseMovedPrices(actor: Actor, days: readonly EnteredDay[], entered: readonly CalendarDay[]): void {
  const dates = new Set(days.map(({ date }) => date))
  const moves = days.some(({ isPublic }) => isPublic) || entered.some(({ date, isPublic }) => isPublic && dates.has(date))
  if (moves && !permits('system.project', actor)) throw new Refusal('public days need projects')
}

const dayProblems = (days: Request<typeof updateCalendar>['body']['Days']): readonly DefinitionProblem[] =>
  days.flatMap(({ Date: date, Class, Public }, index): DefinitionProblem[] => {
    const field = `Days.${index}.Date`
    if (Public && (Class === null || !isPublicClass(Class))) return [{ key: 'public day wrong', field: `Days.${index}.Public` }]
    if (parseDate(date) === null) return [{ key: 'date wrong', field }]
    return days.findIndex((each) => each.Date === date) === index ? [] : [{ key: 'listed twice', field }]
  })
