import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendEntries } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Authorised, NewCommand, Step, StoredCommand } from './command.ts'
import { authorise, commandOf, rowOf, saveLives } from './command.ts'

// What `command.ts` does for one command, for as many as come at once: when the timers of a minute have their turns, each way to the database and
// each turn at the audit log counts.

/** Commands by their ids, as they stand. */
export async function commandsById(db: Kysely<Schema>, ids: readonly string[]): Promise<ReadonlyMap<string, StoredCommand>> {
  const rows = await db
    .selectFrom('command')
    .selectAll()
    .where(sql<boolean>`command_id = any(${[...ids]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.command_id, commandOf(row)]))
}

/** A trip that nothing in the database can hold up, and how the log tells it. */
export interface TripOrder {
  readonly command: NewCommand
  readonly audit: AuditEntry
}

/** Whether a command is one that `authoriseTrips` takes: nothing is asked in its transaction but whether it is known. */
export const isPlainTrip = ({ action, override, notTrippedSince, notTrippedBehind }: NewCommand): boolean =>
  action === 'trip' && override == null && notTrippedSince == null && notTrippedBehind == null

/** Saves trips with their fences and audit in one transaction, as `authorise` does each; answers in their order. */
export async function authoriseTrips(database: Database, trips: readonly TripOrder[]): Promise<readonly Authorised[]> {
  const [only] = trips
  if (only && trips.length === 1) return [await authorise(database, only.command, only.audit)]
  return database.control.transaction().execute(async (trx) => {
    const fences = await nextFences(
      trx,
      trips.map(({ command }) => command.lineId),
    )
    const known = await commandsById(
      trx,
      trips.map(({ command }) => command.commandId),
    )
    const made = trips.flatMap(({ command, audit }, index) =>
      known.has(command.commandId) ? [] : { command, audit, fence: fences[index] ?? '' },
    )
    const stored = await insertCommands(trx, made)
    await appendEntries(
      trx,
      made.map(({ audit }) => audit),
    )
    return trips.map(({ command: { commandId } }): Authorised => {
      const before = known.get(commandId)
      return before ? { is: 'known', command: before } : { is: 'new', command: stored.get(commandId) as StoredCommand }
    })
  })
}

/** The next fence of each of these lines, in their order. Locked in order of line, so that two who lock the same never wait in a circle. */
async function nextFences(trx: Kysely<Schema>, lineIds: readonly number[]): Promise<readonly string[]> {
  const { rows } = await sql<{ line_id: number; fence: string }>`
    insert into command_fence as f (line_id, fence)
    select line_id, count(*) from unnest(${[...lineIds]}::int[]) as l (line_id) group by line_id order by line_id
    on conflict (line_id) do update set fence = f.fence + excluded.fence
    returning line_id, fence`.execute(trx)
  const last = new Map(rows.map(({ line_id, fence }) => [line_id, BigInt(fence)]))
  const left = new Map([...Map.groupBy(lineIds, (id) => id)].map(([id, all]) => [id, all.length]))
  return lineIds.map((lineId) => {
    const after = (left.get(lineId) ?? 1) - 1
    left.set(lineId, after)
    return String((last.get(lineId) ?? 0n) - BigInt(after))
  })
}

async function insertCommands(
  trx: Kysely<Schema>,
  made: readonly { readonly command: NewCommand; readonly fence: string }[],
): Promise<ReadonlyMap<string, StoredCommand>> {
  if (made.length === 0) return new Map()
  const rows = await trx
    .insertInto('command')
    .values(made.map(({ command, fence }) => ({ reason_en: null, ...rowOf(command, fence) })))
    .returningAll()
    .execute()
  await trx
    .insertInto('command_step')
    .values(
      made.map(({ command: { commandId, issuedAt, source }, fence }) => ({
        ...{ command_id: commandId, step_no: 1, state: 'authorised', at: new Date(issuedAt) },
        evidence: storableJson({ fence, source }),
      })),
    )
    .execute()
  return new Map(rows.map((row) => [row.command_id, commandOf(row)]))
}

/**
 * Writes a step of each of these commands over what it was made of, each for itself; answers in their order how those stand that stand otherwise,
 * and null of those that were written. No command is there twice.
 */
export async function saveEachLife(database: Database, steps: readonly Step[]): Promise<readonly (StoredCommand | null)[]> {
  if (steps.length === 1) return [(await saveLives(database, steps))[0] ?? null]
  const rows = steps.map(({ before, life, fact }) => ({
    ...{ command_id: life.commandId, state: life.state, outcome: life.outcome, trip_ms: life.tripMs },
    ...{ sent_at: instant(life.sentAt), acknowledged_at: instant(life.acknowledgedAt), verified_at: instant(life.verifiedAt) },
    ...{ ended_at: instant(life.endedAt), position_after: life.positionAfter, at: instant(fact.at), evidence: fact },
    ...{ was: before.state, outcome_was: before.outcome, unsent: before.sentAt === null, open: before.acknowledgedAt === null },
    ...{ trip_ms_was: before.tripMs, position_was: before.positionAfter },
  }))
  // In order of id, so that two who write the same commands never wait for each other in a circle.
  const { rows: saved } = await sql<{ command_id: string }>`with s as materialized (
      select * from jsonb_to_recordset(${storableJson(rows)}::jsonb) as s (command_id uuid, state text, outcome text, trip_ms int,
        sent_at timestamptz, acknowledged_at timestamptz, verified_at timestamptz, ended_at timestamptz, position_after text,
        at timestamptz, evidence jsonb, was text, outcome_was text, unsent boolean, open boolean, trip_ms_was int, position_was text)
    ), w as materialized (
      select command_id from command where command_id in (select command_id from s) order by command_id for no key update
    ), life as (
      update command c set state = s.state, outcome = s.outcome, sent_at = s.sent_at, acknowledged_at = s.acknowledged_at,
        verified_at = s.verified_at, ended_at = s.ended_at, trip_ms = s.trip_ms, position_after = s.position_after
      from w join s using (command_id)
      where c.command_id = s.command_id and c.state = s.was and c.outcome is not distinct from s.outcome_was
        and (c.sent_at is null) = s.unsent and (c.acknowledged_at is null) = s.open
        and c.trip_ms is not distinct from s.trip_ms_was and c.position_after is not distinct from s.position_was
      returning c.command_id
    )
    insert into command_step (command_id, step_no, state, at, evidence)
    select command_id, (select coalesce(max(step_no), 0) + 1 from command_step t where t.command_id = s.command_id), state, at, evidence
    from life join s using (command_id) returning command_id`.execute(database.control)
  const isSaved = new Set(saved.map(({ command_id }) => command_id))
  const left = steps.flatMap(({ life }) => (isSaved.has(life.commandId) ? [] : life.commandId))
  const otherwise = left.length === 0 ? new Map<string, StoredCommand>() : await commandsById(database.control, left)
  return steps.map(({ life }) => otherwise.get(life.commandId) ?? null)
}

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
