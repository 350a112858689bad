import { Refusal } from '@linewarden/contract'
import type { HazardState } from '@linewarden/rules/hazard'
import type { DuePlan } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendEntries } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { lockHazards, moveHazards, standInsOf } from '../hazard/hazard.ts'
import { planDues } from './due.ts'
import type { OrderColumns, OrderRow } from './order.ts'
import { ordersById } from './order.ts'
import type { NewStep } from './step.ts'
import { hazardBy, insertSteps, stepsOfAct } from './step.ts'

type Trx = Kysely<Schema>

/** What is done to an order as it is at this moment. */
interface OrderChange {
  readonly columns: OrderColumns
  readonly step: NewStep
  readonly hazard: HazardState | null
  readonly audit: AuditEntry
  /** What is due of it, as of now. */
  readonly due: DuePlan
  readonly now: number
}

/** What is to happen to an order. */
interface Asked {
  readonly orderId: number
  /** Null: it happens by itself. */
  readonly act: { readonly id: string; readonly actor: string; readonly version: number | null; readonly name: string } | null
}

/** Writes nothing, and throws what refuses it; null: there is nothing to do. */
type Decide = (row: OrderRow, trx: Trx) => Promise<OrderChange | null> | OrderChange | null

export interface OrderAsked extends Asked {
  readonly decide: Decide
}

/** `replayed`: this intent was carried out before. `used`: its id was, for something else. `changed`: somebody was quicker. */
export type Acted = 'done' | 'replayed' | 'used' | 'changed' | 'gone' | 'nothing'

/** Acts on an order with its row locked. */
export async function actOnOrder(database: Database, asked: Asked, decide: Decide): Promise<Acted> {
  const [acted] = await actOnOrders(database, [{ ...asked, decide }])
  if (acted instanceof Refusal) throw acted
  return acted ?? 'gone'
}

/**
 * Acts on several orders in one transaction, each at most once among them: what refuses one keeps none of the others from its turn. However many
 * they are, it takes as many statements as one.
 */
export async function actOnOrders({ general }: Database, acts: readonly OrderAsked[]): Promise<readonly (Acted | Refusal)[]> {
  const orderIds = acts.map(({ orderId }) => orderId)
  for (;;) {
    const acted = await general.transaction().execute(async (trx) => {
      const locked = await lockedWithHazards(trx, orderIds)
      return locked && actedOn(trx, acts, locked)
    })
    if (acted) return acted
  }
}

interface Locked {
  readonly rows: ReadonlyMap<number, OrderRow>
  /** Which hazard each of their hazards stands for now. */
  readonly hazards: ReadonlyMap<number, number>
}

/**
 * The hazards first, as whoever makes an order of one does; docs/adr/0149. Null: meanwhile one of them is about another hazard. That is not
 * waited for with the order in hand: all is let go of and looked at anew.
 */
async function lockedWithHazards(trx: Trx, orderIds: readonly number[]): Promise<Locked | null> {
  const found = await standInsOf(trx, hazardsOf(await ordersById(trx, orderIds)))
  const locked = new Set(found.values())
  await lockHazards(trx, [...locked])
  const rows = await lockedOrders(trx, orderIds)
  const hazards = await standInsOf(trx, hazardsOf(rows))
  return [...hazards.values()].every((id) => locked.has(id)) ? { rows, hazards } : null
}

const hazardsOf = (rows: ReadonlyMap<number, OrderRow>): number[] =>
  [...rows.values()].flatMap(({ hazard_id }) => hazard_id ?? [])

async function actedOn(trx: Trx, acts: readonly OrderAsked[], { rows, hazards }: Locked): Promise<readonly (Acted | Refusal)[]> {
  const before = await stepsOfAct(
    trx,
    acts.map(({ orderId }) => orderId),
    acts.flatMap(({ act }) => act?.id ?? []),
  )
  const changes: Changed[] = []
  const acted: (Acted | Refusal)[] = []
  for (const { orderId, act, decide } of acts) {
    const row = rows.get(orderId)
    const step = act ? before.find((each) => each.order_id === orderId && each.act_id === act.id) : undefined
    if (!row) acted.push('gone')
    else if (step) acted.push(step.actor_id === act?.actor && step.act === act.name ? 'replayed' : 'used')
    else if (act && act.version !== null && row.version !== act.version) acted.push('changed')
    else {
      const change = await refusedOr(() => decide(row, trx))
      acted.push(change instanceof Refusal ? change : change ? 'done' : 'nothing')
      const hazardId = row.hazard_id === null ? null : (hazards.get(row.hazard_id) ?? row.hazard_id)
      if (change && !(change instanceof Refusal)) changes.push({ row, hazardId, change })
    }
  }
  await store(trx, changes)
  return acted
}

interface Changed {
  readonly row: OrderRow
  readonly hazardId: number | null
  readonly change: OrderChange
}

async function refusedOr<T>(decide: () => Promise<T> | T): Promise<T | Refusal> {
  try {
    return await decide()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function store(trx: Trx, changes: readonly Changed[]): Promise<void> {
  const [first] = changes
  if (!first) return
  await updateOrders(trx, changes)
  const moves = changes.flatMap(({ row, hazardId, change: { hazard, step } }) =>
    hazardId === null || hazard === null ? [] : [{ hazardId, state: hazard, by: hazardBy(step, row.order_id) }],
  )
  await moveHazards(trx, moves)
  await insertSteps(
    trx,
    changes.map(({ row, change }) => ({ ...change.step, order_id: row.order_id })),
  )
  await planDues(
    trx,
    changes.map(({ row, change }) => ({ orderId: row.order_id, due: change.due })),
    first.change.now,
  )
  await appendEntries(
    trx,
    changes.map(({ change }) => change.audit),
  )
}

/** Orders of which the same columns change are written together. */
async function updateOrders(trx: Trx, changes: readonly Changed[]): Promise<void> {
  const alike = Map.groupBy(
    changes.map(({ row, hazardId, change }) => ({
      ...valuesOf(change.columns),
      ...{ order_id: row.order_id, hazard_id: hazardId, version: row.version + 1 },
    })),
    (values) => Object.keys(values).sort().join(),
  )
  for (const values of alike.values()) {
    const names = Object.keys(values[0] ?? {}).filter((name) => name !== 'order_id')
    const set = sql.join(names.map((name) => sql`${sql.ref(name)} = changed.${sql.ref(name)}`))
    await sql`update work_order set ${set} from jsonb_populate_recordset(null::work_order, ${storableJson(values)}::jsonb) as changed
      where work_order.order_id = changed.order_id`.execute(trx)
  }
}

const jsonColumns: readonly string[] = ['helpers', 'clock', 'verification']

/** As a part of a JSON document: columns that hold JSON are given as its text. */
const valuesOf = (columns: OrderColumns): object =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => {
      if (value === undefined) return []
      return [[name, jsonColumns.includes(name) && typeof value === 'string' ? JSON.parse(value) : value]]
    }),
  )

/** These orders, that nobody moves until the end of the transaction. */
export async function lockedOrders(trx: Trx, orderIds: readonly number[]): Promise<ReadonlyMap<number, OrderRow>> {
  const rows = await trx
    .selectFrom('work_order')
    .selectAll()
    .where(sql<boolean>`order_id = any(${[...orderIds]}::int[])`)
    .orderBy('order_id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map((row) => [row.order_id, row]))
}
