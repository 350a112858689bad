import { dayMs } from '@linewarden/equipment'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { storableText } from '../../lib/storable-text.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Quarantined } from './batch.ts'

/** A page of messages that could not be taken, newest first. */
export async function listQuarantine(
  { general }: Database,
  page: number,
  size: number,
): Promise<{ rows: Selectable<Schema['quarantine']>[]; total: number }> {
  const rows = await general
    .selectFrom('quarantine')
    .selectAll()
    .orderBy('quarantine_id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await general
    .selectFrom('quarantine')
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

const keptBytes = 4_096

/** Keeps messages aside, in one statement. */
export async function writeQuarantine({ general }: Pick<Database, 'general'>, all: readonly Quarantined[]): Promise<void> {
  await sql`insert into quarantine (received_at, gateway_number, topic, reason, detail, size, payload)
    select * from unnest(${all.map(({ at }) => new Date(at))}::timestamptz[], ${all.map(({ number }) => number && storableText(number))}::text[],
      ${all.map(({ topic }) => storableText(topic).slice(0, 512))}::text[], ${all.map(({ reason }) => reason)}::text[],
      ${all.map(({ detail }) => storableText(detail).slice(0, 512))}::text[], ${all.map(({ payload }) => payload.length)}::int[],
      ${all.map(({ payload }) => Buffer.from(payload.subarray(0, keptBytes)))}::bytea[])`.execute(general)
}

/** Counts messages that were not kept, on one row for each gateway and hour. */
export async function countOverLimit(
  { general }: Pick<Database, 'general'>,
  counts: readonly { readonly number: string | null; readonly hour: number; readonly count: number }[],
): Promise<void> {
  await sql`insert into quarantine (received_at, gateway_number, topic, reason, detail, size, payload, messages)
    select hour, number, '', 'over_limit', 'further messages of this hour that could not be taken; they are only counted', 0, ''::bytea, count
    from unnest(${counts.map(({ hour }) => new Date(hour))}::timestamptz[], ${counts.map(({ number }) => number)}::text[],
      ${counts.map(({ count }) => count)}::int[]) as said (hour, number, count)
    on conflict (coalesce(gateway_number, ''), received_at) where reason = 'over_limit'
      do update set messages = quarantine.messages + excluded.messages`.execute(general)
}

const keptDays = 30
const maxOfOneGateway = 1_000

/** Forgets what has been set aside for a month, and what one gateway has too much of. */
export async function purgeQuarantine({ general }: Database, now: number): Promise<void> {
  await general
    .deleteFrom('quarantine')
    .where('received_at', '<', new Date(now - keptDays * dayMs))
    .execute()
  await sql`delete from quarantine using (
      select quarantine_id, row_number() over (partition by gateway_number order by quarantine_id desc) as no from quarantine
    ) as counted where counted.quarantine_id = quarantine.quarantine_id and counted.no > ${maxOfOneGateway}`.execute(general)
}
