import type { dayOfTimers, Request, RunEntry, TimerDay } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Occurrence } from '@linewarden/rules/automation'
import { civilZone, dateText, parseDate } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { dueNow } from '../../store/automation/due.ts'
import { countExecutions, executionsWhere } from '../../store/automation/execution-list.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import { unclaimedDues } from '../../store/automation/timer-page.ts'
import { countTagged } from '../../store/control/tag.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import { dueReading } from './due-reading.ts'
import { placeFilter } from './place-filter.ts'
import { classOf, midnight } from './project-days.ts'
import { timeOfProject } from './project-time.ts'
import { createRunEntries } from './run-entries.ts'
import type { Ahead } from './timer-ahead.ts'
import { foreseenOf } from './timer-ahead.ts'
import { timersSeen } from './timers-seen.ts'

const maxDayItems = 1_000
const shownNames = 3

/** What timers of a project did and will do on a date. */
export function createTimerDay(deps: AutomationDeps) {
  const { database, plant, clock, dueClock } = deps
  const { seenTimers, linesSeen } = timersSeen(deps)
  const entries = createRunEntries(deps)
  return { day }

  async function day(
    actor: Actor,
    project: PlantProject,
    { Date: asked, ...part }: Request<typeof dayOfTimers>['query'],
  ): Promise<TimerDay> {
    const now = clock()
    const time = await timeOfProject(database.general, project)
    const today = civilZone(time.timeZone).dayAt(now)
    const date = asked === undefined ? today : parseDate(asked)
    if (date === null) throw new Refusal('invalid parameter')
    const [from, to] = [midnight(time, date), midnight(time, date + 1)]
    const { lineIds } = placeFilter(actor, plant, project, part)
    const seen = await seenTimers(actor, { projectIds: [project.id], lineIds })
    const dueBy = await dueNow(database, dueClock)
    const ofDay = { source: 'timer', projectIds: [project.id], due: { from, to } } as const
    const { rows, total, unclaimed } = await withRowSecurity(database, actor.scope, async ({ general }) => ({
      rows: await executionsWhere(general, ofDay, { page: 1, size: maxDayItems }),
      total: await countExecutions(general, ofDay),
      unclaimed: await unclaimedDues(general, dueBy, project.id),
    }))
    const tags = await countTagged(database)
    const ofTimers = new Map<StoredTimer, LinesOf>()
    // The same for each time that a timer is due.
    const linesOf = (timer: StoredTimer): LinesOf => {
      const lines = ofTimers.get(timer) ?? countLines(linesSeen(actor, timer), tags)
      ofTimers.set(timer, lines)
      return lines
    }
    const byId = new Map(seen.map((timer) => [timer.timerId, timer]))
    const done = (await entries(actor, rows)).flatMap((run): Item[] => {
      const { SourceID, Name, DueAt, Action, State } = run
      // Of some lines alone, runs of the timers that act on them now.
      if (DueAt === null || State === 'merged' || (lineIds && !byId.has(SourceID))) return []
      return [{ ...{ at: DueAt, timerId: SourceID, name: Name, action: Action, timer: byId.get(SourceID) }, ...ofRun(run) }]
    })
    const isDone = new Set(done.map(({ timerId, at }) => `${timerId} ${at}`))
    const isUnclaimed = new Set<string>()
    const overdue = unclaimed.flatMap(({ timerId, dueAt, action, skip }): Item[] => {
      const timer = byId.get(timerId)
      if (!timer || dueAt < from || dueAt >= to) return []
      isUnclaimed.add(`${timerId} ${dueAt}`)
      return [
        { ...{ at: dueAt, timerId, name: timer.name, action, timer, skip }, ...{ run: null, clock: 'plain', overdue: true } },
      ]
    })
    const enabled = seen.filter((timer) => timer.enabled)
    const reading = await dueReading().of(
      enabled.map(({ schedule }) => schedule),
      time,
      Math.max(from, now),
      to,
    )
    const ahead = enabled
      .flatMap((timer, index) => (reading.due[index] ?? []).map((due) => ({ timer, due })))
      .filter(({ timer, due }) => !isDone.has(`${timer.timerId} ${due.at}`) && !isUnclaimed.has(`${timer.timerId} ${due.at}`))
      .map(
        ({ timer, due: { at, action, skip, clock: wall } }): Item => ({
          ...{ at, timerId: timer.timerId, name: timer.name, action, timer },
          ...{ run: null, clock: wall, overdue: false, skip },
        }),
      )
    const all = [...done, ...overdue, ...ahead].sort((one, other) => one.at - other.at || one.timerId - other.timerId)
    const items = all.slice(0, maxDayItems)
    const coming = items.flatMap((item): Ahead[] => (isAhead(item) ? [{ timer: item.timer, due: item, isNext: false }] : []))
    const foreseen = (await foreseenOf(deps, actor, coming, new Map([[project.id, time]]))).values()
    return {
      ...{ Date: dateText(date), Today: dateText(today), TimeZone: time.timeZone, ...classOf(time, date) },
      // Beyond so many runs the first of the day are not read.
      ...{ From: from, To: to, Total: all.length + total - rows.length },
      CutAt: reading.cutAt,
      Items: items.map((item) => {
        const { names, tagged } = item.timer ? linesOf(item.timer) : noLines
        return {
          ...{ At: item.at, TimerID: item.timerId, Name: item.name, Action: item.action },
          ...{ Clock: item.clock, Run: item.run, Overdue: item.overdue, Skip: item.skip },
          ...{ SceneName: item.timer?.scene?.name ?? null, LineCount: names.length, LineNames: names.slice(0, shownNames) },
          Tagged: tagged,
          Foreseen: isAhead(item) ? (foreseen.next().value ?? []) : [],
        }
      }),
    }
  }
}

interface LinesOf {
  readonly names: readonly string[]
  readonly tagged: number
}
const noLines: LinesOf = { names: [], tagged: 0 }

const countLines = (lines: readonly PlantLine[], tags: ReadonlyMap<number, number>): LinesOf => ({
  names: lines.map(({ name }) => name),
  tagged: lines.filter(({ id }) => tags.has(id)).length,
})

type DayItem = TimerDay['Items'][number]

interface Item {
  readonly at: number
  readonly timerId: number
  readonly name: string
  readonly action: Occurrence['action'] | null
  readonly timer: StoredTimer | undefined
  readonly run: DayItem['Run']
  readonly clock: DayItem['Clock']
  readonly overdue: boolean
  readonly skip: Occurrence['skip']
}

type AheadItem = Item & { readonly timer: StoredTimer; readonly action: Occurrence['action'] }

const ofRun = ({
  RunID,
  State,
  ClaimedAt,
  Why,
  Counts,
  Reasons,
}: RunEntry): Pick<Item, 'run' | 'clock' | 'overdue' | 'skip'> => ({
  ...{ run: { RunID, State, ClaimedAt, Why, Counts, Reasons }, clock: 'plain', overdue: false, skip: null },
})

const isAhead = (item: Item): item is AheadItem =>
  item.run === null && !item.overdue && item.skip === null && item.timer !== undefined && item.action !== null
