import type { RunState } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { StoredExecution } from './execution.ts'
import { executionOf } from './execution.ts'

/** A run of a linkage, or how one nearly ran. */
export interface LinkageLogRow {
  /** Null: it did not run. */
  readonly executionId: string | null
  readonly linkageId: number
  readonly projectId: number
  readonly name: string
  readonly at: number
  readonly endedAt: number | null
  readonly state: RunState | null
  readonly why: string | null
  readonly actor: string | null
  readonly cause: readonly string[]
  readonly parentId: string | null
  readonly trace: Readonly<Record<string, unknown>>
}

export interface LinkageLogFilter {
  /** Null: of all. */
  readonly projectId: number | null
  readonly linkageId: number | null
  readonly executionId: string | null
  readonly state: RunState | null
  readonly name: string | null
  readonly from: number | null
  readonly to: number | null
  /** Also what did not run. */
  readonly near: boolean
}

interface Row {
  readonly run_id: string | null
  readonly linkage_id: number
  readonly project_id: number
  readonly name: string
  readonly at: Date
  readonly ended_at: Date | null
  readonly state: RunState | null
  readonly why: string | null
  readonly actor: string | null
  readonly cause: string[] | null
  readonly parent_run_id: string | null
  readonly trace: Readonly<Record<string, unknown>>
}

/** A page of what linkages did, newest first, and how many there are; for reading as somebody, under the row policies. */
export async function linkageLogPage(
  db: Kysely<Schema>,
  { projectId, linkageId, executionId, state, name, from, to, near }: LinkageLogFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly LinkageLogRow[]; readonly total: number }> {
  const within = (at: string, id: string) => sql`
    (${projectId}::int is null or project_id = ${projectId}) and (${linkageId}::int is null or ${sql.ref(id)} = ${linkageId})
    and (${name}::text is null or position(lower(${name}) in lower(name)) > 0)
    and (${from === null ? null : new Date(from)}::timestamptz is null or ${sql.ref(at)} >= ${from === null ? null : new Date(from)})
    and (${to === null ? null : new Date(to)}::timestamptz is null or ${sql.ref(at)} < ${to === null ? null : new Date(to)})`
  const runs = sql`select run_id, source_id as linkage_id, project_id, name, claimed_at as at, ended_at, state, why, actor, cause, parent_run_id, trace
    from automation_run where source = 'linkage' and ${within('claimed_at', 'source_id')}
      and (${executionId}::uuid is null or run_id = ${executionId}) and (${state}::text is null or state = ${state})`
  const nearly = sql`select null::uuid, linkage_id, project_id, name, at, null::timestamptz, null::text, why, null::text, null::uuid[], null::uuid, trace
    from linkage_near where ${within('at', 'linkage_id')}`
  const all = near && executionId === null && state === null ? sql`${runs} union all ${nearly}` : runs
  const { rows } = await sql<Row>`select * from (${all}) as entries order by at desc, run_id, linkage_id, why
    limit ${size} offset ${(page - 1) * size}`.execute(db)
  const counted = await sql<{ count: number }>`select count(*)::int as count from (${all}) as entries`.execute(db)
  return { rows: rows.map(rowOf), total: counted.rows[0]?.count ?? 0 }
}

const rowOf = (row: Row): LinkageLogRow => ({
  ...{ executionId: row.run_id, linkageId: row.linkage_id, projectId: row.project_id, name: row.name },
  ...{ at: row.at.getTime(), endedAt: row.ended_at?.getTime() ?? null, state: row.state, why: row.why, actor: row.actor },
  ...{ cause: row.cause ?? [], parentId: row.parent_run_id, trace: row.trace },
})

/** The newest run of each of these linkages. */
export async function lastLinkageRuns(
  db: Kysely<Schema>,
  linkageIds: readonly number[],
): Promise<ReadonlyMap<number, StoredExecution>> {
  if (linkageIds.length === 0) return new Map()
  const { rows } = await sql<{ run_id: string }>`
    select newest.run_id from unnest(${[...linkageIds]}::int[]) as asked (id), lateral (
      select run_id from automation_run where source = 'linkage' and source_id = asked.id order by claimed_at desc limit 1) newest`.execute(
    db,
  )
  const found = await db
    .selectFrom('automation_run')
    .selectAll()
    .where(sql<boolean>`run_id = any(${rows.map(({ run_id }) => run_id)}::uuid[])`)
    .execute()
  return new Map(found.map((row) => [row.source_id, executionOf(row)]))
}
