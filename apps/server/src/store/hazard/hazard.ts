import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import type { HazardSource, HazardState } from '@linewarden/rules/hazard'
import { isGraver } from '@linewarden/rules/hazard'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

type Trx = Kysely<Schema>

export type HazardRow = Selectable<Schema['hazard']>

export interface ObservedHazard {
  readonly projectId: number
  /** Null: at a named place, or of the project as a whole. */
  readonly gatewayId: number | null
  /** As 2 号配电间; left out: none. */
  readonly place?: string
  readonly deviceId: number | null
  readonly lineId: number | null
  readonly key: string
  readonly label: { readonly zh: string; readonly en: string }
  readonly level: Priority
  readonly source: HazardSource
  /** What showed it, among those of its source: each counts once. Left out: nothing that could be named. */
  readonly sourceId?: string
  /** Unix ms. */
  readonly at: number
}

/** The open hazard of a place and key, made where there is none; nobody else makes or changes it until the transaction ends. */
export async function openHazard(trx: Trx, observed: ObservedHazard): Promise<number> {
  const found = (await lockedAt(trx, observed)) ?? (await inserted(trx, observed)) ?? (await lockedAt(trx, observed))
  if (!found) throw new Error('a hazard was neither there nor made')
  await shownBy(trx, found, observed)
  return found.hazard_id
}

type Found = Pick<HazardRow, 'hazard_id' | 'state' | 'level'>

async function lockedAt(
  trx: Trx,
  { projectId, gatewayId, deviceId, lineId, place = '', key }: ObservedHazard,
): Promise<Found | undefined> {
  const { rows } = await sql<Found>`select hazard_id, state, level from hazard
    where gateway_id is not distinct from ${gatewayId} and (gateway_id is not null or project_id = ${projectId}) and place = ${place}
      and coalesce(device_id, 0) = ${deviceId ?? 0} and coalesce(line_id, 0) = ${lineId ?? 0}
      and key = ${key} and state <> 'gone' for no key update`.execute(trx)
  return rows[0]
}

/** Undefined: somebody else makes it at this moment, and has by now. */
async function inserted(trx: Trx, observed: ObservedHazard): Promise<Found | undefined> {
  const at = new Date(observed.at)
  const { projectId, gatewayId, deviceId, lineId, place = '', key, label, level, source, sourceId = null } = observed
  const { rows } = await sql<Found>`
    insert into hazard (project_id, gateway_id, device_id, line_id, place, key, label_zh, label_en, level, source, state, first_seen, last_seen)
    values (${projectId}, ${gatewayId}, ${deviceId}, ${lineId}, ${place}, ${key}, ${label.zh}, ${label.en}, ${level}, ${source}, 'open', ${at}, ${at})
    on conflict do nothing
    returning hazard_id, state, level`.execute(trx)
  const [row] = rows
  if (!row) return undefined
  await addStep(trx, {
    ...{ hazard_id: row.hazard_id, at, act: 'found', from_state: null, to_state: 'open', source, source_id: sourceId },
  })
  return row
}

/** It showed itself by this; what shows itself graver than it was accepted as is open again. */
async function shownBy(trx: Trx, { hazard_id, state, level: before }: Found, observed: ObservedHazard): Promise<void> {
  const { source, sourceId, level, label } = observed
  const at = new Date(observed.at)
  const isNew = sourceId !== undefined && (await addSource(trx, { hazard_id, source, source_id: sourceId, at, level }))
  const graver = isGraver(level, before)
  const isBack = graver && state === 'accepted'
  await trx
    .updateTable('hazard')
    .set((eb) => ({
      last_seen: sql<Date>`greatest(last_seen, ${at})`,
      count: eb('count', '+', isNew ? 1 : 0),
      ...(graver && { level, label_zh: label.zh, label_en: label.en, version: eb('version', '+', 1) }),
      ...(isBack && { state: 'open' as const, risk_until: null }),
    }))
    .where('hazard_id', '=', hazard_id)
    .execute()
  const shown = { hazard_id, at, from_state: state, source, source_id: sourceId ?? null }
  if (graver) await addStep(trx, { ...shown, act: 'graver', to_state: isBack ? 'open' : state, reason: level })
  else if (isNew && !(await isFirst(trx, hazard_id))) await addStep(trx, { ...shown, act: 'seen', to_state: state })
}

/** False: it was shown by this before. */
async function addSource(trx: Trx, row: Insertable<Schema['hazard_source']>): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into hazard_source (hazard_id, source, source_id, at, level)
    values (${row.hazard_id}, ${row.source}, ${row.source_id}, ${row.at}, ${row.level})
    on conflict (hazard_id, source, source_id) do update set at = greatest(hazard_source.at, excluded.at), level = excluded.level
    returning xmax = 0 as is_new`.execute(trx)
  return rows[0]?.is_new === true
}

/** What it was found by says so already. */
async function isFirst(trx: Trx, hazardId: number): Promise<boolean> {
  const { rows } = await sql<{ first: boolean }>`
    select count(*) = 1 as first from hazard_source where hazard_id = ${hazardId}`.execute(trx)
  return rows[0]?.first === true
}

export const addStep = (trx: Trx, step: Insertable<Schema['hazard_step']>) => trx.insertInto('hazard_step').values(step).execute()

/** Locks a hazard by its number. */
export const lockedHazard = (trx: Trx, hazardId: number): Promise<HazardRow | undefined> =>
  trx.selectFrom('hazard').selectAll().where('hazard_id', '=', hazardId).forNoKeyUpdate().executeTakeFirst()

/** Hazards of one place and key: `own`, and `other`. */
export const samePlace = sql`other.gateway_id is not distinct from own.gateway_id and (own.gateway_id is not null or other.project_id = own.project_id)
  and other.place = own.place and other.key = own.key
  and coalesce(other.device_id, 0) = coalesce(own.device_id, 0) and coalesce(other.line_id, 0) = coalesce(own.line_id, 0)`

/**
 * Which hazard each of these numbers stands for now: what showed itself anew at the place of one that is gone is the same to its order.
 */
export async function standInsOf(trx: Trx, hazardIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (hazardIds.length === 0) return new Map()
  const { rows } = await sql<{ asked: number; hazard_id: number }>`
    select own.hazard_id as asked, there.hazard_id from hazard own cross join lateral (
      select other.hazard_id from hazard other where ${samePlace} and (other.state <> 'gone' or other.hazard_id = own.hazard_id)
      order by other.state = 'gone' limit 1) there
    where own.hazard_id = any(${[...hazardIds]}::int[])`.execute(trx)
  return new Map(rows.map(({ asked, hazard_id }) => [asked, hazard_id]))
}

/** Locks hazards in the one order in which everybody does; docs/adr/0149. */
export async function lockHazards(trx: Trx, hazardIds: readonly number[]): Promise<void> {
  if (hazardIds.length === 0) return
  await sql`select from hazard where hazard_id = any(${[...hazardIds]}::int[]) order by hazard_id for no key update`.execute(trx)
}

/** The same of what is there by these keys in a project, before several of them are opened one after the other. */
export async function lockHazardsOf(trx: Trx, projectId: number, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`select from hazard where project_id = ${projectId} and key = any(${[...keys]}::text[]) and state <> 'gone'
    order by hazard_id for no key update`.execute(trx)
}

/** Who did it, when, and by which order. */
interface HazardBy {
  readonly at: Date
  readonly orderId: number
  /** Null: it happened by itself. */
  readonly actorId: string | null
  readonly actor: string | null
}

/** How an order moves its hazard. */
interface HazardMove {
  readonly hazardId: number
  readonly state: HazardState
  readonly by: HazardBy
}

/** Moves hazards as their orders move, one after the other; what stands there already stays. */
export async function moveHazards(trx: Trx, moves: readonly HazardMove[]): Promise<void> {
  if (moves.length === 0) return
  const before = await trx
    .selectFrom('hazard')
    .select(['hazard_id', 'state'])
    .where(sql<boolean>`hazard_id = any(${moves.map(({ hazardId }) => hazardId)}::int[])`)
    .execute()
  const states = new Map(before.map(({ hazard_id, state }) => [hazard_id, state]))
  const moved = new Map<number, { hazard_id: number; state: HazardState; moves: number }>()
  const steps: Insertable<Schema['hazard_step']>[] = []
  for (const { hazardId, state, by } of moves) {
    const from_state = states.get(hazardId)
    if (from_state === undefined || from_state === state) continue
    states.set(hazardId, state)
    moved.set(hazardId, { hazard_id: hazardId, state, moves: (moved.get(hazardId)?.moves ?? 0) + 1 })
    steps.push({
      ...{ hazard_id: hazardId, at: by.at, act: 'order', from_state, to_state: state },
      ...{ actor_id: by.actorId, actor: by.actor, order_id: by.orderId },
    })
  }
  if (steps.length === 0) return
  await sql`update hazard set state = moved.state, risk_until = null, verification = null, version = version + moves
    from jsonb_to_recordset(${JSON.stringify([...moved.values()])}::jsonb) as moved (hazard_id int, state text, moves int)
    where hazard.hazard_id = moved.hazard_id`.execute(trx)
  await trx.insertInto('hazard_step').values(steps).execute()
}

/** As lists are ordered: 1 is critical. */
export const levelRank = sql<number>`array_position(${sql.lit(`{${priorities.join(',')}}`)}::text[], hazard.level)`
