import type { RegisterRead } from '@linewarden/rules/energy'
import { quarterMs } from '@linewarden/rules/energy'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>

/** A register that somebody read off. */
export interface StoredHandReading {
  readonly value_id: number
  readonly line_id: number
  /** Unix ms. */
  readonly at: number
  readonly kwh: number
  readonly reason: string
  readonly typed_name: string
  readonly typed_at: Date
  readonly undone_name: string | null
  readonly undone_at: Date | null
}

const select = sql`
  select value_id, line_id, (extract(epoch from at) * 1000)::float8 as at, kwh, reason, typed_name, typed_at, undone_name, undone_at
  from register_value`

/** Of these lines, the latest entered first. */
export async function handReadingsOf(db: Db, lineIds: readonly number[], most: number): Promise<readonly StoredHandReading[]> {
  const { rows } = await sql<StoredHandReading>`
    ${select} where line_id = any (${[...lineIds]}::int[]) order by value_id desc limit ${most}`.execute(db)
  return rows
}

async function handReading(db: Db, valueId: number): Promise<StoredHandReading | undefined> {
  const { rows } = await sql<StoredHandReading>`${select} where value_id = ${valueId}`.execute(db)
  return rows[0]
}

/** Which line one is of; undefined: there is none. */
export const lineOfHandReading = async (db: Db, valueId: number): Promise<number | undefined> =>
  (await handReading(db, valueId))?.line_id

interface InProject {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  readonly name: string
  readonly at: number
}

/** Stores one, and notes the quarters around it. */
export const addHandReading = (
  { general }: Database,
  { projectId, owner, name, at }: InProject,
  { lineId, read, reason }: { readonly lineId: number; readonly read: RegisterRead; readonly reason: string },
  most: number,
  audit: AuditEntry,
): Promise<StoredHandReading | 'noProject' | 'many' | 'there'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::int as count from register_value join line using (line_id) join device using (device_id) join gateway using (gateway_id)
      where project_id = ${projectId} and undone_at is null`.execute(trx)
    if ((counted[0]?.count ?? 0) >= most) return 'many'
    const { rows } = await sql<{ value_id: number }>`
      insert into register_value (line_id, at, kwh, reason, typed_name, typed_at)
      values (${lineId}, ${new Date(read.at)}, ${read.kwh}, ${reason}, ${name}, ${new Date(at)}) on conflict do nothing returning value_id`.execute(
      trx,
    )
    const [added] = rows
    if (!added) return 'there'
    await note(trx, lineId, { from: read.at - quarterMs, to: read.at + quarterMs }, null)
    await appendAudit(trx, audit)
    return (await handReading(trx, added.value_id)) ?? 'noProject'
  })

/** Undoes one: what was made of it, up to the readings before and after it, is made anew. */
export const endHandReading = (
  { general }: Database,
  { projectId, owner, name, at }: InProject,
  valueId: number,
  audit: (before: StoredHandReading) => AuditEntry,
): Promise<StoredHandReading | 'noProject' | 'gone' | 'changed'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const before = await handReading(trx, valueId)
    if (!before) return 'gone'
    if (before.undone_at !== null) return 'changed'
    await sql`update register_value set undone_at = ${new Date(at)}, undone_name = ${name} where value_id = ${valueId}`.execute(
      trx,
    )
    await note(trx, before.line_id, await stretchAround(trx, before), 1)
    await appendAudit(trx, audit(before))
    return (await handReading(trx, valueId)) ?? 'gone'
  })

/** From the reading before it to the one after it, on quarters. */
async function stretchAround(trx: Db, { line_id, at }: StoredHandReading) {
  const near = sql`interval '400 days'`
  const [instant, ms] = [new Date(at), (column: string) => sql`(extract(epoch from ${sql.raw(column)}) * 1000)::float8`]
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select ${ms('first')} as first, ${ms('last')} as last from (
      select greatest(
          (select at from reading where line_id = ${line_id} and counter is not null and at < ${instant} and at > ${instant}::timestamptz - ${near} order by at desc limit 1),
          (select max(at) from register_value where line_id = ${line_id} and undone_at is null and at < ${instant})
        ) as first,
        least(
          (select at from reading where line_id = ${line_id} and counter is not null and at > ${instant} and at < ${instant}::timestamptz + ${near} order by at limit 1),
          (select min(at) from register_value where line_id = ${line_id} and undone_at is null and at > ${instant})
        ) as last
    ) as around`.execute(trx)
  const { first = null, last = null } = rows[0] ?? {}
  return {
    from: Math.floor((first ?? at - quarterMs) / quarterMs) * quarterMs,
    to: Math.ceil((last ?? at + quarterMs) / quarterMs) * quarterMs,
  }
}

const note = (trx: Db, lineId: number, { from, to }: { readonly from: number; readonly to: number }, factor: 1 | null) =>
  sql`insert into energy_due (line_id, starts, ends, factor) values (${lineId}, ${new Date(from)}, ${new Date(to)}, ${factor})`.execute(
    trx,
  )
