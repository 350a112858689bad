import type { Insertable, Kysely, Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>

export type ScheduleRow = Selectable<Schema['report_schedule']>
export type RecipientRow = Omit<Selectable<Schema['report_recipient']>, 'token'>

const recipientColumns = [
  ...(['recipient_id', 'schedule_id', 'project_id', 'account_id', 'address', 'language'] as const),
  ...(['asked_at', 'agreed_at', 'left_at', 'removed_at'] as const),
] as const

/** The scheduled reports of a project. */
export const schedulesOf = (db: Db, projectId: number): Promise<ScheduleRow[]> =>
  schedules(db).where('project_id', '=', projectId).orderBy('schedule_id').execute()

export const findSchedule = (db: Db, scheduleId: number): Promise<ScheduleRow | undefined> =>
  schedules(db).where('schedule_id', '=', scheduleId).executeTakeFirst()

const schedules = (db: Db) => db.selectFrom('report_schedule').selectAll().where('removed_at', 'is', null)

/** Who gets these. */
export async function recipientsOf(db: Db, scheduleIds: readonly number[]): Promise<RecipientRow[]> {
  if (scheduleIds.length === 0) return []
  return db
    .selectFrom('report_recipient')
    .select(recipientColumns)
    .where('schedule_id', 'in', [...scheduleIds])
    .where('removed_at', 'is', null)
    .orderBy('recipient_id')
    .execute()
}

/** Who gets one, with what leads them out of it again. */
export const recipientsWithTokens = (db: Db, scheduleId: number): Promise<Selectable<Schema['report_recipient']>[]> =>
  db
    .selectFrom('report_recipient')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('removed_at', 'is', null)
    .orderBy('recipient_id')
    .execute()

export type ScheduleColumns = Omit<Insertable<Schema['report_schedule']>, 'schedule_id' | 'project_id' | 'version' | 'removed_at'>

export interface WantedRecipient {
  readonly accountId: string | null
  readonly address: string | null
  readonly language: 'CN' | 'EN'
  readonly token: string
}

interface Save {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  /** Null: a new one. */
  readonly scheduleId: number | null
  readonly version: number
  readonly most: number
  readonly columns: ScheduleColumns
  readonly recipients: readonly WantedRecipient[]
  readonly now: number
}

/** Writes one over the version that its editor saw, or a new one. Whoever was a recipient and is one still keeps what they agreed to. */
export async function saveSchedule(
  { general }: Database,
  { projectId, owner, scheduleId, version, most, columns, recipients, now }: Save,
  audit: (before: ScheduleRow | null) => AuditEntry,
): Promise<ScheduleRow | 'noProject' | 'changed' | 'gone' | 'many'> {
  return general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const rows = await schedulesOf(trx, projectId)
    const before = rows.find((row) => row.schedule_id === scheduleId) ?? null
    if (scheduleId !== null && !before) return 'gone'
    if (before && before.version !== version) return 'changed'
    if (!before && rows.length >= most) return 'many'
    const saved = before
      ? await trx
          .updateTable('report_schedule')
          .set({ ...columns, version: before.version + 1 })
          .where('schedule_id', '=', before.schedule_id)
          .returningAll()
          .executeTakeFirstOrThrow()
      : await trx
          .insertInto('report_schedule')
          .values({ ...columns, project_id: projectId })
          .returningAll()
          .executeTakeFirstOrThrow()
    await saveRecipients(trx, saved, recipients, now)
    await appendAudit(trx, audit(before))
    return saved
  })
}

const same = (one: Pick<WantedRecipient, 'accountId' | 'address'>, other: RecipientRow): boolean =>
  one.accountId === other.account_id && (one.address ?? '').toLowerCase() === (other.address ?? '').toLowerCase()

async function saveRecipients(
  trx: Db,
  { schedule_id, project_id }: ScheduleRow,
  wanted: readonly WantedRecipient[],
  now: number,
) {
  const before = await recipientsOf(trx, [schedule_id])
  const gone = before.filter((row) => !wanted.some((each) => same(each, row))).map(({ recipient_id }) => recipient_id)
  if (gone.length > 0)
    await trx
      .updateTable('report_recipient')
      .set({ removed_at: new Date(now) })
      .where('recipient_id', 'in', gone)
      .execute()
  for (const each of wanted) {
    const own = before.find((row) => same(each, row))
    const { accountId: account_id, address, language, token } = each
    if (own) await trx.updateTable('report_recipient').set({ language }).where('recipient_id', '=', own.recipient_id).execute()
    else
      await trx.insertInto('report_recipient').values({ schedule_id, project_id, account_id, address, language, token }).execute()
  }
}

/** Stands in place of the mail server's answer. */
const notSent = '—'

/** Takes one out. What of it waits is not sent any more. */
export async function removeSchedule(
  { general }: Database,
  { scheduleId, version, now }: { readonly scheduleId: number; readonly version: number; readonly now: number },
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const removed = await trx
      .updateTable('report_schedule')
      .set({ removed_at: new Date(now), next_at: null, enabled: false, version: version + 1 })
      .where('schedule_id', '=', scheduleId)
      .where('version', '=', version)
      .where('removed_at', 'is', null)
      .returning('schedule_id')
      .executeTakeFirst()
    if (!removed) return false
    await trx
      .updateTable('report_run')
      .set({ state: 'missed', look_at: null, lease_until: null })
      .where('schedule_id', '=', scheduleId)
      .where('state', '=', 'waiting')
      .execute()
    const runs = trx.selectFrom('report_run').select('run_id').where('schedule_id', '=', scheduleId)
    await trx
      .updateTable('report_delivery')
      .set({ state: 'refused', next_at: null, answer: notSent })
      .where('state', '=', 'queued')
      .where('run_id', 'in', runs)
      .execute()
    await appendAudit(trx, audit)
    return true
  })
}

/** A recipient by what stands in their link; null: there is none, or it was taken out. */
export async function recipientOfToken(db: Db, token: string) {
  const row = await db
    .selectFrom('report_recipient')
    .innerJoin('report_schedule', 'report_schedule.schedule_id', 'report_recipient.schedule_id')
    .innerJoin('project', 'project.project_id', 'report_recipient.project_id')
    .select([
      'recipient_id',
      'report_recipient.address',
      'account_id',
      'language',
      'agreed_at',
      'left_at',
      'project.owner_id',
      'project.project_id',
    ])
    .select(['report_schedule.name as schedule', 'project.name as project'])
    .where('token', '=', token)
    .where('report_recipient.removed_at', 'is', null)
    .where('report_schedule.removed_at', 'is', null)
    .where('project.removed_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** They agree, or leave; the second time nothing more is written. */
export async function markRecipient(
  { general }: Database,
  recipientId: number,
  act: 'agree' | 'leave',
  now: number,
  audit: AuditEntry,
): Promise<void> {
  const at = new Date(now)
  await general.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('report_recipient')
      .set(act === 'agree' ? { agreed_at: at, left_at: null } : { left_at: at })
      .where('recipient_id', '=', recipientId)
      .$if(act === 'agree', (qb) => qb.where(({ or, eb }) => or([eb('agreed_at', 'is', null), eb('left_at', 'is not', null)])))
      .$if(act === 'leave', (qb) => qb.where('left_at', 'is', null))
      .returning('recipient_id')
      .executeTakeFirst()
    if (!changed) return
    if (act === 'leave')
      await trx
        .updateTable('report_delivery')
        .set({ state: 'refused', next_at: null, answer: notSent })
        .where('state', '=', 'queued')
        .where('recipient_id', '=', recipientId)
        .execute()
    await appendAudit(trx, audit)
  })
}

/** Notes that an address is being asked to agree; false: that was done less than `everyMs` ago, whoever asked. */
export async function noteAsked({ general }: Database, recipientId: number, now: number, everyMs: number): Promise<boolean> {
  const noted = await general
    .updateTable('report_recipient')
    .set({ asked_at: new Date(now) })
    .where('recipient_id', '=', recipientId)
    .where(({ or, eb }) => or([eb('asked_at', 'is', null), eb('asked_at', '<=', new Date(now - everyMs))]))
    .returning('recipient_id')
    .executeTakeFirst()
  return noted !== undefined
}
