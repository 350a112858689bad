import type { RunState } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import { containsText } from '../core/tenant.ts'
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

/** Of what entries are asked for; what is left out asks for all. Times Unix ms. */
export interface LinkageLogStretch {
  readonly projectIds?: readonly number[] | undefined
  /** Of a linkage that names one of these lines. */
  readonly lineIds?: readonly number[] | undefined
  readonly linkageId?: number | undefined
  /** Part of the name that it had then. */
  readonly name?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface LinkageLogFilter extends LinkageLogStretch {
  readonly executionId?: string | undefined
  readonly states?: readonly RunState[] | undefined
  /** Only in shadow mode, or not in shadow mode. */
  readonly shadow?: boolean | undefined
  readonly why?: string | undefined
  /** What ran. */
  readonly ran: boolean
  /** What did not run. */
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

/** What ran in a stretch, under the row policies. */
const runsIn = (db: Kysely<Schema>, { projectIds, lineIds, linkageId, name, from, to }: LinkageLogStretch) =>
  db
    .selectFrom('automation_run')
    .where('source', '=', 'linkage')
    .$if(projectIds !== undefined, (qb) => qb.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::int[])`))
    .$if(lineIds !== undefined, (qb) => qb.where(sql<boolean>`source_id in (${linkagesWith(lineIds ?? [])})`))
    .$if(linkageId !== undefined, (qb) => qb.where('source_id', '=', linkageId ?? 0))
    .$if(name !== undefined, (qb) => qb.where(containsText('name', name)))
    .$if(from !== undefined, (qb) => qb.where('claimed_at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (qb) => qb.where('claimed_at', '<', new Date(to ?? 0)))

/** What nearly ran in a stretch, under the row policies. */
const nearIn = (db: Kysely<Schema>, { projectIds, lineIds, linkageId, name, from, to }: LinkageLogStretch) =>
  db
    .selectFrom('linkage_near')
    .$if(projectIds !== undefined, (qb) => qb.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::int[])`))
    .$if(lineIds !== undefined, (qb) => qb.where(sql<boolean>`linkage_id in (${linkagesWith(lineIds ?? [])})`))
    .$if(linkageId !== undefined, (qb) => qb.where('linkage_id', '=', linkageId ?? 0))
    .$if(name !== undefined, (qb) => qb.where(containsText('name', name)))
    .$if(from !== undefined, (qb) => qb.where('at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (qb) => qb.where('at', '<', new Date(to ?? 0)))

const linkagesWith = (lineIds: readonly number[]) => sql`
  select linkage_id from linkage_condition where line_id = any(${[...lineIds]}::int[])
  union select linkage_id from linkage_action where line_id = any(${[...lineIds]}::int[])`

/** A page of what linkages did, newest first, and how many there are; for reading as somebody, under the row policies. */
export async function linkageLogPage(
  db: Kysely<Schema>,
  filter: LinkageLogFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly LinkageLogRow[]; readonly total: number }> {
  const { executionId, states, shadow, why, ran, near } = filter
  const runs = runsIn(db, filter)
    .where(sql<boolean>`${ran}::boolean`)
    .$if(executionId !== undefined, (qb) => qb.where('run_id', '=', executionId ?? ''))
    .$if(states !== undefined, (qb) => qb.where('state', 'in', [...(states ?? [])]))
    .$if(shadow !== undefined, (qb) => qb.where(sql<boolean>`(why is not distinct from 'shadow') = ${shadow}`))
    .$if(why !== undefined, (qb) => qb.where('why', '=', why ?? ''))
    .select(['run_id', 'source_id as linkage_id', 'project_id', 'name', 'claimed_at as at', 'ended_at'])
    .select(['state', 'why', 'actor', 'cause', 'parent_run_id', 'trace'])
  const nearly = nearIn(db, filter)
    .$if(why !== undefined, (qb) => qb.where('why', '=', why ?? ''))
    .select([
      sql<string>`null::uuid`.as('run_id'),
      'linkage_id',
      'project_id',
      'name',
      'at',
      sql<Date>`null::timestamptz`.as('ended_at'),
    ])
    .select([sql<RunState>`null::text`.as('state'), 'why', sql<string>`null::text`.as('actor')])
    .select([sql<string[]>`null::uuid[]`.as('cause'), sql<string>`null::uuid`.as('parent_run_id'), 'trace'])
  // What did not run has neither an id nor an outcome.
  const isNearToo = near && executionId === undefined && states === undefined
  // Each kind gives no more than this page may need: both have an index of their times.
  const first = sql`order by at desc, run_id, linkage_id, why limit ${page * size}`
  const all = isNearToo
    ? sql`(select * from (${runs}) as ran ${first}) union all (select * from (${nearly}) as near ${first})`
    : sql`${runs}`
  const { rows } = await sql<Row>`select * from (${all}) as entries order by at desc, run_id, linkage_id, why
    limit ${size} offset ${(page - 1) * size}`.execute(db)
  const counted = await sql<{ count: number }>`
    select (select count(*) from (${runs.clearSelect().select('run_id')}) as ran)::int
      + (select count(*) from (${nearly.clearSelect().select('why')}) as near where ${isNearToo})::int as count`.execute(db)
  return { rows: rows.map(rowOf), total: counted.rows[0]?.count ?? 0 }
}

/** How much of what is in a stretch, whatever its outcome; for reading as somebody, under the row policies. */
export async function linkageLogCounts(db: Kysely<Schema>, stretch: LinkageLogStretch) {
  const isShadow = sql<boolean>`why is not distinct from 'shadow'`
  const states = await runsIn(db, stretch)
    .select(['state', isShadow.as('shadow'), sql<number>`count(*)::int`.as('count')])
    .groupBy(['state', isShadow])
    .execute()
  const near = await nearIn(db, stretch)
    .select(['why', sql<number>`count(*)::int`.as('count')])
    .groupBy('why')
    .orderBy('count', 'desc')
    .orderBy('why')
    .execute()
  return { states, near }
}

/** Of these runs, what they were called and when; for reading as somebody, under the row policies. */
export async function namedRuns(
  db: Kysely<Schema>,
  executionIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly name: string; readonly at: number }>> {
  const rows = await db
    .selectFrom('automation_run')
    .select(['run_id', 'name', 'claimed_at'])
    .where(sql<boolean>`run_id = any(${[...executionIds]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ run_id, name, claimed_at }) => [run_id, { name, at: claimed_at.getTime() }]))
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
