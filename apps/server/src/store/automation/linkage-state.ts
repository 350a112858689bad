import type { LinkageState, MetBy } from '@linewarden/rules/automation'
import { clocksApartMs, isSameRise, mergedLinkage, mergedRise, notAhead } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { StoredLinkage } from './linkage.ts'
import type { HaltedWhy, StoredRise } from './linkage-schema.ts'

export interface KeptLinkage {
  readonly linkageId: number
  readonly version: number
  /** How often it has come to be true. */
  readonly rises: number
  readonly state: Readonly<Record<string, unknown>>
  /** As it stands in the database, or stood when it was read or written here last; below 0: it is not there. */
  readonly turn: number
}

type KeptState = KeptLinkage['state']

/** Where conditions of these linkages stood at the last checkpoint, of whichever server. */
export async function keptLinkages(db: Kysely<Schema>, linkageIds: readonly number[]): Promise<ReadonlyMap<number, KeptLinkage>> {
  const rows = await db
    .selectFrom('linkage_state')
    .select(['linkage_id', 'version', 'rises', 'state', 'turn', 'beside'])
    .where(sql<boolean>`linkage_id = any(${[...linkageIds]}::int[])`)
    .execute()
  return new Map(
    rows.map(({ linkage_id, version, rises, state, turn, beside }) => [
      linkage_id,
      { linkageId: linkage_id, version, rises, state: putTogether(state, beside), turn },
    ]),
  )
}

/** Two states of one version of a linkage. What is no state is of another version of this server: then the first one counts. */
export function putTogether(own: KeptState, other: object | null, merged = mergedLinkage): KeptState {
  if (other === null || !isState(own) || !isState(other) || own.conditions.length !== other.conditions.length) return own
  return { ...merged(own, other) }
}

/** Whether what is stored is a state as this version of the server keeps it. */
export const isState = (state: object): state is LinkageState =>
  'clock' in state &&
  typeof state.clock === 'number' &&
  'conditions' in state &&
  Array.isArray(state.conditions) &&
  state.conditions.every((each) => typeof each === 'object' && each !== null)

/**
 * Keeps where conditions stand. Answers the turns of those that were written, by their ids: the others were written elsewhere since they were read
 * here, or changed.
 */
export async function writeLinkages(
  { general }: Pick<Database, 'general'>,
  kept: readonly KeptLinkage[],
  now: number,
): Promise<ReadonlyMap<number, number>> {
  if (kept.length === 0) return new Map()
  const given = kept.map(({ linkageId, ...each }) => ({ linkage_id: linkageId, ...each }))
  // As one text: an array is written element by element.
  const { rows } = await sql<{ linkage_id: number; turn: number }>`
    insert into linkage_state (linkage_id, version, rises, state, at, turn)
    select linkage_id, given.version, rises, state, ${new Date(now)}, turn + 1
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as given (linkage_id int, version int, rises int, state jsonb, turn int) join linkage using (linkage_id, version)
    on conflict (linkage_id) do update
      set state = excluded.state, version = excluded.version, at = excluded.at, turn = excluded.turn, beside = null
      where linkage_state.turn = excluded.turn - 1
    returning linkage_id, turn`.execute(general)
  return new Map(rows.map(({ linkage_id, turn }) => [linkage_id, turn]))
}

/** A rise as a server observes it. `metBy`: the values that it came of; null: not known. `late`: nothing is done for it any more. */
export interface ObservedRise {
  readonly at: number
  readonly metBy: MetBy | null
  readonly late: boolean
}

/** `besideAt`: another that this server did not know of rose within a minute of it, and may have been the same; null: none did. */
export interface TakenRise {
  readonly rises: number
  /** When the linkage has acted within a day before, Unix ms. */
  readonly firedAt: readonly number[]
  /** Null: with it stands what another server knows, which is not known here. */
  readonly turn: number | null
  readonly besideAt: number | null
}

/**
 * Takes a rise for this server, and keeps what its conditions are by then. Null: what it came of is stored as what an earlier one came of, by this
 * server or another. That two came close to one another makes them no single one: a danger may have come just after something else.
 */
export async function takeRise(
  trx: Kysely<Schema>,
  kept: KeptLinkage,
  { at, metBy, late }: ObservedRise,
  now: number,
): Promise<TakenRise | null> {
  const { linkageId, version } = kept
  const before = (await lockedState(trx, linkageId)) ?? (await insertedState(trx, kept, now))
  const isKnown = before.rises <= kept.rises
  if (!isKnown && before.rose_by?.version === version && isSameRise(metBy, before.rose_by.metBy)) return null
  const rises = before.rises + 1
  // For one that came too late nothing was done: none is taken for it.
  const rose_by = late || metBy === null ? null : storableJson({ version, metBy } satisfies StoredRise)
  const isAsRead = before.turn === kept.turn
  const others = isAsRead || before.version !== version ? null : putTogether(before.state, before.beside)
  const state = putTogether(kept.state, others, (own, theirs) => mergedRise(own, notAhead(theirs, now + clocksApartMs)))
  const turn = before.turn + 1
  // Its row is locked by now: of what other servers have it do nothing is overlooked.
  const { fired } = await trx
    .updateTable('linkage_state')
    .set({ rises, rose_at: new Date(at), rose_by, version, state: storableJson(state), at: new Date(now), turn, beside: null })
    .where('linkage_id', '=', linkageId)
    .returning(
      sql<readonly Date[]>`array(select claimed_at from automation_run where source = 'linkage' and source_id = ${linkageId}
      and parent_run_id is null and claimed_at > ${new Date(at - 86_400_000)})`.as('fired'),
    )
    .executeTakeFirstOrThrow()
  const roseAt = before.rose_at?.getTime() ?? null
  const isBeside = !isKnown && roseAt !== null && Math.abs(roseAt - at) < sameRiseMs
  const firedAt = fired.map((each) => each.getTime())
  return { rises, firedAt, turn: isAsRead ? turn : null, besideAt: isBeside ? roseAt : null }
}

const lockedState = (trx: Kysely<Schema>, linkageId: number) =>
  trx
    .selectFrom('linkage_state')
    .select(['version', 'rises', 'rose_at', 'rose_by', 'state', 'turn', 'beside'])
    .where('linkage_id', '=', linkageId)
    .forUpdate()
    .executeTakeFirst()

/** Of a linkage of which nothing was stored yet. */
async function insertedState(trx: Kysely<Schema>, { linkageId, version, rises, state, turn }: KeptLinkage, now: number) {
  await sql`insert into linkage_state (linkage_id, version, rises, state, at, turn)
    values (${linkageId}, ${version}, ${rises}, ${storableJson(state)}::jsonb, ${new Date(now)}, ${turn})
    on conflict (linkage_id) do nothing`.execute(trx)
  const stored = await lockedState(trx, linkageId)
  if (!stored) throw new Error('the state of a linkage was neither there nor made')
  return stored
}

/** Two servers that have come to see one rise differ by less than this. */
const sameRiseMs = 60_000

/** Whether it is still as it was read, and in force, or `evenHalted`; it stays so until the transaction ends. */
export async function isInForce(
  trx: Kysely<Schema>,
  { linkageId, version }: StoredLinkage,
  evenHalted: boolean,
): Promise<boolean> {
  const { rows } = await sql`select from linkage where linkage_id = ${linkageId} and version = ${version} and enabled
    and (halted_at is null or ${evenHalted}) and removed_at is null for no key update`.execute(trx)
  return rows.length > 0
}

/** It stops itself until a person clears that. */
export async function haltLinkage(trx: Kysely<Schema>, linkageId: number, why: HaltedWhy, at: number): Promise<void> {
  await trx
    .updateTable('linkage')
    .set({ halted_at: new Date(at), halted_why: why })
    .where('linkage_id', '=', linkageId)
    .where('halted_at', 'is', null)
    .execute()
}

const nearEveryMs = 300_000

/** That a linkage nearly fired, and what it was decided by. */
export interface NearFiring {
  readonly linkage: Pick<StoredLinkage, 'linkageId' | 'projectId' | 'name' | 'mode'>
  readonly why: string
  readonly at: number
  readonly trace: object
}

/** Keeps that these nearly fired, of each and of each reason once in five minutes. */
export async function noteNear(db: Kysely<Schema>, near: readonly NearFiring[]): Promise<void> {
  if (near.length === 0) return
  await db
    .insertInto('linkage_near')
    .values(
      near.map(({ linkage, why, at, trace }) => ({
        ...{ linkage_id: linkage.linkageId, project_id: linkage.projectId, why, slot: String(nearSlot(at)), at: new Date(at) },
        ...{ name: linkage.name, mode: linkage.mode, trace: storableJson(trace) },
      })),
    )
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** Which five minutes an instant is in. */
export const nearSlot = (at: number): number => Math.floor(at / nearEveryMs)

/** When they are over, Unix ms. */
export const nearSlotEnd = (at: number): number => (nearSlot(at) + 1) * nearEveryMs

export interface RaisedAlarm {
  readonly linkageId: number
  readonly lineId: number
}

/** What linkages have raised and not taken back. */
export async function raisedAlarms(db: Kysely<Schema>): Promise<readonly RaisedAlarm[]> {
  const rows = await db.selectFrom('linkage_raised').select(['linkage_id', 'line_id']).execute()
  return rows.map(({ linkage_id, line_id }) => ({ linkageId: linkage_id, lineId: line_id }))
}

export async function noteRaised(
  trx: Kysely<Schema>,
  linkageId: number,
  lineIds: readonly number[],
  executionId: string,
  at: number,
): Promise<void> {
  for (const line_id of lineIds)
    await trx
      .insertInto('linkage_raised')
      .values({ linkage_id: linkageId, line_id, run_id: executionId, at: new Date(at) })
      .onConflict((oc) => oc.columns(['linkage_id', 'line_id']).doUpdateSet({ run_id: executionId, at: new Date(at) }))
      .execute()
}

export const forgetRaised = async (db: Kysely<Schema>, linkageId: number, lineId: number): Promise<void> =>
  void (await db.deleteFrom('linkage_raised').where('linkage_id', '=', linkageId).where('line_id', '=', lineId).execute())
