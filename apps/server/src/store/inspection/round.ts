import type { RoundKind, RoundState } from '@linewarden/rules/inspection'
import { roundStates } from '@linewarden/rules/inspection'
import type { Expression, Kysely, Selectable, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Order, SortOf } from '../core/in-order.ts'
import { inOrder, missingLast } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'

type Db = Kysely<Schema>

export type RoundRow = Selectable<Schema['inspection_round']>

/** A round as lists show it: with when it was signed, and without all that it asks. */
export interface ShownRound extends Omit<RoundRow, 'stops' | 'lists' | 'inspector_signature' | 'approver_signature'> {
  readonly sheet_hash: string | null
}

export const roundById = (db: Db, roundId: string): Promise<RoundRow | undefined> =>
  db.selectFrom('inspection_round').selectAll().where('round_id', '=', roundId).executeTakeFirst()

/** The same with its row locked: nobody else acts on it, or answers, until the transaction ends. */
export const lockedRound = (trx: Db, roundId: string): Promise<RoundRow | undefined> =>
  trx.selectFrom('inspection_round').selectAll().where('round_id', '=', roundId).forNoKeyUpdate().executeTakeFirst()

const columns = [
  ...['round_id', 'number', 'plan_id', 'project_id', 'project_name', 'name', 'time_zone', 'kind', 'state'],
  ...['due_day', 'from_day', 'to_day', 'lapses_at', 'assignees', 'inspector_id', 'inspector_name', 'created_at'],
  ...['started_at', 'finished_at', 'approver_id', 'approver_name', 'decided_at', 'reason', 'broke_off', 'signature', 'photo_on'],
  ...['four_eyes', 'progress', 'lines', 'done', 'result', 'version'],
] as unknown as readonly (keyof Omit<ShownRound, 'sheet_hash'>)[]

const sheetHash = sql<string | null>`(select hash from inspection_sheet s where s.round_id = inspection_round.round_id
  order by revision desc limit 1)`

export async function shownRound(db: Db, roundId: string): Promise<ShownRound | undefined> {
  const row = await db
    .selectFrom('inspection_round')
    .select(columns)
    .select(sheetHash.as('sheet_hash'))
    .where('round_id', '=', roundId)
    .executeTakeFirst()
  return row as ShownRound | undefined
}

export interface RoundFilter {
  /** Whole projects; null: everything. */
  readonly projectIds: readonly number[] | null
  readonly planId: number | null
  readonly kind: RoundKind | null
  readonly state: RoundState | null
  /** Given to this account, or started by it; null: anybody's. */
  readonly mine: string | null
  /** Local days since 1970. */
  readonly from: number | null
  readonly to: number | null
  readonly text: string
}

const stateRank = sql`array_position(array['returned', 'started', 'planned', 'finished', 'lapsed', 'approved', 'abandoned'], state)`
const openFirst = sql`case when state in ('planned', 'started', 'returned') then 0 else 1 end`
/** The day by which a round is found: when it was due, or else when it was started. */
const dayOf = sql<number>`coalesce(due_day, floor(extract(epoch from started_at at time zone time_zone) / 86400)::int)`

const order = {
  columns: { Due: missingLast('due_day'), Number: 'number', State: stateRank },
  ties: ['created_at', 'round_id'],
} satisfies Order<string>

export async function listRounds(
  db: Db,
  filter: RoundFilter,
  asked: { readonly sort: SortOf<typeof order> | undefined; readonly page: number; readonly size: number },
): Promise<readonly ShownRound[]> {
  const matching = db.selectFrom('inspection_round').where(({ and }) => and([...conditions(filter)]))
  const rows = await inOrder(matching.select(columns).select(sheetHash.as('sheet_hash')), asked.sort, order, (own) =>
    own
      .orderBy(openFirst)
      .orderBy(sql`case when state in ('planned', 'started', 'returned') then due_day end`)
      .orderBy('created_at', 'desc')
      .orderBy('round_id'),
  )
    .limit(asked.size)
    .offset((asked.page - 1) * asked.size)
    .execute()
  return rows as readonly ShownRound[]
}

/** How many there are of each state, whichever the filter names. */
export async function countRounds(db: Db, filter: RoundFilter): Promise<Readonly<Record<RoundState, number>>> {
  const rows = await db
    .selectFrom('inspection_round')
    .where(({ and }) => and([...conditions({ ...filter, state: null })]))
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .groupBy('state')
    .execute()
  const found = new Map(rows.map(({ state, count }) => [state, count]))
  return Object.fromEntries(roundStates.map((state) => [state, found.get(state) ?? 0])) as Record<RoundState, number>
}

function* conditions(filter: RoundFilter): Generator<Expression<SqlBool>> {
  const { projectIds, planId, kind, state, mine, from, to, text } = filter
  yield sql<SqlBool>`true`
  if (projectIds !== null) yield sql<SqlBool>`project_id = any(${[...projectIds]}::int[])`
  if (planId !== null) yield sql<SqlBool>`plan_id = ${planId}`
  if (kind !== null) yield sql<SqlBool>`kind = ${kind}`
  if (state !== null) yield sql<SqlBool>`state = ${state}`
  if (mine !== null) yield sql<SqlBool>`(inspector_id = ${mine} or assignees @> ${JSON.stringify([{ id: mine }])}::jsonb)`
  if (from !== null) yield sql<SqlBool>`${dayOf} >= ${from}`
  if (to !== null) yield sql<SqlBool>`${dayOf} <= ${to}`
  if (text.trim() !== '') yield sql<SqlBool>`strpos(lower(number || ' ' || name), lower(${text.trim()})) > 0`
}

/** Rounds that are due in some days, of some projects or of all. */
export const roundsDueIn = (db: Db, projectIds: readonly number[] | null, from: number, to: number) =>
  db
    .selectFrom('inspection_round')
    .select(['round_id', 'plan_id', 'project_id', 'project_name', 'name', 'state', 'due_day', 'from_day', 'to_day'])
    .where('due_day', '>=', from)
    .where('due_day', '<=', to)
    .$if(projectIds !== null, (query) => query.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::int[])`))
    .orderBy('due_day')
    .orderBy('number')
    .limit(5_000)
    .execute()

/** Numbers of rounds, for the audit trail. */
export const roundNames = (db: Db, roundIds: readonly string[]) =>
  db
    .selectFrom('inspection_round')
    .select(['round_id as roundId', 'number', 'project_id as projectId'])
    .where(sql<boolean>`round_id = any(${[...roundIds]}::uuid[])`)
    .execute()

/** The stops of running rounds of a project at a place. */
export async function runningStops(db: Db, projectId: number, at: Readonly<Record<string, string | number>>) {
  const { rows } = await sql<Pick<RoundRow, 'round_id' | 'name' | 'assignees'> & { stop_id: number }>`
    select round_id, name, assignees, (stop ->> 'stopId')::int as stop_id
    from inspection_round, jsonb_array_elements(stops) as stop
    where project_id = ${projectId} and state = 'started' and kind = 'onSite' and stops @> ${JSON.stringify([at])}::jsonb
      and stop @> ${JSON.stringify(at)}::jsonb
    order by started_at desc, stop_id limit 20`.execute(db)
  return rows
}
