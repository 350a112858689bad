import { about } from '@linewarden/contract'
import type { RationaleTexts, WrittenRationale } from '@linewarden/rules/alarm'
import type { Kysely, Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit, turnAtLog } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

type Row = Selectable<Schema['alarm_rationale']>
export type RationaleChangeRow = Selectable<Schema['alarm_rationale_change']>

/** Where something is written: for a project, or as the default of an owner (null: the installation's own). */
export interface RationalePlace {
  readonly projectId: number | null
  readonly ownerId: string | null
}

/** What somebody wrote of an alarm, and whether it is still in force there. */
export interface KeptRationale extends WrittenRationale {
  readonly rationaleId: number
  readonly version: number
  readonly inForce: boolean
  readonly changedAt: number
  readonly changedBy: string
}

/** What was written for a project and as the default of its owner; of one alarm, or of all. */
export async function keptRationalesAt(
  { general }: Pick<Database, 'general'>,
  { projectId, ownerId }: RationalePlace,
  key: string | null = null,
): Promise<KeptRationale[]> {
  const rows = await general
    .selectFrom('alarm_rationale')
    .selectAll()
    .where((is) =>
      is.or([
        is.and([is('project_id', 'is', null), is('owner_id', 'is not distinct from', ownerId)]),
        ...(projectId === null ? [] : [is('project_id', '=', projectId)]),
      ]),
    )
    .$if(key !== null, (all) => all.where('key', '=', key))
    .execute()
  return rows.map(rationaleOf)
}

/** What was written for some projects and as the default of some owners, all that is in force. */
export async function rationalesInForce({ general }: Pick<Database, 'general'>): Promise<KeptRationale[]> {
  return (await general.selectFrom('alarm_rationale').selectAll().where('in_force', '=', true).execute()).map(rationaleOf)
}

export interface RationaleWriting extends RationalePlace {
  readonly key: string
  /** As the caller read it; 0: nobody had written there. */
  readonly version: number
  readonly before: RationaleTexts | null
  /** What is in force from now on; null: nothing. */
  readonly after: RationaleTexts | null
  /** It is given up for the level above. */
  readonly restored: boolean
  readonly reason: string
}

/** Writes, with its entry in the log and in its own history. `changed`: somebody else did in between. */
export async function changeRationale(
  database: Database,
  change: RationaleWriting,
  audit: AuditEntry,
): Promise<KeptRationale | 'changed'> {
  const { key, projectId, ownerId, before, after, restored, reason } = change
  return database.general.transaction().execute(async (trx) => {
    await turnAtLog(trx)
    const found = await rationaleAt(trx, change)
    if ((found?.version ?? 0) !== change.version) return 'changed'
    const values = {
      in_force: !restored,
      version: change.version + 1,
      changed_at: new Date(audit.at),
      changed_by: audit.actor,
      ...(restored ? {} : { texts: JSON.stringify(after) }),
    }
    const row = found
      ? await trx
          .updateTable('alarm_rationale')
          .set(values)
          .where('rationale_id', '=', found.rationale_id)
          .returningAll()
          .executeTakeFirstOrThrow()
      : await trx
          .insertInto('alarm_rationale')
          .values({ ...values, texts: JSON.stringify(after ?? {}), key, project_id: projectId, owner_id: ownerId })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
    if (!row) return 'changed'
    await trx
      .insertInto('alarm_rationale_change')
      .values({
        ...{ rationale_id: row.rationale_id, version: row.version, at: values.changed_at, actor: audit.actor, reason, restored },
        ...{ before: before && JSON.stringify(before), after: after && JSON.stringify(after) },
      })
      .execute()
    await appendAudit(trx, { ...audit, subject: about('rationale', row.rationale_id), before, after })
    return rationaleOf(row)
  })
}

const rationaleAt = (
  trx: Kysely<Schema>,
  { key, projectId, ownerId }: RationalePlace & { readonly key: string },
): Promise<Row | undefined> =>
  trx
    .selectFrom('alarm_rationale')
    .selectAll()
    .where('key', '=', key)
    .where('project_id', 'is not distinct from', projectId)
    .where('owner_id', 'is not distinct from', ownerId)
    .forUpdate()
    .executeTakeFirst()

/** A page of what was changed of an alarm at a place, the newest first, and how much that is. */
export async function changesOfRationale(
  { general }: Pick<Database, 'general'>,
  { key, projectId, ownerId }: RationalePlace & { readonly key: string },
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly RationaleChangeRow[]; readonly total: number }> {
  const all = general
    .selectFrom('alarm_rationale_change')
    .innerJoin('alarm_rationale', 'alarm_rationale.rationale_id', 'alarm_rationale_change.rationale_id')
    .where('key', '=', key)
    .where('project_id', 'is not distinct from', projectId)
    .where('owner_id', 'is not distinct from', ownerId)
  const rows = await all
    .selectAll('alarm_rationale_change')
    .orderBy('alarm_rationale_change.version', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await all.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** By their numbers, for the log. */
export async function rationalesById({ general }: Database, ids: readonly number[]): Promise<KeptRationale[]> {
  const rows = await general
    .selectFrom('alarm_rationale')
    .selectAll()
    .where('rationale_id', 'in', [...ids, 0])
    .execute()
  return rows.map(rationaleOf)
}

const rationaleOf = (row: Row): KeptRationale => ({
  rationaleId: row.rationale_id,
  projectId: row.project_id,
  ownerId: row.owner_id,
  key: row.key,
  texts: row.texts,
  version: row.version,
  inForce: row.in_force,
  changedAt: row.changed_at.getTime(),
  changedBy: row.changed_by,
})
