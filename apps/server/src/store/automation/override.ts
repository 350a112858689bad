import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import { nextFence } from '../control/fence.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** What a person has said of a line against its timers; times Unix ms. */
export interface StoredWord {
  readonly kind: 'next' | 'until' | 'stay' | 'released'
  readonly since: number
  readonly until: number | null
  readonly actor: string
  readonly reason: string
}

/** The latest words of people on a line, by its fence: what they gave as their word, and what they ordered of it, by itself, in a group or by a scene they ran. */
export interface LineWords {
  readonly given: (StoredWord & { readonly fence: number }) | null
  /** A close counts when it was verified: one that came to nothing is no word that the line may be closed. */
  readonly ordered: {
    readonly action: 'trip' | 'close'
    readonly at: number
    readonly actor: string
    readonly fence: number
  } | null
}

/** The latest words of people on each of these lines. */
export async function wordsOfLines(db: Kysely<Schema>, lineIds: readonly number[]): Promise<ReadonlyMap<number, LineWords>> {
  const { rows } = await sql<WordsRow>`
    select l.line_id, g.kind, g.since, g.until, g.actor, g.reason, g.fence as given_fence,
      c.action, c.issued_at, c.actor as ordered_by, c.fence
    from unnest(${[...lineIds]}::int[]) as l (line_id) left join line_override g using (line_id)
    left join lateral (
      select action, issued_at, actor, fence from command
      where command.line_id = l.line_id and source in ('console', 'group', 'scene') and action in ('trip', 'close')
        and (action = 'trip' or verified_at is not null)
        and (source <> 'scene' or exists (
          select from operation_run o join automation_run r on r.run_id = o.automation_run_id
          where o.run_id = command.run_id and r.source = 'scene' and r.parent_run_id is null))
      order by fence desc limit 1
    ) c on true`.execute(db)
  return new Map(rows.map((row) => [row.line_id, wordsOf(row)]))
}

interface WordsRow {
  readonly line_id: number
  readonly kind: StoredWord['kind'] | null
  readonly since: Date
  readonly until: Date | null
  readonly actor: string
  readonly reason: string
  readonly given_fence: string
  readonly action: 'trip' | 'close' | null
  readonly issued_at: Date
  readonly ordered_by: string
  readonly fence: string
}

const wordsOf = ({
  kind,
  since,
  until,
  actor,
  reason,
  given_fence,
  action,
  issued_at,
  ordered_by,
  fence,
}: WordsRow): LineWords => ({
  given: kind && { kind, since: since.getTime(), until: until?.getTime() ?? null, actor, reason, fence: Number(given_fence) },
  ordered: action && { action, at: issued_at.getTime(), actor: ordered_by, fence: Number(fence) },
})

/**
 * Which of these lines a linkage has tripped for a danger, is about to trip, or may have: runs of an older server did not keep it. A danger that
 * left the line to a trip under way has tripped it as well. Over once a close of the line was verified, it was observed to close at the breaker, or
 * a person has released it; what trips it once more ends nothing. Of its past only what came after that is read.
 */
export async function afterDangers(db: Kysely<Schema>, lineIds: readonly number[]): Promise<ReadonlySet<number>> {
  const ofDanger = sql`o.action = 'trip' and exists (select from automation_run r
    where r.run_id = coalesce(o.outer_run_id, o.automation_run_id) and r.source = 'linkage' and coalesce(r.after_danger, true))`
  const { rows } = await sql<{ line_id: number }>`
    with asked as (
      select l.line_id, greatest(
        (select fence from command back where back.line_id = l.line_id and back.action = 'close' and back.verified_at is not null
          order by fence desc limit 1),
        (select fence from line_override word where word.line_id = l.line_id and word.kind = 'released'), 0) as since
      from unnest(${[...lineIds]}::int[]) as l (line_id))
    select line_id from asked
    where exists (
        select from operation_run_line d join operation_run o using (run_id)
        where d.line_id = asked.line_id and d.state = 'waiting' and o.ended_at is null and ${ofDanger})
      or exists (
        select from command trip
        where trip.line_id = asked.line_id and trip.action = 'trip' and trip.fence > asked.since
          and (exists (select from operation_run o where o.run_id = trip.run_id and ${ofDanger})
            or exists (
              select from operation_run_line d join operation_run o using (run_id)
              where d.line_id = trip.line_id and d.refusal->>'key' = 'underWay' and trip.issued_at <= coalesce(o.ended_at, 'infinity')
                and coalesce(trip.ended_at, 'infinity') >= o.started_at and ${ofDanger}))
          -- By the clock of the equipment as well: what was kept there for long is no news.
          and not exists (
            select from event where event.line_id = trip.line_id and key = 'position.closed'
              and raised_at > greatest(trip.issued_at, trip.verified_at) and stored_at > greatest(trip.issued_at, trip.verified_at)))`.execute(
    db,
  )
  return new Set(rows.map(({ line_id }) => line_id))
}

/** Which of these lines a timer, or a scene that it ran, has acted on since an instant: their `next` has been. */
export async function timedSince(
  db: Kysely<Schema>,
  lines: readonly { readonly lineId: number; readonly since: number }[],
): Promise<ReadonlySet<number>> {
  if (lines.length === 0) return new Set()
  const { rows } = await sql<{ line_id: number }>`
    select l.line_id from unnest(${lines.map(({ lineId }) => lineId)}::int[], ${lines.map(({ since }) => new Date(since))}::timestamptz[])
      as l (line_id, since)
    where exists (
      select from operation_run_line o join operation_run using (run_id)
        join automation_run r on r.run_id = coalesce(outer_run_id, automation_run_id)
      where o.line_id = l.line_id and r.source = 'timer' and r.due_at >= l.since)`.execute(db)
  return new Set(rows.map(({ line_id }) => line_id))
}

/** Keeps what a person says of a line, over what stood there. */
export function saveWord({ general }: Database, lineId: number, word: StoredWord, audit: AuditEntry): Promise<void> {
  return general.transaction().execute(async (trx) => {
    await putWord(trx, lineId, word, await nextFence(trx, lineId))
    await appendAudit(trx, audit)
  })
}

/** The same as part of the transaction that writes it down, at a fence of the line that it holds. */
export async function putWord(trx: Kysely<Schema>, lineId: number, word: StoredWord, fence: string): Promise<void> {
  const row = {
    ...{ kind: word.kind, since: new Date(word.since), until: word.until === null ? null : new Date(word.until) },
    ...{ actor: word.actor, reason: word.reason, fence },
  }
  await trx
    .insertInto('line_override')
    .values({ line_id: lineId, ...row })
    .onConflict((oc) => oc.column('line_id').doUpdateSet(row))
    .execute()
}
