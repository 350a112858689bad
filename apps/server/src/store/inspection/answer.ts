import type { CurrentAnswers, SentAnswer } from '@linewarden/rules/inspection'
import { answerKey, currentOf } from '@linewarden/rules/inspection'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { StoredStop } from './schema.ts'

type Db = Kysely<Schema>

export type ArrivalRow = Selectable<Schema['inspection_arrival']>
export type NewAnswer = Omit<Insertable<Schema['inspection_answer']>, 'hazard_id' | 'replaced'>

/** An answer that is held, as the rules take it, with the row that it is of. */
export interface KeptAnswer extends SentAnswer {
  readonly row: Selectable<Schema['inspection_answer']>
}

/** Of a place, whatever the round. */
export const placeKeyOf = ({ kind, gatewayId, deviceId, place }: StoredStop): string =>
  kind === 'device' ? `d${deviceId}` : kind === 'gateway' ? `g${gatewayId}` : `p${place}`

/** Of a part of a round: these of its stops; undefined: all. */
type AtStops = readonly number[] | undefined

const isAt = (stopIds: AtStops) => (stopIds ? sql<boolean>`stop_id = any(${[...stopIds]}::int[])` : sql<boolean>`true`)

/** Of each stop whoever was there first. */
export async function firstArrivals(db: Db, roundId: string, stopIds?: AtStops): Promise<ReadonlyMap<number, ArrivalRow>> {
  const rows = await db
    .selectFrom('inspection_arrival')
    .distinctOn('stop_id')
    .selectAll()
    .where('round_id', '=', roundId)
    .where(isAt(stopIds))
    .orderBy('stop_id')
    .orderBy('arrival_id')
    .execute()
  return new Map(rows.map((row) => [row.stop_id, row]))
}

/** What a phone tells again is nothing new. */
export async function addArrivals(trx: Db, arrivals: readonly Insertable<Schema['inspection_arrival']>[]): Promise<void> {
  if (arrivals.length === 0) return
  await trx
    .insertInto('inspection_arrival')
    .values([...arrivals])
    .onConflict((conflict) => conflict.columns(['round_id', 'stop_id', 'phone_id']).doNothing())
    .execute()
}

const keptOf = (row: Selectable<Schema['inspection_answer']>): KeptAnswer => ({
  ...{ stopId: row.stop_id, itemId: row.item_id, rev: row.rev, result: row.result, value: row.value, choice: row.choice },
  ...{ note: row.note, level: row.level, photos: row.photos, id: row.answer_id, after: row.after, row },
  source: sourceOf(row),
})

/** Two people who walk with one phone do not know each other's answers by it. */
export const sourceOf = ({ phone_id, person_id }: { readonly phone_id: string; readonly person_id: string | null }): string =>
  `${phone_id}/${person_id ?? ''}`

const byItem = (rows: readonly Selectable<Schema['inspection_answer']>[]): ReadonlyMap<string, readonly KeptAnswer[]> =>
  Map.groupBy(rows.map(keptOf), ({ stopId, itemId }) => answerKey(stopId, itemId))

/** Of each item the answers that are held; of the same said by two phones the one that came first stands first. */
export async function currentAnswers(
  db: Db,
  roundId: string,
  stopIds?: AtStops,
): Promise<ReadonlyMap<string, CurrentAnswers<KeptAnswer>>> {
  const rows = await db
    .selectFrom('inspection_answer')
    .selectAll()
    .where('round_id', '=', roundId)
    .where(isAt(stopIds))
    .where('replaced', '=', false)
    .orderBy('answer_id')
    .execute()
  return byItem(rows)
}

/** Photos that answers of a round name which are held, and that are not here. */
export async function missingPhotos(db: Db, roundId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ hash: string }>`
    select named.hash from inspection_answer held cross join lateral jsonb_array_elements_text(held.photos) with ordinality named (hash, place)
    where held.round_id = ${roundId} and not held.replaced and named.hash not in (
      select sent_hash from photo_use where kind = 'round' and owner_id = ${roundId})
    group by named.hash order by min(held.answer_id), min(named.place), named.hash`.execute(db)
  return rows.map(({ hash }) => hash)
}

/** The stops at which a photo is named by an answer that is held. */
export async function stopsNaming(db: Db, roundId: string, sentHash: string): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ stop_id: number }>`
    select distinct stop_id from inspection_answer where round_id = ${roundId} and not replaced and photos ? ${sentHash}::text`.execute(
    db,
  )
  return new Set(rows.map(({ stop_id }) => stop_id))
}

/** Everything that comes is kept, with the round locked; the same again changes nothing. */
export async function addAnswers(trx: Db, roundId: string, answers: readonly NewAnswer[]): Promise<void> {
  if (answers.length === 0) return
  await trx
    .insertInto('inspection_answer')
    .values([...answers])
    .onConflict((conflict) =>
      conflict.columns(['round_id', 'stop_id', 'item_id', 'rev', 'content_hash', 'phone_id', 'person_id']).doNothing(),
    )
    .execute()
  await markReplaced(trx, roundId, answers)
}

/** Decided over everything that was ever answered of these items, so that the order in which it came is nothing. */
async function markReplaced(trx: Db, roundId: string, items: readonly NewAnswer[]): Promise<void> {
  const named = JSON.stringify(items.map(({ stop_id, item_id }) => ({ stop_id, item_id })))
  const { rows } = await sql<Selectable<Schema['inspection_answer']>>`
    select a.* from inspection_answer a where a.round_id = ${roundId} and (a.stop_id, a.item_id) in
      (select n.stop_id, n.item_id from jsonb_to_recordset(${named}::jsonb) as n (stop_id int, item_id text))`.execute(trx)
  const replaced = [...byItem(rows).values()].flatMap((all) => {
    const current = new Set(currentOf(all))
    return all.filter((each) => !current.has(each) && !each.row.replaced).map(({ id }) => id)
  })
  if (replaced.length === 0) return
  await trx
    .updateTable('inspection_answer')
    .set({ replaced: true })
    .where(sql<boolean>`answer_id = any(${replaced}::bigint[])`)
    .execute()
}

export const keptKey = (answer: Pick<NewAnswer, 'stop_id' | 'item_id' | 'rev' | 'content_hash'>, source: string): string =>
  `${answer.stop_id}/${answer.item_id}/${answer.rev}/${answer.content_hash}/${source}`

/** Everything that was ever kept of a round, by `keptKey`. */
export async function keptAnswers(db: Db, roundId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('inspection_answer')
    .select(['stop_id', 'item_id', 'rev', 'content_hash', 'phone_id', 'person_id'])
    .where('round_id', '=', roundId)
    .execute()
  return new Set(rows.map((row) => keptKey(row, sourceOf(row))))
}

/** A defect is a hazard now. */
export const linkHazard = (trx: Db, answerId: string, hazardId: number) =>
  trx.updateTable('inspection_answer').set({ hazard_id: hazardId }).where('answer_id', '=', answerId).execute()

/** The open orders of hazards, or else their newest. */
export async function ordersOfHazards(db: Db, hazardIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (hazardIds.length === 0) return new Map()
  const { rows } = await sql<{ hazard_id: number; order_id: number }>`
    select distinct on (hazard_id) hazard_id, order_id from work_order where hazard_id = any(${[...hazardIds]}::int[])
    order by hazard_id, order_id desc`.execute(db)
  return new Map(rows.map(({ hazard_id, order_id }) => [hazard_id, order_id]))
}

/** Whether this phone sent anything of a round before. */
export async function hasTakenPart(db: Db, roundId: string, phoneId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from inspection_arrival where round_id = ${roundId} and phone_id = ${phoneId})
      or exists (select from inspection_answer where round_id = ${roundId} and phone_id = ${phoneId}) as has`.execute(db)
  return rows[0]?.has === true
}

/** Everybody who answered anything of a round. */
export async function answeredBy(db: Db, roundId: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('inspection_answer').select('person_id').distinct().where('round_id', '=', roundId).execute()
  return new Set(rows.flatMap(({ person_id }) => person_id ?? []))
}
