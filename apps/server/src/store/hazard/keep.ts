import type { Priority } from '@linewarden/equipment'
import type { Verification } from '@linewarden/rules/workorder'
import { openOrderStatuses } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit, appendEntries } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { openOrderOf } from '../workorder/hazard-order.ts'
import type { HazardRow } from './hazard.ts'
import { addStep, lockedHazard } from './hazard.ts'

type Db = Kysely<Schema>
type Audited = (row: HazardRow) => AuditEntry

/** Hazards whose accepted days are over are open again: each once, on however many servers. Answers which. */
export async function expireRisks({ general }: Database, now: number, audit: Audited): Promise<readonly HazardRow[]> {
  return general.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('hazard')
      .selectAll()
      .where(sql<boolean>`state = 'accepted'`)
      .where('risk_until', '<=', new Date(now))
      .orderBy('risk_until')
      .limit(200)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    for (const row of rows) {
      await trx
        .updateTable('hazard')
        .set({ state: 'open', risk_until: null, version: row.version + 1 })
        .where('hazard_id', '=', row.hazard_id)
        .execute()
      // Of the instant that was due: whoever was away tells it late, and says when it was.
      const at = row.risk_until ?? new Date(now)
      await addStep(trx, { hazard_id: row.hazard_id, at, act: 'expire', from_state: 'accepted', to_state: 'open' })
    }
    // Last of all, and together: orders wait for their turn at the log.
    await appendEntries(
      trx,
      rows.map((row) => audit(row)),
    )
    return rows
  })
}

/** A finding that is there. */
export interface OpenFinding {
  readonly event_id: string
  readonly project_id: number
  readonly gateway_id: number
  readonly device_id: number | null
  readonly line_id: number | null
  readonly key: string
  readonly label_zh: string
  readonly label_en: string
  readonly priority: Priority
  readonly raised: Date
}

/** Findings at warning level and above that no hazard knows as they are now; what is folded under an incident, or hung with a tag, is none. */
export async function findingsToTake(db: Db): Promise<readonly OpenFinding[]> {
  const { rows } = await sql<OpenFinding>`
    select event.event_id, project_id, gateway_id, device_id, line_id, key, label_zh, label_en, priority,
      coalesce(raised_again_at, raised_at) as raised
    from warning_evidence proof join event using (event_id)
    where proof.seen_state in ('active', 'acknowledged') and proof.level in ('warning', 'alarm') and suppressed is null
      and gateway_id is not null and not exists (
        select from hazard_source known where known.source = 'finding' and known.source_id = event.event_id::text
          and known.level = event.priority and known.at >= coalesce(raised_again_at, raised_at))
    order by event.event_id limit 200`.execute(db)
  return rows
}

/** Self-tests that a hazard knows, as `line key source`. */
export async function knownSelfTests(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('hazard_source')
    .innerJoin('hazard', 'hazard.hazard_id', 'hazard_source.hazard_id')
    .select(['hazard.line_id', 'hazard.key', 'hazard_source.source_id'])
    .where('hazard_source.source', '=', 'selfTest')
    .where('hazard.state', '<>', 'gone')
    .execute()
  return new Set(rows.map(({ line_id, key, source_id }) => `${line_id} ${key} ${source_id}`))
}

/** A hazard that is there, and who sees to it. */
export interface KeptHazard extends HazardRow {
  /** An order is open, or was accepted and is watched: what proves the hazard is looked after there. */
  readonly is_ordered: boolean
}

/** A part of the hazards that are there, by their numbers. */
export async function hazardsThere(
  db: Db,
  watchedSince: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly KeptHazard[]> {
  const { rows } = await sql<KeptHazard>`
    select hazard.*, exists (select from work_order where work_order.hazard_id = hazard.hazard_id and (
      status = any(${[...openOrderStatuses]}::text[])
      or status = 'accepted' and accepted_at > ${new Date(watchedSince)})) as is_ordered
    from hazard where state <> 'gone' and hazard_id > ${after} order by hazard_id limit ${limit}`.execute(db)
  return rows
}

/**
 * Alarms of its place and key that were raised since it was last seen count it up. Answers when it was last seen by then. Its row is locked before
 * what showed it is written, as whoever opens it does.
 */
export async function seenSince(db: Db, hazard: HazardRow): Promise<Date> {
  const { hazard_id, gateway_id, device_id, line_id, key, last_seen } = hazard
  // Written by what it is of, so that the planner finds an index.
  const ofGateway =
    gateway_id === null ? sql`gateway_id is null and project_id = ${hazard.project_id}` : sql`gateway_id = ${gateway_id}`
  const place =
    line_id !== null
      ? sql`line_id = ${line_id}`
      : sql`line_id is null and ${ofGateway} and coalesce(device_id, 0) = ${device_id ?? 0}`
  const { rows } = await sql<{ at: Date | null }>`
    with again as (
      select event_id, case when kind = 'warning' then 'finding' else 'alarm' end as source, priority,
        coalesce(raised_again_at, raised_at) as raised
      from event where ${place} and key = ${key} and kind not in ('journal', 'order') and suppressed is null
        and coalesce(raised_again_at, raised_at) > ${last_seen}
    ), locked as (
      select hazard_id from hazard where hazard_id = ${hazard_id} and exists (select from again) for no key update
    ), kept as (
      insert into hazard_source (hazard_id, source, source_id, at, level)
      select hazard_id, source, event_id::text, raised, priority from again cross join locked
      on conflict (hazard_id, source, source_id) do update set at = greatest(hazard_source.at, excluded.at)
      returning source, source_id, at, xmax = 0 as is_new
    ), told as (
      insert into hazard_step (hazard_id, at, act, from_state, to_state, source, source_id)
      select ${hazard_id}::int, at, 'seen', ${hazard.state}, ${hazard.state}, source, source_id from kept where is_new
    )
    update hazard set last_seen = greatest(last_seen, seen.at), count = count + seen.times
    from (select max(at) as at, (count(*) filter (where is_new))::int as times from kept) seen
    where hazard_id = ${hazard_id} and seen.at is not null returning last_seen as at`.execute(db)
  return rows[0]?.at ?? last_seen
}

/** How far it is proved by now; nothing else of it changes. */
export const saveHazardProof = (db: Db, { hazard_id, version }: HazardRow, verification: Verification) =>
  db
    .updateTable('hazard')
    .set({ verification: JSON.stringify(verification) })
    .where('hazard_id', '=', hazard_id)
    .where('version', '=', version)
    .execute()

/** It is proved to be gone, and nobody works on it. False: somebody does by now, or it showed itself again. */
export async function endHazard({ general }: Database, found: HazardRow, now: number, audit: Audited): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const row = await lockedHazard(trx, found.hazard_id)
    const isSame = row && row.version === found.version && row.last_seen.getTime() === found.last_seen.getTime()
    if (!isSame || row.state === 'gone' || (await openOrderOf(trx, row.hazard_id)) !== null) return false
    await trx
      .updateTable('hazard')
      .set({ state: 'gone', risk_until: null, verification: JSON.stringify({ state: 'verified' }), version: row.version + 1 })
      .where('hazard_id', '=', row.hazard_id)
      .execute()
    const at = new Date(now)
    await addStep(trx, { hazard_id: row.hazard_id, at, act: 'verified', from_state: row.state, to_state: 'gone' })
    await appendAudit(trx, audit(row))
    return true
  })
}

/** Accepts a hazard until an instant. `decide` throws what refuses it, with the row locked. `used`: the intent is known by another act. */
export async function acceptHazard(
  { general }: Database,
  asked: {
    readonly hazardId: number
    readonly actId: string
    readonly until: number
    readonly reason: string
    readonly now: number
    readonly actorId: string
    readonly actor: string
  },
  decide: (row: HazardRow) => AuditEntry,
): Promise<'done' | 'replayed' | 'used' | 'gone'> {
  return general.transaction().execute(async (trx) => {
    const row = await lockedHazard(trx, asked.hazardId)
    if (!row) return 'gone'
    const before = await trx.selectFrom('hazard_step').selectAll().where('act_id', '=', asked.actId).executeTakeFirst()
    if (before) return before.hazard_id === row.hazard_id && before.actor_id === asked.actorId ? 'replayed' : 'used'
    const entry = decide(row)
    const until = new Date(asked.until)
    await trx
      .updateTable('hazard')
      .set({ state: 'accepted', risk_until: until, version: row.version + 1 })
      .where('hazard_id', '=', row.hazard_id)
      .execute()
    await addStep(trx, {
      ...{ hazard_id: row.hazard_id, act_id: asked.actId, at: new Date(asked.now), act: 'accept', from_state: row.state },
      ...{ to_state: 'accepted', actor_id: asked.actorId, actor: asked.actor, reason: asked.reason, until },
    })
    await appendAudit(trx, entry)
    return 'done'
  })
}
