import type { TimerDay } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Occurrence } from '@linewarden/rules/automation'
import { civilZone, dateText, occurrences, parseDate, timerActions } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { executionsWhere } from '../../store/automation/execution-list.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import { classOf, midnight } from './project-days.ts'
import { timeOfProject } from './project-time.ts'
import type { Ahead } from './timer-ahead.ts'
import { foreseenOf } from './timer-ahead.ts'
import { timersSeen } from './timers-seen.ts'

const maxDayItems = 1_000
const shownNames = 3

/** What timers of a project did and will do on a date. */
export function createTimerDay(deps: AutomationDeps) {
  const { database, clock } = deps
  const { seenTimers, linesSeen } = timersSeen(deps)
  return { day }

  async function day(actor: Actor, project: PlantProject, { Date: asked }: { readonly Date?: string }): Promise<TimerDay> {
    const now = clock()
    const time = await timeOfProject(database.general, project)
    const today = civilZone(time.timeZone).dayAt(now)
    const date = asked === undefined ? today : parseDate(asked)
    if (date === null) throw new Refusal('invalid parameter')
    const [from, to] = [midnight(time, date), midnight(time, date + 1)]
    const seen = await seenTimers(actor, { projectIds: [project.id] })
    const { rows } = await withRowSecurity(database, actor.scope, ({ general }) =>
      executionsWhere(general, { source: 'timer', projectIds: [project.id], due: { from, to } }, { page: 1, size: maxDayItems }),
    )
    const byId = new Map(seen.map((timer) => [timer.timerId, timer]))
    const done = rows.flatMap(({ sourceId, name, dueAt, executionId, state, trace }): Item[] => {
      const timer = byId.get(sourceId)
      const action = timerActions.find((each) => each === trace.action) ?? null
      return dueAt === null || state === 'merged'
        ? []
        : [{ at: dueAt, timerId: sourceId, name, action, timer, run: { RunID: executionId, State: state }, skip: null }]
    })
    const isDone = new Set(done.map(({ timerId, at }) => `${timerId} ${at}`))
    const ahead = seen
      .filter(({ enabled }) => enabled)
      .flatMap((timer) => occurrences(timer.schedule, time, Math.max(from, now), to).map((due) => ({ timer, due })))
      .filter(({ timer, due }) => !isDone.has(`${timer.timerId} ${due.at}`))
      .map(
        ({ timer, due }): Item => ({
          ...{ at: due.at, timerId: timer.timerId, name: timer.name, action: due.action, timer },
          ...{ run: null, skip: due.skip },
        }),
      )
    const all = [...done, ...ahead].sort((one, other) => one.at - other.at || one.timerId - other.timerId)
    const items = all.slice(0, maxDayItems)
    const coming = items.flatMap((item): Ahead[] => (isAhead(item) ? [{ timer: item.timer, due: item, isNext: false }] : []))
    const foreseen = (await foreseenOf(deps, actor, coming, new Map([[project.id, time]]))).values()
    return {
      ...{ Date: dateText(date), Today: dateText(today), TimeZone: time.timeZone, Total: all.length, ...classOf(time, date) },
      Items: items.map((item) => {
        const names = item.timer ? linesSeen(actor, item.timer).map((line) => line.name) : []
        return {
          ...{ At: item.at, TimerID: item.timerId, Name: item.name, Action: item.action, Run: item.run, Skip: item.skip },
          ...{ LineCount: names.length, LineNames: names.slice(0, shownNames) },
          Foreseen: isAhead(item) ? (foreseen.next().value ?? []) : [],
        }
      }),
    }
  }
}

interface Item {
  readonly at: number
  readonly timerId: number
  readonly name: string
  readonly action: Occurrence['action'] | null
  readonly timer: StoredTimer | undefined
  readonly run: TimerDay['Items'][number]['Run']
  readonly skip: Occurrence['skip']
}

type AheadItem = Item & { readonly timer: StoredTimer; readonly action: Occurrence['action'] }

const isAhead = (item: Item): item is AheadItem =>
  item.run === null && item.skip === null && item.timer !== undefined && item.action !== null
