import type { HealthBand, HealthCategory } from '@linewarden/rules/health'
import { bandFrom, healthCeiling } from '@linewarden/rules/health'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { containsText } from '../core/tenant.ts'
import type { StoredLineExam } from './schema.ts'

export type HealthCheckRow = Selectable<Schema['health_check']>

export const healthCheckById = ({ general }: Pick<Database, 'general'>, testId: number): Promise<HealthCheckRow | undefined> =>
  general.selectFrom('health_check').selectAll().where('test_id', '=', testId).executeTakeFirst()

/** Checks of a project, or of one of its gateways, the newest first, and how many there are. */
export async function listHealthChecks(
  { general }: Database,
  of: { readonly projectId: number; readonly gatewayId: number | null; readonly state: HealthCheckRow['state'] | null },
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly HealthCheckRow[]; readonly total: number }> {
  const matching = general
    .selectFrom('health_check')
    .where('project_id', '=', of.projectId)
    .where(sql<boolean>`gateway_id is not distinct from ${of.gatewayId}`)
    .where('line_id', 'is', null)
    .$if(of.state !== null, (query) => query.where(sql<boolean>`state = ${of.state}`))
  const rows = await matching
    .selectAll()
    .orderBy('test_id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** What was found on a line, beside what the check before found. */
export interface HealthLineRow extends Selectable<Schema['health_check_line']> {
  readonly before_score: number | null
  readonly before_found: StoredLineExam | null
}

export interface HealthLineFilter {
  readonly testId: number
  readonly beforeId: number | null
  readonly band: HealthBand | 'none' | null
  readonly category: HealthCategory | null
  readonly text: string
}

const bandRange: Readonly<Record<HealthBand, readonly [from: number, to: number]>> = {
  good: [bandFrom.good, 100],
  fair: [bandFrom.fair, bandFrom.good - 1],
  poor: [bandFrom.poor, bandFrom.fair - 1],
  dangerous: [0, healthCeiling],
}

/** A page of its lines, the worst first, and how many match. */
export async function listHealthLines(
  database: Pick<Database, 'general'>,
  filter: HealthLineFilter,
  asked: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly HealthLineRow[]; readonly total: number }> {
  const rows = await healthLinesById(database, filter, await healthLineIds(database, filter, asked))
  const { total } = await matchingLines(database.general, filter)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

/** Which lines match, the worst first: all of them, or a page. */
export async function healthLineIds(
  { general }: Pick<Database, 'general'>,
  filter: HealthLineFilter,
  page: { readonly page: number; readonly size: number } | null,
): Promise<readonly number[]> {
  const rows = await matchingLines(general, filter)
    .select('l.line_id')
    .orderBy(sql`l.score nulls last`)
    .orderBy('l.coverage')
    .orderBy('l.line_id')
    .$if(page !== null, (query) => query.limit(page?.size ?? 0).offset(((page?.page ?? 1) - 1) * (page?.size ?? 0)))
    .execute()
  return rows.map(({ line_id }) => line_id)
}

/** These, in this order, beside what the check before found. */
export async function healthLinesById(
  { general }: Pick<Database, 'general'>,
  { testId, beforeId }: Pick<HealthLineFilter, 'testId' | 'beforeId'>,
  lineIds: readonly number[],
): Promise<readonly HealthLineRow[]> {
  if (lineIds.length === 0) return []
  const rows = await general
    .selectFrom('health_check_line as l')
    .leftJoin('health_check_line as b', (join) => join.onRef('b.line_id', '=', 'l.line_id').on('b.test_id', '=', beforeId ?? 0))
    .selectAll('l')
    .select(['b.score as before_score', 'b.found as before_found'])
    .where('l.test_id', '=', testId)
    .where(sql<boolean>`l.line_id = any(${[...lineIds]}::int[])`)
    .execute()
  const byId = new Map((rows as readonly HealthLineRow[]).map((row) => [row.line_id, row]))
  return lineIds.flatMap((id) => byId.get(id) ?? [])
}

function matchingLines(db: Kysely<Schema>, { testId, band, category, text }: HealthLineFilter) {
  const range = band === null || band === 'none' ? null : bandRange[band]
  return db
    .selectFrom('health_check_line as l')
    .where('l.test_id', '=', testId)
    .$if(band === 'none', (query) => query.where('l.score', 'is', null))
    .$if(range !== null, (query) => query.where(sql<boolean>`l.score between ${range?.[0]} and ${range?.[1]}`))
    .$if(category !== null, (query) => query.where(sql<boolean>`l.found -> 'items' @> ${JSON.stringify([{ category }])}::jsonb`))
    .$if(text.trim() !== '', (query) =>
      query.where(({ or }) => or([containsText('l.line_name', text), containsText('l.gateway_name', text)])),
    )
}

/** How the scores of lines moved since the check before. */
export interface HealthChanges {
  readonly worse: number
  readonly better: number
  readonly same: number
  readonly changes: readonly { readonly lineId: number; readonly name: string; readonly from: number; readonly to: number }[]
}

const maxChanges = 12

export async function changesSince({ general }: Database, testId: number, beforeId: number): Promise<HealthChanges> {
  const both = general
    .selectFrom('health_check_line as l')
    .innerJoin('health_check_line as b', (join) => join.onRef('b.line_id', '=', 'l.line_id').on('b.test_id', '=', beforeId))
    .where('l.test_id', '=', testId)
    .where('l.score', 'is not', null)
    .where('b.score', 'is not', null)
  const counted = await both
    .select([
      sql<number>`count(*) filter (where l.score < b.score)::int`.as('worse'),
      sql<number>`count(*) filter (where l.score > b.score)::int`.as('better'),
      sql<number>`count(*) filter (where l.score = b.score)::int`.as('same'),
    ])
    .executeTakeFirstOrThrow()
  const moved = await both
    .where(sql<boolean>`l.score <> b.score`)
    .select(['l.line_id as lineId', 'l.line_name as name', sql<number>`b.score`.as('from'), sql<number>`l.score`.as('to')])
    .orderBy(sql`abs(l.score - b.score)`, 'desc')
    .orderBy('l.line_id')
    .limit(maxChanges)
    .execute()
  return { ...counted, changes: moved.toSorted((a, b) => a.to - a.from - (b.to - b.from)) }
}

/** What of a check brings back most, once mended, each by itself; of one that an older server made it is not known. */
export async function dearestItems({ general }: Database, testId: number, most: number) {
  const { rows } = await sql<{ line_id: number; line_name: string; item: StoredLineExam['items'][number] }>`
    select line_id, line_name, item from health_check_line, jsonb_array_elements(found -> 'items') as item
    where test_id = ${testId} and score is not null and (item ->> 'gain')::int > 0
    order by (item ->> 'gain')::int desc, score, line_id limit ${most}`.execute(general)
  return rows
}

/** What checks are called, for the audit trail. */
export const healthCheckNames = ({ general }: Pick<Database, 'general'>, testIds: readonly number[]) =>
  general
    .selectFrom('health_check')
    .select(['test_id as testId', 'number', 'project_id as projectId'])
    .where(sql<boolean>`test_id = any(${[...testIds]}::int[])`)
    .execute()
