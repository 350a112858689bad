import type { SettingSource } from '@linewarden/contract'
import { openStates, underWayStates } from '@linewarden/rules/control'
import type { Bypass, SettingFact, SettingLife } from '@linewarden/rules/settings'
import { mayHaveTaken } from '@linewarden/rules/settings'
import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Seen } from '../alarm/event.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Interlock } from '../control/interlock.ts'
import { interlocksOf } from '../control/interlock.ts'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { coded, inOrder } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'
import type { BypassKey } from './stored-bypass.ts'
import { notOver, offsOf } from './stored-bypass.ts'

/** An order to set something, as stored: who, why, what it was before, and its life so far. */
export interface StoredChange extends SettingLife {
  readonly commandId: string
  readonly batchId: string
  readonly gatewayId: number
  /** Null: of the gateway itself. */
  readonly lineId: number | null
  readonly former: Readonly<Record<string, number | null>>
  readonly accountId: string | null
  readonly actor: string
  readonly source: SettingSource
  readonly reason: string
  readonly template: string | null
  readonly undoes: string | null
  readonly offUntil: number | null
  readonly fence: number
}

export type NewChange = Omit<
  StoredChange,
  'state' | 'outcome' | 'sentAt' | 'acknowledgedAt' | 'verifiedAt' | 'endedAt' | 'proven' | 'clockChecked' | 'fence'
> & {
  readonly bypasses: readonly Bypass[]
  /** Protections among those it sets that were bypassed when it was validated: what is restored, and when, depends on them. */
  readonly validatedBy: readonly BypassKey[]
  /** Orders whose bypassed protections this one restores. */
  readonly restores: readonly BypassKey[]
}

export interface AuthorisedChanges {
  readonly saved: readonly StoredChange[]
  /** By command id: what the database knew against it. Nothing of it is stored or sent. */
  readonly stopped: ReadonlyMap<string, Interlock>
}

/**
 * Saves orders with their fences and the audit of those that were saved, in one transaction. What is stopped is stopped as any other command is: also by one
 * that is under way, because an order that is newer at the gateway would make it refuse a trip that is still being tried.
 */
export async function authoriseChanges(
  { general }: Database,
  changes: readonly NewChange[],
  auditsOf: (authorised: readonly StoredChange[]) => readonly AuditEntry[],
): Promise<AuthorisedChanges> {
  const stopped = new Map<string, Interlock>()
  if (changes.length === 0) return { saved: [], stopped }
  return general.transaction().execute(async (trx) => {
    const fences = await nextFences(trx, changes)
    const lineIds = changes.flatMap(({ lineId }) => (lineId === null ? [] : [lineId]))
    const interlocks = await interlocksOf(trx, 'set', lineIds, Math.min(...changes.map(({ issuedAt }) => issuedAt)))
    for (const { commandId, lineId, source } of changes) {
      const interlock = lineId === null ? undefined : interlocks.get(lineId)
      // Nothing holds back a protection that is to come back: that makes the line safer, as a trip does.
      if (interlock && !(source === 'expiry' && interlock.is === 'held')) stopped.set(commandId, interlock)
    }
    const offs = await offsOf(trx, lineIds)
    for (const change of changes) {
      // Another order has bypassed it since: by what was known before, this one could remove the expiry of that bypass.
      if (change.lineId !== null && !sameOffs(change, offs.get(change.lineId) ?? []))
        stopped.set(change.commandId, stopped.get(change.commandId) ?? { is: 'busy' })
    }
    const free = changes.filter(({ commandId }) => !stopped.has(commandId))
    if (free.length === 0) return { saved: [], stopped }
    const rows = await trx
      .insertInto('setting_change')
      .values(free.map((each) => rowOf(each, fences.get(keyOf(each)) ?? '1')))
      .onConflict((oc) => oc.doNothing())
      .returningAll()
      .execute()
    const saved = new Set(rows.map((row) => row.command_id))
    // A gateway's own settings have no line: there the row that is under way already stops the next.
    for (const { commandId } of free) if (!saved.has(commandId)) stopped.set(commandId, { is: 'busy' })
    await insertSteps(
      trx,
      rows.map((row) => ({
        commandId: row.command_id,
        state: row.state,
        at: row.issued_at.getTime(),
        evidence: { fence: row.fence, source: row.source },
      })),
    )
    const off = free.flatMap(({ commandId, lineId, offUntil, bypasses }) =>
      lineId !== null && offUntil !== null && saved.has(commandId)
        ? bypasses.map(({ key, former }) => ({
            command_id: commandId,
            key,
            line_id: lineId,
            former,
            until: new Date(offUntil),
            state: 'ordered' as const,
          }))
        : [],
    )
    for (const { commandId, restores } of free) {
      if (restores.length === 0 || !saved.has(commandId)) continue
      await sql`update setting_off set state = 'restoring', restore_id = ${commandId}::uuid where state = 'standing' and (command_id, key) in (
        select * from unnest(${restores.map((each) => each.commandId)}::uuid[], ${restores.map(({ key }) => key)}::text[]))`.execute(
        trx,
      )
    }
    if (off.length > 0) await trx.insertInto('setting_off').values(off).execute()
    const authorised = rows.map(changeOf)
    for (const audit of auditsOf(authorised)) await appendAudit(trx, audit)
    return { saved: authorised, stopped }
  })
}

function sameOffs({ wanted, validatedBy }: NewChange, offs: readonly BypassKey[]): boolean {
  const now = offs.filter(({ key }) => key in wanted)
  return (
    now.length === validatedBy.length &&
    now.every(({ commandId, key }) => validatedBy.some((each) => each.commandId === commandId && each.key === key))
  )
}

const keyOf = ({ lineId, gatewayId }: Pick<NewChange, 'lineId' | 'gatewayId'>) =>
  lineId === null ? `gateway ${gatewayId}` : `line ${lineId}`

/** Locks in order of id, so that two batches never wait for each other. */
async function nextFences(trx: Kysely<Schema>, changes: readonly NewChange[]): Promise<Map<string, string>> {
  const lines = [...new Set(changes.flatMap(({ lineId }) => (lineId === null ? [] : [lineId])))]
  const gateways = [...new Set(changes.flatMap(({ lineId, gatewayId }) => (lineId === null ? [gatewayId] : [])))]
  const ofLines = await sql<{ line_id: number; fence: string }>`
    insert into command_fence as f (line_id, fence) select id, 1 from unnest(${lines}::int[]) id order by id
    on conflict (line_id) do update set fence = f.fence + 1 returning line_id, fence`.execute(trx)
  const ofGateways = await sql<{ gateway_id: number; fence: string }>`
    insert into gateway_fence as f (gateway_id, fence) select id, 1 from unnest(${gateways}::int[]) id order by id
    on conflict (gateway_id) do update set fence = f.fence + 1 returning gateway_id, fence`.execute(trx)
  return new Map([
    ...ofLines.rows.map(({ line_id, fence }) => [`line ${line_id}`, fence] as const),
    ...ofGateways.rows.map(({ gateway_id, fence }) => [`gateway ${gateway_id}`, fence] as const),
  ])
}

const rowOf = (change: NewChange, fence: string) => ({
  command_id: change.commandId,
  batch_id: change.batchId,
  gateway_id: change.gatewayId,
  line_id: change.lineId,
  wanted: JSON.stringify(change.wanted),
  former: JSON.stringify(change.former),
  state: 'authorised' as const,
  account_id: change.accountId,
  actor: change.actor,
  source: change.source,
  reason: change.reason,
  template: change.template,
  undoes: change.undoes,
  off_until: change.offUntil === null ? null : new Date(change.offUntil),
  fence,
  issued_at: new Date(change.issuedAt),
  deadline: new Date(change.deadline),
})

/**
 * Writes lives as they are now, and what follows from them, in one transaction: what was taken or may have been taken is desired from now on;
 * a protection that was never switched off needs nobody to restore it; one that was set anew is no longer waiting for its former value; one
 * whose restoring order never left still waits.
 */
export async function saveChanges(
  { general }: Database,
  steps: readonly { readonly life: StoredChange; readonly fact: SettingFact }[],
): Promise<void> {
  if (steps.length === 0) return
  const changes = [...new Map(steps.map(({ life }) => [life.commandId, life])).values()]
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  const lives = changes.map((each) => ({
    command_id: each.commandId,
    state: each.state,
    outcome: each.outcome,
    sent_at: time(each.sentAt),
    acknowledged_at: time(each.acknowledgedAt),
    verified_at: time(each.verifiedAt),
    ended_at: time(each.endedAt),
  }))
  const idsIn = (...states: StoredChange['state'][]) =>
    changes.filter(({ state }) => states.includes(state)).map(({ commandId }) => commandId)
  const taken = idsIn(...mayHaveTaken)
  const verified = idsIn('verified')
  const never = idsIn('refused', 'expired', 'failed')
  await general.transaction().execute(async (trx) => {
    await insertSteps(
      trx,
      steps.map(({ life, fact }) => ({ commandId: life.commandId, state: life.state, at: fact.at, evidence: fact })),
    )
    await sql`
      update setting_change c set state = n.state, outcome = n.outcome, sent_at = n.sent_at, acknowledged_at = n.acknowledged_at,
        verified_at = n.verified_at, ended_at = n.ended_at
      from jsonb_to_recordset(${JSON.stringify(lives)}::jsonb) as n(command_id uuid, state text, outcome text, sent_at timestamptz,
        acknowledged_at timestamptz, verified_at timestamptz, ended_at timestamptz)
      where c.command_id = n.command_id`.execute(trx)
    if (taken.length > 0)
      await sql`
        insert into setting_desired as d (line_id, key, value, command_id)
        select distinct on (c.line_id, w.key) c.line_id, w.key, w.value::double precision, c.command_id
        from setting_change c, jsonb_each_text(c.wanted) w
        where c.command_id = any(${taken}::uuid[]) and c.line_id is not null
        order by c.line_id, w.key, c.issued_at desc
        on conflict (line_id, key) do update set value = excluded.value, command_id = excluded.command_id
        where (select issued_at from setting_change where command_id = d.command_id)
          <= (select issued_at from setting_change where command_id = excluded.command_id)`.execute(trx)
    if (verified.length > 0) await endedByNewer(trx, verified)
    if (taken.length > 0)
      await sql`update setting_off set state = 'standing' where command_id = any(${taken}::uuid[]) and state = 'ordered'`.execute(
        trx,
      )
    if (never.length > 0) {
      await sql`update setting_off set state = 'ended' where command_id = any(${never}::uuid[]) and state in ('ordered', 'standing')`.execute(
        trx,
      )
      await sql`update setting_off set state = case when c.state = 'expired' then 'standing' else 'failed' end
        from setting_change c where c.command_id = restore_id and restore_id = any(${never}::uuid[]) and setting_off.state = 'restoring'`.execute(
        trx,
      )
    }
    const unknown = idsIn('unknown')
    if (unknown.length > 0)
      await sql`update setting_off set state = 'failed' where restore_id = any(${unknown}::uuid[]) and state = 'restoring'`.execute(
        trx,
      )
  })
}

interface NewStep {
  readonly commandId: string
  readonly state: string
  readonly at: number
  readonly evidence: object
}

/** Several steps of one change keep their order. */
async function insertSteps(trx: Kysely<Schema>, steps: readonly NewStep[]): Promise<void> {
  if (steps.length === 0) return
  const rows = steps.map(({ commandId, state, at, evidence }) => ({
    command_id: commandId,
    state,
    at: new Date(at).toISOString(),
    evidence,
  }))
  await sql`
    insert into setting_step (command_id, step_no, state, at, evidence)
    select n.command_id, coalesce((select max(step_no) from setting_step s where s.command_id = n.command_id), 0)
      + row_number() over (partition by n.command_id order by n.place), n.state, n.at, n.evidence
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (command_id uuid, state text, at timestamptz, evidence jsonb))
      with ordinality as n(command_id, state, at, evidence, place)`.execute(trx)
}

export interface StoredStep {
  readonly state: string
  readonly at: number
  readonly evidence: Readonly<Record<string, unknown>>
}

/** What happened to a change, in order. */
export async function stepsOfChange({ general }: Database, commandId: string): Promise<readonly StoredStep[]> {
  const rows = await general
    .selectFrom('setting_step')
    .selectAll()
    .where('command_id', '=', commandId)
    .orderBy('step_no')
    .execute()
  return rows.map((row) => ({ state: row.state, at: row.at.getTime(), evidence: row.evidence }))
}

/** A change that was read back ends the waiting of every older one of the same setting; the one it restores is restored. */
async function endedByNewer(trx: Kysely<Schema>, verified: readonly string[]): Promise<void> {
  await sql`
    update setting_off o set state = case when o.restore_id = c.command_id then 'restored' else 'ended' end
    from setting_change c
    where c.command_id = any(${[...verified]}::uuid[]) and o.line_id = c.line_id and c.wanted ? o.key and o.command_id <> c.command_id
      and o.state in (${notOver})
      and c.issued_at >= (select issued_at from setting_change where command_id = o.command_id)`.execute(trx)
}

/** Orders that some later fact may still move. */
export async function openChanges({ general }: Database): Promise<StoredChange[]> {
  const rows = await general.selectFrom('setting_change').selectAll().where('state', 'in', openStates).execute()
  return rows.map(changeOf)
}

/** Orders that should have ended, or be called unknown, and are not. */
export async function overdueChanges({ general }: Database, before: number): Promise<StoredChange[]> {
  const rows = await general
    .selectFrom('setting_change')
    .selectAll()
    .where('state', 'in', underWayStates)
    .where('deadline', '<', new Date(before))
    .execute()
  return rows.map(changeOf)
}

export async function changesById({ general }: Database, commandIds: readonly string[]): Promise<StoredChange[]> {
  if (commandIds.length === 0) return []
  const rows = await general
    .selectFrom('setting_change')
    .selectAll()
    .where('command_id', 'in', [...commandIds])
    .execute()
  return rows.map(changeOf)
}

/** An order may get its fence a little after another that was given later. */
const overtakenByMs = 60_000

export type NewerValues = ReadonlyMap<string, { readonly value: number; readonly isVerified: boolean }>

/** What was set last since a change, of each of its settings, as far as the equipment may have taken it. */
export async function newerValues({ general }: Database, change: StoredChange): Promise<NewerValues> {
  const { rows } = await sql<{ key: string; value: number; is_verified: boolean }>`
    select distinct on (w.key) w.key, w.value::double precision as value, c.state = 'verified' as is_verified
    from setting_change c, jsonb_each_text(c.wanted) w
    where c.gateway_id = ${change.gatewayId} and c.line_id is not distinct from ${change.lineId}::int and c.fence > ${change.fence}
      and c.issued_at >= ${new Date(change.issuedAt - overtakenByMs)} and c.state in ('verified', 'unknown')
      and w.key = any(${Object.keys(change.wanted)}::text[])
    order by w.key, c.fence desc`.execute(general)
  return new Map(rows.map(({ key, value, is_verified: isVerified }) => [key, { value, isVerified }]))
}

export interface ChangeFilter {
  /** Null: everything. */
  readonly seen: Seen | null
  readonly lineId: number | null
  readonly batchId: string | null
  readonly off: boolean
  readonly page: number
  readonly size: number
  readonly sort?: SortOf<typeof order> | undefined
}

const order = {
  columns: { RequestedAt: 'issued_at', Actor: coded('actor'), State: coded('state') },
  ties: ['issued_at', 'command_id'],
} satisfies Order<string>

/** A page of the history, newest first, and how many there are. */
export async function listChanges(
  { general }: Database,
  { seen, lineId, batchId, off, page, size, sort }: ChangeFilter,
): Promise<{ changes: StoredChange[]; total: number }> {
  const filtered = <O>(query: SelectQueryBuilder<Schema, 'setting_change', O>) => {
    let narrow = query
    if (seen)
      narrow = narrow.where(
        sql<boolean>`gateway_id in (select gateway_id from gateway where removed_at is null
          and (project_id = any(${[...seen.projectIds]}::int[]) or gateway_id = any(${[...seen.gatewayIds]}::int[])))`,
      )
    if (lineId !== null) narrow = narrow.where('line_id', '=', lineId)
    if (batchId !== null) narrow = narrow.where('batch_id', '=', batchId)
    if (off) narrow = narrow.where('off_until', 'is not', null)
    return narrow
  }
  const found = filtered(general.selectFrom('setting_change').selectAll())
  const rows = await inOrder(found, sort, order, (own) => own.orderBy('issued_at', 'desc').orderBy('command_id'))
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await filtered(
    general.selectFrom('setting_change').select(({ fn }) => fn.countAll<string>().as('total')),
  ).executeTakeFirstOrThrow()
  return { changes: rows.map(changeOf), total: Number(total) }
}

const ms = (at: Date | null): number | null => at?.getTime() ?? null

const changeOf = (row: Selectable<Schema['setting_change']>): StoredChange => ({
  commandId: row.command_id,
  batchId: row.batch_id,
  gatewayId: row.gateway_id,
  lineId: row.line_id,
  wanted: row.wanted,
  former: row.former,
  proven: [],
  // What is sent whatever the clock is proven whatever the clock; everything else the permit lets through only with a near one.
  clockChecked: row.line_id !== null && row.source !== 'expiry',
  state: row.state,
  outcome: row.outcome,
  accountId: row.account_id,
  actor: row.actor,
  source: row.source,
  reason: row.reason,
  template: row.template,
  undoes: row.undoes,
  offUntil: ms(row.off_until),
  fence: Number(row.fence),
  issuedAt: row.issued_at.getTime(),
  deadline: row.deadline.getTime(),
  sentAt: ms(row.sent_at),
  acknowledgedAt: ms(row.acknowledged_at),
  verifiedAt: ms(row.verified_at),
  endedAt: ms(row.ended_at),
})
