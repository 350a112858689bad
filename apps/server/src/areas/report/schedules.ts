import type { listReportRuns, listReportSchedules, Reply, ReportSchedule, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { ReportSources } from '../../http/report-source.ts'
import type { MailConfig } from '../../lib/mail-setting.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { appendAudit } from '../../store/audit/append.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { deliveriesOf } from '../../store/report/delivery.ts'
import { insertRun, listRuns } from '../../store/report/run.ts'
import type { ScheduleRow } from '../../store/report/schedule.ts'
import { recipientsOf, removeSchedule, schedulesOf } from '../../store/report/schedule.ts'
import { runAt } from './postman.ts'
import { runRecord } from './schedule-record.ts'
import type { ScheduleFields } from './schedule-saving.ts'
import { accountsFor, createScheduleSaving, entryOf, scheduleRecords } from './schedule-saving.ts'

export type Schedules = ReturnType<typeof createSchedules>

interface Deps {
  readonly database: Database
  readonly reports: ReportSources
  readonly mail: MailConfig | null
  readonly clock: () => number
  /** Something is due by a person's word. */
  readonly poke: () => void
}

type Target = { readonly HouseID: number; readonly ScheduleID: number }

/** Reports of a project that go out by themselves. */
export function createSchedules({ database, reports, mail, clock, poke }: Deps) {
  const save = createScheduleSaving({ database, reports, clock })
  return {
    async list(actor: Actor, project: PlantProject): Promise<Reply<typeof listReportSchedules>> {
      refuseGuests(actor)
      const [rows, recipients] = await withRowSecurity(database, actor.scope, async ({ general }) => {
        const found = await schedulesOf(general, project.id)
        const ids = found.map(({ schedule_id }) => schedule_id)
        return [found, await recipientsOf(general, ids)] as const
      })
      const items = await scheduleRecords(database, rows, recipients)
      const accounts = await accountsFor(database, actor)
      const about = {
        ...{ From: mail?.from ?? null, TimeZone: project.timeZone },
        Accounts: accounts.map(({ accountId, name, email }) => ({ AccountID: accountId, Name: name, Address: email })),
      }
      return { items, total: items.length, about }
    },

    insert: (actor: Actor, project: PlantProject, body: ScheduleFields): Promise<ReportSchedule> =>
      save(actor, project, body, null),

    update: (
      actor: Actor,
      project: PlantProject,
      { ScheduleID, Version, ...body }: ScheduleFields & { readonly ScheduleID: number; readonly Version: number },
    ): Promise<ReportSchedule> => save(actor, project, body, { scheduleId: ScheduleID, version: Version }),

    async remove(
      actor: Actor,
      project: PlantProject,
      { ScheduleID, Version }: Target & { readonly Version: number },
    ): Promise<null> {
      const { name } = await scheduleOf(actor, project, ScheduleID)
      const removed = await removeSchedule(
        database,
        { scheduleId: ScheduleID, version: Version, now: clock() },
        { ...entryOf(clock, actor, project, 'reportSchedule.remove', name), before: { name } },
      )
      if (!removed) throw new Refusal('changed meanwhile')
      return null
    },

    /** Of the last period that is over; it is made and sent as if it were due now. */
    async run(actor: Actor, project: PlantProject, { ScheduleID }: Target): Promise<null> {
      if (!mail) throw new Refusal('mail not set up')
      const schedule = await scheduleOf(actor, project, ScheduleID)
      const due = runAt(schedule.period, project.timeZone, clock())
      const from = dateText(due.firstDay)
      const isNew = await database.general.transaction().execute(async (trx) => {
        if (!(await insertRun(trx, schedule, due))) return false
        await appendAudit(trx, { ...entryOf(clock, actor, project, 'reportSchedule.run', schedule.name), after: { from } })
        return true
      })
      if (!isNew) throw new Refusal('report sent already', { from })
      poke()
      return null
    },

    async runs(
      actor: Actor,
      project: PlantProject,
      { ScheduleID, Page = 1, Size = 10 }: Request<typeof listReportRuns>['query'],
    ): Promise<Reply<typeof listReportRuns>> {
      refuseGuests(actor)
      const asked = { projectId: project.id, scheduleId: ScheduleID ?? null, page: Page, size: Size }
      const { rows, total, deliveries } = await withRowSecurity(database, actor.scope, async ({ general }) => {
        const found = await listRuns(general, asked)
        const ids = found.rows.map(({ run_id }) => run_id)
        return { ...found, deliveries: await deliveriesOf(general, ids) }
      })
      const byRun = Map.groupBy(deliveries, ({ run_id }) => run_id)
      return { items: rows.map((row) => runRecord(row, byRun.get(row.run_id) ?? [])), total }
    },

    scheduleOf,
  }

  /** Throws Refusal where the project has none of this number. */
  async function scheduleOf(actor: Actor, project: PlantProject, scheduleId: number): Promise<ScheduleRow> {
    refuseGuests(actor)
    const rows = await withRowSecurity(database, actor.scope, ({ general }) => schedulesOf(general, project.id))
    const found = rows.find(({ schedule_id }) => schedule_id === scheduleId)
    if (!found) throw new Refusal('report schedule not exists')
    return found
  }
}

/** Whom equipment is shared with is told nobody's address. */
function refuseGuests({ shared }: Actor): void {
  if (shared) throw new Refusal('access denied')
}
