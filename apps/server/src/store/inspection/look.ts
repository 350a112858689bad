import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

type Db = Kysely<Schema>

/** When something was last seen to be right, and when still wrong. Unix ms; null: never. */
interface Looked {
  readonly passedAt: number | null
  readonly failedAt: number | null
}

const never: Looked = { passedAt: null, failedAt: null }

/**
 * What rounds say since of what a round found, by what it is called among the sources of a hazard: `RoundID/StopID/ItemID` of a defect, `RoundID`
 * of a round that nobody did. A defect passes when the same item at the same place is answered as in order with a photo, and not before that
 * photo was taken.
 */
export async function patrolLook(db: Db, sourceId: string): Promise<Looked> {
  const [roundId = '', stop, itemId] = sourceId.split('/')
  if (stop === undefined || itemId === undefined) return roundDone(db, roundId)
  const { rows } = await sql<{ passed: Date | null; failed: Date | null }>`
    with found as (
      select project_id, at_place from inspection_answer where round_id = ${roundId} and stop_id = ${Number(stop)} and item_id = ${itemId} limit 1
    ), answers as (
      select a.*, least(a.server_at, a.phone_at + a.offset_ms * interval '1 millisecond') as at
      from inspection_answer a join found using (project_id, at_place) where a.item_id = ${itemId} and not a.replaced
    ), counting as (
      select *, bool_or(comes_to = 'defect') over (partition by round_id, stop_id) as is_defect from answers
    )
    select max(at) filter (where is_defect and comes_to = 'defect') as failed,
      max(least(at, photo.taken)) filter (where not is_defect and comes_to = 'ok') as passed
    from counting left join lateral (
      select max(least(use.sent_at, use.taken_at + counting.offset_ms * interval '1 millisecond')) as taken from photo_use use
      where use.kind = 'round' and use.owner_id = counting.round_id::text and counting.photos ? use.sent_hash
    ) photo on true
    where is_defect or photo.taken is not null`.execute(db)
  const [row] = rows
  return { passedAt: row?.passed?.getTime() ?? null, failedAt: row?.failed?.getTime() ?? null }
}

/** A round of the plan that was done after the one that lapsed. */
async function roundDone(db: Db, roundId: string): Promise<Looked> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(later.finished_at) as at from inspection_round lapsed
      join inspection_round later on later.plan_id = lapsed.plan_id and later.finished_at > lapsed.decided_at
    where lapsed.round_id = ${roundId}`.execute(db)
  const at = rows[0]?.at
  return at ? { passedAt: at.getTime(), failedAt: null } : never
}
