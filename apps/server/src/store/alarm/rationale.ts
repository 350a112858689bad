import { about } from '@linewarden/contract'
import type { RationaleTexts, WrittenRationale } from '@linewarden/rules/alarm'
import type { Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { changesOfVersioned, changeVersioned } from '../audit/versioned.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

type Row = Selectable<Schema['alarm_rationale']>
type RationaleChangeRow = Selectable<Schema['alarm_rationale_change']>

const kept = { table: 'alarm_rationale', changes: 'alarm_rationale_change', id: 'rationale_id' } as const

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
  { key, projectId, ownerId, after, restored, ...change }: RationaleWriting,
  audit: AuditEntry,
): Promise<KeptRationale | 'changed'> {
  const texts = JSON.stringify(after ?? {})
  // What was written stays with one that is given up.
  const values = restored && change.version > 0 ? {} : { texts }
  const written = { ...change, after, restored, values, at: columnsOf({ key, projectId, ownerId }) }
  const row = await changeVersioned<Row>(database, kept, written, audit, ({ rationale_id }) => about('rationale', rationale_id))
  return row === 'changed' ? row : rationaleOf(row)
}

/** A page of what was changed of an alarm at a place, the newest first, and how much that is. */
export const changesOfRationale = (
  database: Pick<Database, 'general'>,
  place: RationalePlace & { readonly key: string },
  page: { readonly page: number; readonly size: number },
) => changesOfVersioned<RationaleChangeRow>(database, kept, columnsOf(place), page)

const columnsOf = ({ key, projectId, ownerId }: RationalePlace & { readonly key: string }) => ({
  ...{ key, project_id: projectId, owner_id: ownerId },
})

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
