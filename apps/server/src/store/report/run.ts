import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { LeaseClock } from '../jobs/due-work.ts'
import type { ScheduleRow } from './schedule.ts'

type Db = Kysely<Schema>

export type RunRow = Selectable<Schema['report_run']>

/** A run as it becomes due. */
export interface DueRun {
  readonly firstDay: number
  readonly endDay: number
  readonly dueAt: number
  /** Not sent: a newer one was due meanwhile. */
  readonly isMissed: boolean
}

/**
 * Turns the due instants of schedules into runs, one schedule at a time and each by one server. `plan` says which runs, and when it is due next.
 * Answers how many schedules there were.
 */
export async function makeDueRuns(
  { general }: Database,
  clock: LeaseClock,
  plan: (schedule: ScheduleRow, now: number) => Promise<{ readonly runs: readonly DueRun[]; readonly nextAt: number | null }>,
): Promise<number> {
  for (let done = 0; ; done++) {
    const isOne = await general.transaction().execute(async (trx) => {
      const due = await trx
        .selectFrom('report_schedule')
        .selectAll()
        .select(clock().as('now'))
        .where('removed_at', 'is', null)
        .where('next_at', '<=', clock())
        .orderBy('next_at')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (!due) return false
      const { now, ...schedule } = due
      const { runs, nextAt } = await plan(schedule, now.getTime())
      for (const run of runs) await insertRun(trx, schedule, run)
      await trx
        .updateTable('report_schedule')
        .set({ next_at: nextAt === null ? null : new Date(nextAt) })
        .where('schedule_id', '=', schedule.schedule_id)
        .execute()
      return true
    })
    if (!isOne) return done
  }
}

/** False: there is one of this period already. */
export async function insertRun(
  trx: Db,
  { schedule_id, project_id }: Pick<ScheduleRow, 'schedule_id' | 'project_id'>,
  { firstDay, endDay, dueAt, isMissed }: DueRun,
): Promise<boolean> {
  const made = await trx
    .insertInto('report_run')
    .values({
      ...{ schedule_id, project_id, first_day: firstDay, end_day: endDay, due_at: new Date(dueAt) },
      ...(isMissed ? { state: 'missed' as const } : { state: 'waiting' as const, look_at: new Date(dueAt) }),
    })
    .onConflict((oc) => oc.columns(['schedule_id', 'first_day']).doNothing())
    .returning('run_id')
    .executeTakeFirst()
  return made !== undefined
}

/** A run to be made, as this server has it for `leaseMs`: `tries` is its fence. */
export interface LeasedRun extends RunRow {
  readonly now: number
}

/** The next run that is to be looked at and that nobody has; null: there is none. */
export async function claimRun(db: Db, clock: LeaseClock, leaseMs: number): Promise<LeasedRun | null> {
  const { rows } = await sql<RunRow & { now: Date }>`
    with w as materialized (
      select run_id from report_run where state = 'waiting' and look_at <= ${clock()} and (lease_until is null or lease_until < ${clock()})
      order by look_at, run_id limit 1 for update skip locked
    )
    update report_run set tries = tries + 1, lease_until = ${clock()} + ${leaseMs} * interval '1 millisecond' from w
    where report_run.run_id = w.run_id returning report_run.*, ${clock()} as now`.execute(db)
  const [row] = rows
  return row ? { ...row, now: row.now.getTime() } : null
}

type Leased = Pick<RunRow, 'run_id' | 'tries'>

const leased = (db: Db, { run_id, tries }: Leased) =>
  db.updateTable('report_run').where('run_id', '=', run_id).where('tries', '=', tries).where('state', '=', 'waiting')

/** Looked at again later; what else was tried of it counts no more. */
export async function putOffRun(db: Db, run: Leased, lookAt: number, known: number | null): Promise<void> {
  await leased(db, run)
    .set({ look_at: new Date(lookAt), lease_until: null, known, tries: 0 })
    .execute()
}

/** It cannot be made. True: this server has written so. */
export async function failRun(db: Db, run: Leased, why: { readonly zh: string; readonly en: string }): Promise<boolean> {
  const { zh, en } = why
  const failed = await leased(db, run)
    .set({ state: 'failed', lease_until: null, look_at: null, why: JSON.stringify({ zh, en }) })
    .returning('run_id')
    .executeTakeFirst()
  return failed !== undefined
}

/** What is sent of it in one language. */
export interface RunFile {
  readonly language: 'CN' | 'EN'
  readonly subject: string
  readonly body: string
  readonly html: string
  readonly fileName: string
  readonly type: string
  readonly bytes: Buffer | null
}

export interface RunRecipient {
  readonly recipientId: number
  readonly address: string
  readonly language: 'CN' | 'EN'
  readonly token: string
}

/** Stores what was made and who gets it, in one transaction. False: another server has it by now, and nothing is written. */
export async function storeRun(
  { general }: Database,
  run: LeasedRun,
  made: { readonly files: readonly RunFile[]; readonly recipients: readonly RunRecipient[]; readonly known: number | null },
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const now = new Date(run.now)
    const own = await leased(trx, run)
      .set({ state: 'made', lease_until: null, look_at: null, made_at: now, known: made.known })
      .returning('run_id')
      .executeTakeFirst()
    if (!own) return false
    const of = { run_id: run.run_id, project_id: run.project_id }
    for (const { fileName: file_name, ...file } of made.files)
      await trx
        .insertInto('report_file')
        .values({ ...of, ...file, file_name })
        .execute()
    for (const { recipientId: recipient_id, ...to } of made.recipients)
      await trx
        .insertInto('report_delivery')
        .values({ ...of, ...to, recipient_id, next_at: now })
        // Two recipients may have come to one address.
        .onConflict((oc) => oc.doNothing())
        .execute()
    return true
  })
}

/** Runs of a project, or of one schedule of it, the newest first. */
export async function listRuns(
  db: Db,
  { projectId, scheduleId, page, size }: { projectId: number; scheduleId: number | null; page: number; size: number },
) {
  const of = db
    .selectFrom('report_run')
    .innerJoin('report_schedule', 'report_schedule.schedule_id', 'report_run.schedule_id')
    .where('report_run.project_id', '=', projectId)
    .$if(scheduleId !== null, (qb) => qb.where('report_run.schedule_id', '=', scheduleId ?? 0))
  const { total } = await of.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const rows = await of
    .selectAll('report_run')
    .select(['report_schedule.name', 'report_schedule.kind'])
    .orderBy('due_at', 'desc')
    .orderBy('run_id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { rows, total: Number(total) }
}

/** What was sent is kept no longer than until every delivery of its run is over. */
export async function purgeReportFiles({ general }: Pick<Database, 'general'>): Promise<void> {
  await sql`delete from report_file using report_run
    where report_file.run_id = report_run.run_id and report_run.state <> 'made'`.execute(general)
}
