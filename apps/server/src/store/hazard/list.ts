import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import type { HazardSource, HazardState } from '@linewarden/rules/hazard'
import { hazardStates } from '@linewarden/rules/hazard'
import type { OrderStatus } from '@linewarden/rules/workorder'
import type { Expression, Kysely, Selectable, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { HazardRow } from './hazard.ts'
import { levelRank } from './hazard.ts'

export interface HazardFilter {
  /** Whole projects, and single gateways of others; null: everything. */
  readonly seen: { readonly projectIds: readonly number[]; readonly gatewayIds: readonly number[] } | null
  readonly projectIds: readonly number[] | null
  readonly gatewayId: number | null
  /** A device with its lines. */
  readonly device: { readonly id: number; readonly lineIds: readonly number[] } | null
  readonly lineId: number | null
  readonly level: Priority | null
  /** `there`: every state but gone. */
  readonly state: HazardState | 'there' | null
  readonly source: HazardSource | null
  readonly text: string
}

/** Where a page begins: behind this hazard, which had this level then. */
export interface HazardCursor {
  readonly rank: number
  readonly hazardId: number
}

/** A hazard with its newest order. */
export interface ShownHazard extends HazardRow {
  readonly order_id: number | null
  readonly order_number: string | null
  readonly order_status: OrderStatus | null
}

/** A page of hazards, one more than its size where there is another: the gravest first, of one level those found last. */
export async function listHazards(
  { general }: Database,
  filter: HazardFilter,
  { before, size }: { readonly before: HazardCursor | null; readonly size: number },
): Promise<readonly number[]> {
  const rows = await general
    .selectFrom('hazard')
    .select('hazard_id')
    .where(({ and }) => and([...conditions(filter)]))
    .$if(before !== null, (query) =>
      query.where(
        sql<boolean>`(${levelRank} > ${before?.rank ?? 0} or ${levelRank} = ${before?.rank ?? 0} and hazard_id < ${before?.hazardId ?? 0})`,
      ),
    )
    .orderBy(levelRank)
    .orderBy('hazard_id', 'desc')
    .limit(size + 1)
    .execute()
  return rows.map(({ hazard_id }) => hazard_id)
}

export interface HazardCounts {
  /** Under the other filters. */
  readonly states: Readonly<Record<HazardState, number>>
  readonly levels: Readonly<Record<Priority, number>>
  readonly total: number
}

export async function countHazards({ general }: Database, filter: HazardFilter): Promise<HazardCounts> {
  const counted = async (more: Partial<HazardFilter>) =>
    general
      .selectFrom('hazard')
      .select(['state', 'level', sql<number>`count(*)::int`.as('count')])
      .where(({ and }) => and([...conditions({ ...filter, ...more })]))
      .groupBy(['state', 'level'])
      .execute()
  const [ofStates, ofLevels] = [await counted({ state: null }), await counted({ level: null })]
  const sum = (rows: typeof ofStates, is: (row: (typeof ofStates)[number]) => boolean) =>
    rows.reduce((all, row) => all + (is(row) ? row.count : 0), 0)
  return {
    states: recordOf(hazardStates, (state) => sum(ofStates, (row) => row.state === state)),
    levels: recordOf(priorities, (level) => sum(ofLevels, (row) => row.level === level)),
    total: sum(ofLevels, ({ level }) => filter.level === null || level === filter.level),
  }
}

const recordOf = <K extends string>(keys: readonly K[], of: (key: K) => number): Record<K, number> =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, number>

function* conditions(filter: HazardFilter): Generator<Expression<SqlBool>> {
  const { seen, projectIds, gatewayId, device, lineId, level, state, source, text } = filter
  yield sql<SqlBool>`true`
  if (seen)
    yield sql<SqlBool>`(project_id = any(${[...seen.projectIds]}::int[]) or gateway_id = any(${[...seen.gatewayIds]}::int[]))`
  if (projectIds !== null) yield sql<SqlBool>`project_id = any(${[...projectIds]}::int[])`
  if (gatewayId !== null) yield sql<SqlBool>`gateway_id = ${gatewayId}`
  if (device !== null) yield sql<SqlBool>`(device_id = ${device.id} or line_id = any(${[...device.lineIds]}::int[]))`
  if (lineId !== null) yield sql<SqlBool>`line_id = ${lineId}`
  if (level !== null) yield sql<SqlBool>`level = ${level}`
  if (state === 'there') yield sql<SqlBool>`state <> 'gone'`
  else if (state !== null) yield sql<SqlBool>`state = ${state}`
  if (source !== null) yield sql<SqlBool>`source = ${source}`
  const part = text.trim().toLowerCase()
  if (part !== '')
    yield sql<SqlBool>`(strpos(lower(label_zh || ' ' || label_en), ${part}) > 0
      or line_id in (select line.line_id from line where strpos(lower(line.name), ${part}) > 0)
      or gateway_id in (select gateway.gateway_id from gateway where strpos(lower(gateway.name), ${part}) > 0))`
}

/** These, in this order, with what is shown beside them. */
export async function shownHazards(db: Kysely<Schema>, hazardIds: readonly number[]): Promise<readonly ShownHazard[]> {
  if (hazardIds.length === 0) return []
  const { rows } = await sql<ShownHazard>`
    select hazard.*, newest.order_id, newest.number as order_number, newest.status as order_status
    from unnest(${[...hazardIds]}::int[]) with ordinality as asked (hazard_id, nth) join hazard using (hazard_id)
      left join lateral (select order_id, number, status from work_order where work_order.hazard_id = hazard.hazard_id
        order by order_id desc limit 1) newest on true
    order by nth`.execute(db)
  return rows
}

export const hazardById = (db: Kysely<Schema>, hazardId: number): Promise<HazardRow | undefined> =>
  db.selectFrom('hazard').selectAll().where('hazard_id', '=', hazardId).executeTakeFirst()

export type HazardStepRow = Selectable<Schema['hazard_step']> & { readonly order_number: string | null }

/** The newest things that happened to a hazard, the oldest first. */
export async function hazardSteps(db: Kysely<Schema>, hazardId: number, limit: number): Promise<readonly HazardStepRow[]> {
  const rows = await db
    .selectFrom('hazard_step')
    .leftJoin('work_order', 'work_order.order_id', 'hazard_step.order_id')
    .selectAll('hazard_step')
    .select('work_order.number as order_number')
    .where('hazard_step.hazard_id', '=', hazardId)
    .orderBy('step_id', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed()
}

/** What showed it, the newest first. */
export const hazardSources = (db: Kysely<Schema>, hazardId: number, limit: number) =>
  db
    .selectFrom('hazard_source')
    .selectAll()
    .where('hazard_id', '=', hazardId)
    .orderBy('at', 'desc')
    .orderBy('source_id')
    .limit(limit)
    .execute()

/** What hazards are called, for the audit trail. */
export const hazardNames = (db: Kysely<Schema>, hazardIds: readonly number[]) =>
  db
    .selectFrom('hazard')
    .select(['hazard_id as hazardId', 'label_zh as zh', 'label_en as en', 'project_id as projectId'])
    .where(sql<boolean>`hazard_id = any(${[...hazardIds]}::int[])`)
    .execute()
