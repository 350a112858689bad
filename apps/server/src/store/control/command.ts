import type { Text } from '@linewarden/equipment'
import type { CommandFact, CommandLife } from '@linewarden/rules/control'
import { isSameLife, isUnderWay, openStates, underWayStates } from '@linewarden/rules/control'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import { afterDangers, putWord } from '../automation/override.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim } from '../jobs/due-work.ts'
import { hasLease } from '../jobs/due-work.ts'
import { nextFence } from './fence.ts'
import { isOver } from './group-operation-over.ts'
import type { OrderBlock } from './order-block.ts'
import { orderBlocksOf } from './order-block.ts'

/** A command as stored: who ordered what, and its life so far. */
export interface StoredCommand extends CommandLife {
  readonly commandId: string
  readonly lineId: number
  readonly actor: string
  readonly source: string
  readonly reason: Text
  readonly fence: number
  /** The group operation or campaign it is part of. */
  readonly operationId: string | null
}

export interface NewCommand {
  readonly commandId: string
  readonly lineId: number
  readonly action: CommandLife['action']
  readonly accountId: string
  readonly actor: string
  readonly source: string
  /** In a person's own words, or the server's in both languages. */
  readonly reason: string | Text
  readonly issuedAt: number
  readonly deadline: number
  readonly operationId: string | null
  /** The work that it is the one command of: it leaves while that is leased, and never from a former holder. */
  readonly claim?: Claim | null
  /** Unix ms: a trip of the line that was ordered since counts more than this. */
  readonly notTrippedSince?: number | null
  /** What its person wants of the timers of the line from then on, beside what a trip or a close says by itself. */
  readonly override?: { readonly kind: 'next' | 'until'; readonly until: number | null } | null
  /** A trip of the line behind this fence counts more than this; null: none is looked for. */
  readonly notTrippedBehind?: number | null
  /** A danger that has tripped the line counts more than this, whenever that was. */
  readonly notAfterDanger?: boolean
}

export type Authorised =
  | { readonly is: 'new' | 'known'; readonly command: StoredCommand }
  | { readonly is: 'over' }
  | { readonly is: 'tripped' }
  | { readonly is: 'afterDanger' }
  | OrderBlock

/**
 * Saves command, fence and audit in one transaction. The fence row is locked before anything is looked at, so that two people who press at
 * once come one after the other: whatever is no trip is stopped by what the database knows against it, and by the end of the group it is part
 * of. That group's row is locked before the fence: a trip by hand must not queue behind whoever ends a group; so is the row of a work. A known id
 * is answered as it stands.
 */
export async function authorise({ control }: Database, command: NewCommand, audit: AuditEntry): Promise<Authorised> {
  return control.transaction().execute(async (trx) => {
    const over = command.action !== 'trip' && (await isNoLongerWanted(trx, command))
    const fence = await nextFence(trx, command.lineId)
    const known = await commandById(trx, command.commandId)
    if (known) return { is: 'known', command: known }
    if (over) return { is: 'over' }
    if (await isTrippedSince(trx, command)) return { is: 'tripped' }
    if (command.notAfterDanger && (await afterDangers(trx, [command.lineId])).has(command.lineId)) return { is: 'afterDanger' }
    if (command.action !== 'trip') {
      const block = (await orderBlocksOf(trx, command.action, [command.lineId], command.issuedAt)).get(command.lineId)
      if (block) return block
    }
    const row = await trx.insertInto('command').values(rowOf(command, fence)).returningAll().executeTakeFirstOrThrow()
    await insertStep(trx, command.commandId, 'authorised', command.issuedAt, { fence, source: command.source })
    const { override, issuedAt, actor, reason } = command
    if (override) {
      const words = typeof reason === 'string' ? reason : reason.zh
      await putWord(trx, command.lineId, { ...override, since: issuedAt, actor, reason: words }, fence)
    }
    await appendAudit(trx, audit)
    return { is: 'new', command: commandOf(row) }
  })
}

/** A command as it is stored when it is authorised. */
export const rowOf = (command: NewCommand, fence: string) => ({
  command_id: command.commandId,
  line_id: command.lineId,
  action: command.action,
  state: 'authorised' as const,
  account_id: command.accountId,
  actor: command.actor,
  source: command.source,
  ...(typeof command.reason === 'string'
    ? { reason: command.reason }
    : { reason: command.reason.zh, reason_en: command.reason.en }),
  fence,
  issued_at: new Date(command.issuedAt),
  deadline: new Date(command.deadline),
  run_id: command.operationId,
})

/**
 * How often something was ordered of each of these lines, as far as it is stored. What is on its way to be stored comes behind it, so that
 * nothing that is read after this can miss a trip. Lines of which nothing was ordered yet are left out.
 */
export async function fencesOf(db: Kysely<Schema>, lineIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('command_fence')
    .selectAll()
    .where(sql<boolean>`line_id = any(${[...lineIds]}::int[])`)
    .execute()
  return new Map(rows.map(({ line_id, fence }) => [line_id, Number(fence)]))
}

async function isTrippedSince(trx: Kysely<Schema>, { lineId, notTrippedSince, notTrippedBehind }: NewCommand): Promise<boolean> {
  if (notTrippedSince == null && notTrippedBehind == null) return false
  const trip = await trx
    .selectFrom('command')
    .select('command_id')
    .where('line_id', '=', lineId)
    .where('action', '=', 'trip')
    .where((eb) =>
      eb.or([
        ...(notTrippedSince == null ? [] : [eb('issued_at', '>=', new Date(notTrippedSince))]),
        ...(notTrippedBehind == null ? [] : [eb('fence', '>', String(notTrippedBehind))]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return trip !== undefined
}

async function isNoLongerWanted(trx: Kysely<Schema>, { operationId, claim }: NewCommand): Promise<boolean> {
  if (operationId !== null && (await isOver(trx, operationId))) return true
  return claim ? !(await hasLease(trx, claim)) : false
}

/** Whether what was ordered of a line last is a trip, and still under way, whatever any server has heard of it. */
export async function isTripUnderWay(db: Kysely<Schema>, lineId: number): Promise<boolean> {
  const last = await db
    .selectFrom('command')
    .select(['action', 'state'])
    .where('line_id', '=', lineId)
    .orderBy('fence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.action === 'trip' && isUnderWay(last.state)
}

export async function commandById(db: Kysely<Schema>, commandId: string): Promise<StoredCommand | null> {
  const row = await db.selectFrom('command').selectAll().where('command_id', '=', commandId).executeTakeFirst()
  return row ? commandOf(row) : null
}

/** A command as a fact has left it, and as it was before. */
export interface Step {
  readonly before: StoredCommand
  readonly life: StoredCommand
  readonly fact: CommandFact
}

/**
 * Writes lives as they are now, and the facts that made them so, over what they were made of; all or nothing. Where a command stands otherwise,
 * because another server has written it meanwhile, nothing is written at all: answers those, as they stand.
 */
export async function saveLives({ control }: Database, steps: readonly Step[]): Promise<readonly StoredCommand[]> {
  const [first] = steps
  if (first && steps.length === 1) return (await saveLife(control, first)) ? [] : otherwiseThan(control, steps)
  return control.transaction().execute(async (trx) => {
    const otherwise = await otherwiseThan(trx, steps)
    for (const step of otherwise.length > 0 ? [] : steps) await saveLife(trx, step)
    return otherwise
  })
}

/** Commands that do not stand as the first step of each was made of. */
async function otherwiseThan(db: Kysely<Schema>, steps: readonly Step[]): Promise<readonly StoredCommand[]> {
  const made = new Map(steps.toReversed().map(({ before }) => [before.commandId, before]))
  // In order of id, so that two who write the same commands never wait for each other in a circle.
  const rows = await db
    .selectFrom('command')
    .selectAll()
    .where('command_id', 'in', [...made.keys()])
    .orderBy('command_id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(commandOf).filter((stands) => {
    const before = made.get(stands.commandId)
    return !(
      before &&
      isSameLife(stands, before) &&
      stands.tripMs === before.tripMs &&
      stands.positionAfter === before.positionAfter
    )
  })
}

/** False: it stands otherwise, and is left so. */
async function saveLife(db: Kysely<Schema>, { before, life, fact }: Step): Promise<boolean> {
  const { commandId, state, outcome, sentAt, acknowledgedAt, verifiedAt, endedAt, tripMs, positionAfter } = life
  const at = (ms: number | null) => (ms === null ? null : new Date(ms))
  // One statement, one way to the database and back: a trip waits for it.
  const { rows } = await sql`with life as (
      update command set state = ${state}, outcome = ${outcome}, sent_at = ${at(sentAt)}, acknowledged_at = ${at(acknowledgedAt)},
        verified_at = ${at(verifiedAt)}, ended_at = ${at(endedAt)}, trip_ms = ${tripMs}, position_after = ${positionAfter}
      where command_id = ${commandId}::uuid and state = ${before.state} and outcome is not distinct from ${before.outcome}
        and (sent_at is null) = ${before.sentAt === null} and (acknowledged_at is null) = ${before.acknowledgedAt === null}
        and trip_ms is not distinct from ${before.tripMs} and position_after is not distinct from ${before.positionAfter}
      returning command_id
    )
    insert into command_step (command_id, step_no, state, at, evidence)
    select command_id, (select coalesce(max(step_no), 0) + 1 from command_step where command_id = ${commandId}::uuid), ${state},
      ${new Date(fact.at)}, ${storableJson(fact)}::jsonb
    from life returning step_no`.execute(db)
  return rows.length > 0
}

async function insertStep(db: Kysely<Schema>, commandId: string, state: string, at: number, evidence: object): Promise<void> {
  await sql`insert into command_step (command_id, step_no, state, at, evidence)
    select ${commandId}::uuid, coalesce(max(step_no), 0) + 1, ${state}, ${new Date(at)}, ${storableJson(evidence)}::jsonb
    from command_step where command_id = ${commandId}::uuid`.execute(db)
}

/** Commands that some later fact may still move. */
export async function openCommands({ control }: Database): Promise<StoredCommand[]> {
  const rows = await control.selectFrom('command').selectAll().where('state', 'in', openStates).execute()
  return rows.map(commandOf)
}

/** Commands that should have ended, or be called unknown, and are not. */
export async function overdueCommands({ control }: Database, before: number): Promise<StoredCommand[]> {
  const rows = await control
    .selectFrom('command')
    .selectAll()
    .where('state', 'in', underWayStates)
    .where('deadline', '<', new Date(before))
    .execute()
  return rows.map(commandOf)
}

/** One line's ledger, newest first. */
export async function ledger({ general }: Database, lineId: number, size: number): Promise<StoredCommand[]> {
  const rows = await general
    .selectFrom('command')
    .selectAll()
    .where('line_id', '=', lineId)
    .orderBy('issued_at', 'desc')
    .limit(size)
    .execute()
  return rows.map(commandOf)
}

const ms = (at: Date | null): number | null => at?.getTime() ?? null

export const commandOf = (row: Selectable<Schema['command']>): StoredCommand => ({
  commandId: row.command_id,
  lineId: row.line_id,
  action: row.action,
  state: row.state,
  outcome: row.outcome,
  actor: row.actor,
  source: row.source,
  reason: { zh: row.reason, en: row.reason_en ?? row.reason },
  fence: Number(row.fence),
  issuedAt: row.issued_at.getTime(),
  deadline: row.deadline.getTime(),
  sentAt: ms(row.sent_at),
  acknowledgedAt: ms(row.acknowledged_at),
  verifiedAt: ms(row.verified_at),
  endedAt: ms(row.ended_at),
  tripMs: row.trip_ms,
  positionAfter: row.position_after,
  operationId: row.run_id,
})
