import type { Bypass } from '@linewarden/rules/settings'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { OrderBlock } from '../control/order-block.ts'
import { orderBlocksOf } from '../control/order-block.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { StoredChange } from './setting-change.ts'
import { changeOf } from './setting-change.ts'
import { insertSteps } from './setting-step.ts'
import type { BypassKey } from './stored-bypass.ts'
import { offsOf } from './stored-bypass.ts'

/** An order as it is to be stored: what it sets, and what was known when it was validated. */
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
  readonly stopped: ReadonlyMap<string, OrderBlock>
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
  const stopped = new Map<string, OrderBlock>()
  if (changes.length === 0) return { saved: [], stopped }
  return general.transaction().execute(async (trx) => {
    const fences = await nextFences(trx, changes)
    const lineIds = changes.flatMap(({ lineId }) => (lineId === null ? [] : [lineId]))
    const blocks = await orderBlocksOf(trx, 'set', lineIds, Math.min(...changes.map(({ issuedAt }) => issuedAt)))
    for (const { commandId, lineId, source } of changes) {
      const block = lineId === null ? undefined : blocks.get(lineId)
      // Nothing blocks restoring a protection: that makes the line safer, as a trip does.
      if (block && !(source === 'expiry' && block.is === 'interlocked')) stopped.set(commandId, block)
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
