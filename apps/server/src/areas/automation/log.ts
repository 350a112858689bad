import type { List, logTimers, Reply, Request, RunEntry, RunsAbout, whyNotTimer } from '@linewarden/contract'
import { minuteMs } from '@linewarden/equipment'
import { whyNot } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { dueNow } from '../../store/automation/due.ts'
import type { ExecutionFilter, ExecutionPage } from '../../store/automation/execution-list.ts'
import { aboutExecutions, executionsWhere, overdueTimers } from '../../store/automation/execution-list.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import { executionRecord } from './executions.ts'
import { placeFilter } from './place-filter.ts'
import { timeOfProject } from './project-time.ts'
import { createRunEntries } from './run-entries.ts'
import type { TimerList } from './timer-list.ts'
import { nextTime } from './timer-record.ts'

/** What is due for longer than this and not claimed is overdue. */
const overdueMs = 10_000

/** A page of runs of one kind as somebody sees them, and what is said of all that pass the filters. */
export function createRunLog(deps: Pick<AutomationDeps, 'database' | 'plant' | 'dueClock'>) {
  const { database, dueClock } = deps
  const entries = createRunEntries(deps)
  return async (
    actor: Actor,
    filter: ExecutionFilter,
    page: ExecutionPage,
  ): Promise<List<RunEntry> & { readonly about: RunsAbout }> => {
    const overdueSince = filter.source === 'timer' ? (await dueNow(database, dueClock)) - overdueMs : null
    const found = await withRowSecurity(database, actor.scope, async ({ general }) => ({
      rows: await executionsWhere(general, filter, page),
      about: await aboutExecutions(general, filter),
      overdue: overdueSince === null ? 0 : await overdueTimers(general, filter, overdueSince),
    }))
    const { rows, about, overdue } = found
    return {
      items: await entries(actor, rows),
      total: about.total,
      about: {
        States: about.states.map(({ state, count }) => ({ State: state, Count: count })),
        LeftOut: about.leftOut,
        MaxLateMs: about.maxLateMs,
        Overdue: overdue,
      },
    }
  }
}

/** What timers did, and why one did nothing. */
export function createTimerLog(deps: AutomationDeps, timers: Pick<TimerList, 'seen'>) {
  const { database, plant } = deps
  const runLog = createRunLog(deps)
  return {
    log: (actor: Actor, project: PlantProject | null, body: Request<typeof logTimers>['body']) =>
      runLog(
        actor,
        {
          ...{
            source: 'timer',
            ...placeFilter(actor, plant, project, body),
            sourceId: body.TimerID,
            name: body.Text,
            states: body.States,
          },
          ...{ from: body.From, to: body.To },
        },
        { page: body.Page ?? 1, size: body.Size ?? 10, amissFirst: body.AmissFirst },
      ),

    async whyNot(actor: Actor, timerId: number, at: number): Promise<Reply<typeof whyNotTimer>> {
      const timer = await timers.seen(actor, timerId)
      const time = await timeOfProject(database.general, { id: timer.projectId })
      const from = Math.floor(at / minuteMs) * minuteMs
      const due = { from, to: from + minuteMs }
      const rows = await withRowSecurity(database, actor.scope, ({ general }) =>
        executionsWhere(general, { source: 'timer', sourceId: timerId, due }, { page: 1, size: 100 }),
      )
      const answer = whyNot(timer.schedule, time, timer.enabled, at)
      const { before, after } = answer.why === 'noPoint' ? answer : { before: null, after: null }
      return {
        Runs: rows.map(executionRecord),
        Why: rows.length > 0 ? 'ran' : answer.why,
        Date: answer.date,
        Class: answer.classOfDay.class,
        ClassName: answer.classOfDay.name,
        Before: before && nextTime(before),
        After: after && nextTime(after),
        ChangedAt: timer.changedAt,
      }
    },
  }
}
