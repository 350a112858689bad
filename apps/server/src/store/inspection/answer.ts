import type { NewestAnswers, SentAnswer } from '@linewarden/rules/inspection'
import { answerKey, mergeAnswer } from '@linewarden/rules/inspection'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { StoredStop } from './schema.ts'

type Db = Kysely<Schema>

export type ArrivalRow = Selectable<Schema['inspection_arrival']>
export type NewAnswer = Omit<Insertable<Schema['inspection_answer']>, 'hazard_id'>

/** An answer that is held, as the rules take it, with the row that it is of. */
export interface KeptAnswer extends SentAnswer {
  readonly row: Selectable<Schema['inspection_answer']>
}

/** Of a place, whatever the round. */
export const placeKeyOf = ({ kind, gatewayId, deviceId, place }: StoredStop): string =>
  kind === 'device' ? `d${deviceId}` : kind === 'gateway' ? `g${gatewayId}` : `p${place}`

/** Of each stop whoever was there first. */
export async function firstArrivals(db: Db, roundId: string): Promise<ReadonlyMap<number, ArrivalRow>> {
  const rows = await db
    .selectFrom('inspection_arrival')
    .distinctOn('stop_id')
    .selectAll()
    .where('round_id', '=', roundId)
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

/** Of each item the answers of its newest revision. */
export async function newestAnswers(db: Db, roundId: string): Promise<ReadonlyMap<string, NewestAnswers<KeptAnswer>>> {
  const { rows } = await sql<Selectable<Schema['inspection_answer']>>`
    select a.* from inspection_answer a
      join (select stop_id, item_id, max(rev) as rev from inspection_answer where round_id = ${roundId} group by stop_id, item_id) newest
        on newest.stop_id = a.stop_id and newest.item_id = a.item_id and newest.rev = a.rev
    where a.round_id = ${roundId} order by a.stop_id, a.item_id, a.answer_id`.execute(db)
  const newest = new Map<string, NewestAnswers<KeptAnswer>>()
  for (const row of rows) {
    const answer: KeptAnswer = {
      ...{ stopId: row.stop_id, itemId: row.item_id, rev: row.rev, result: row.result, value: row.value, choice: row.choice },
      ...{ note: row.note, level: row.level, photos: row.photos, row },
    }
    const key = answerKey(row.stop_id, row.item_id)
    newest.set(key, mergeAnswer(newest.get(key) ?? [], answer).newest)
  }
  return newest
}

/** Everything that comes is kept; the same again changes nothing. */
export async function addAnswers(trx: Db, answers: readonly NewAnswer[]): Promise<void> {
  if (answers.length === 0) return
  await trx
    .insertInto('inspection_answer')
    .values([...answers])
    .onConflict((conflict) => conflict.columns(['round_id', 'stop_id', 'item_id', 'rev', 'content_hash']).doNothing())
    .execute()
}

/** Which of these were kept before: `stopId/itemId/rev/hash`. */
export async function keptAnswers(db: Db, roundId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('inspection_answer')
    .select(['stop_id', 'item_id', 'rev', 'content_hash'])
    .where('round_id', '=', roundId)
    .execute()
  return new Set(rows.map(({ stop_id, item_id, rev, content_hash }) => `${stop_id}/${item_id}/${rev}/${content_hash}`))
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
