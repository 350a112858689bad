import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { AuditEntry, Subject } from './append.ts'
import { appendAudit, turnAtLog } from './append.ts'

type Column = string | number | boolean | Date | null | readonly string[] | readonly number[]
type Columns = Readonly<Record<string, Column>>

/**
 * A record of which there is one a place, with a version that each change counts up, and a table of its changes. A record is never taken away:
 * one that was given up stays with its version (`in_force` false).
 */
export interface Versioned {
  readonly table: keyof Schema
  readonly changes: keyof Schema
  /** Its number, in both tables. */
  readonly id: string
}

export interface VersionedChange {
  /** By which columns it is found, each by its value. */
  readonly at: Columns
  /** As the caller read it; 0: there was none. */
  readonly version: number
  /** What of it is written; left out of one that is given up: as it was. */
  readonly values: Columns
  /** It is given up. */
  readonly restored: boolean
  readonly reason: string
  /** As the history and the log have it. */
  readonly before: object | null
  readonly after: object | null
}

interface Known {
  readonly version: number
  readonly changed_at: Date
}

/** Writes a record, with its entry in the log and in its own history. `changed`: somebody else did in between. */
export async function changeVersioned<Row extends Known>(
  database: Pick<Database, 'general'>,
  { table, changes, id }: Versioned,
  { at, version, values, restored, reason, before, after }: VersionedChange,
  audit: AuditEntry,
  subjectOf: (row: Row) => Subject,
): Promise<Row | 'changed'> {
  return database.general.transaction().execute(async (trx) => {
    // One after the other, whoever writes: nobody else's change lies between what is found and what is written.
    await turnAtLog(trx)
    const found = await sql<Row>`select * from ${sql.table(table)} where ${isAt(at)} for update`.execute(trx)
    const known = found.rows[0]
    if ((known?.version ?? 0) !== version) return 'changed'
    const written = {
      ...values,
      ...{ in_force: !restored, version: version + 1, changed_at: new Date(audit.at), changed_by: audit.actor },
    }
    const [row] = known ? await update<Row>(trx, table, at, written) : await insert<Row>(trx, table, { ...at, ...written })
    if (!row) return 'changed'
    const numbered = row as unknown as Readonly<Record<string, number>>
    await sql`insert into ${sql.table(changes)} (${sql.ref(id)}, version, at, actor, reason, restored, before, after)
      values (${numbered[id]}, ${row.version}, ${row.changed_at}, ${audit.actor}, ${reason}, ${restored}, ${jsonOf(before)},
        ${jsonOf(after)})`.execute(trx)
    await appendAudit(trx, { ...audit, subject: subjectOf(row), before, after })
    return row
  })
}

/** A page of what was changed of a record, the newest first, and how much that is. */
export async function changesOfVersioned<Change>(
  { general }: Pick<Database, 'general'>,
  { table, changes, id }: Versioned,
  at: Columns,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly Change[]; readonly total: number }> {
  const all = sql`from ${sql.table(changes)} as change where ${sql.ref(id)} in (select ${sql.ref(id)} from ${sql.table(table)} where ${isAt(at)})`
  const { rows } = await sql<Change>`
    select change.* ${all} order by version desc limit ${size} offset ${(page - 1) * size}`.execute(general)
  const counted = await sql<{ total: number }>`select count(*)::int as total ${all}`.execute(general)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

const isAt = (at: Columns): RawBuilder<boolean> =>
  sql.join(
    Object.entries(at).map(([column, value]) => sql`${sql.ref(column)} is not distinct from ${value}`),
    sql` and `,
  )

async function update<Row>(trx: Kysely<Schema>, table: keyof Schema, at: Columns, values: Columns): Promise<readonly Row[]> {
  const set = sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
  return (await sql<Row>`update ${sql.table(table)} set ${set} where ${isAt(at)} returning *`.execute(trx)).rows
}

async function insert<Row>(trx: Kysely<Schema>, table: keyof Schema, values: Columns): Promise<readonly Row[]> {
  const columns = sql.join(Object.keys(values).map((column) => sql.ref(column)))
  const inserted = sql<Row>`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(values))})
    on conflict do nothing returning *`
  return (await inserted.execute(trx)).rows
}

const jsonOf = (value: object | null): string | null => value && JSON.stringify(value)
