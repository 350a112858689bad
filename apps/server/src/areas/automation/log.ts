import type { List, logTimers, Reply, Request, whyNotTimer } from '@linewarden/contract'
import { minuteMs } from '@linewarden/equipment'
import { whyNot } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { executionsWhere } from '../../store/automation/execution.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import { executionRecord } from './executions.ts'
import { timeOfProject } from './project-time.ts'
import type { TimerList } from './timer-list.ts'
import { nextTime } from './timer-record.ts'

type Log = List<Reply<typeof logTimers>['items'][number]>

/** What timers did, and why one did nothing. */
export function createTimerLog({ database }: AutomationDeps, timers: Pick<TimerList, 'seen'>) {
  return {
    async log(actor: Actor, project: PlantProject | null, body: Request<typeof logTimers>['body']): Promise<Log> {
      const filter = {
        ...{ source: 'timer' as const, projectId: project?.id, sourceId: body.TimerID },
        ...{ from: body.From, to: body.To, states: body.States },
      }
      const page = { page: body.Page ?? 1, size: body.Size ?? 10 }
      const { rows, total } = await withRowSecurity(database, actor.scope, ({ general }) =>
        executionsWhere(general, filter, page),
      )
      return { items: rows.map(executionRecord), total }
    },

    async whyNot(actor: Actor, timerId: number, at: number): Promise<Reply<typeof whyNotTimer>> {
      const timer = await timers.seen(actor, timerId)
      const time = await timeOfProject(database.general, { id: timer.projectId })
      const from = Math.floor(at / minuteMs) * minuteMs
      const due = { from, to: from + minuteMs }
      const { rows } = await withRowSecurity(database, actor.scope, ({ general }) =>
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
