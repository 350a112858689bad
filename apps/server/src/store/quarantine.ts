import type { Selectable } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

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

const keptDays = 30

/** Forgets what has been set aside for a month. */
export async function purgeQuarantine({ general }: Database, now: number): Promise<void> {
  await general
    .deleteFrom('quarantine')
    .where('received_at', '<', new Date(now - keptDays * 86_400_000))
    .execute()
}
