import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Holds } from '../../plant/plant.ts'
import type { Schema } from '../core/schema.ts'
import { tagsHoldingLines } from './tag.ts'

/** What the database says stands against energising a line, whichever server wrote it. */
export async function holdsOf(db: Kysely<Schema>, lineId: number): Promise<Holds> {
  return (await holdsOfLines(db, [lineId])).get(lineId) ?? { inspectionUntil: null, tags: [] }
}

/** The same of many lines at once. */
export async function holdsOfLines(db: Kysely<Schema>, lineIds: readonly number[]): Promise<ReadonlyMap<number, Holds>> {
  const lines = await db
    .selectFrom('line')
    .select(['line_id', 'inspection_until'])
    .where(sql<boolean>`line_id = any(${[...lineIds]}::int[])`)
    .execute()
  const tags = await tagsHoldingLines(db, lineIds)
  return new Map(
    lines.map(({ line_id, inspection_until }) => [
      line_id,
      { inspectionUntil: inspection_until?.getTime() ?? null, tags: tags.get(line_id) ?? [] },
    ]),
  )
}

/** Locks lines against being authorised until the transaction ends: whoever holds a line and whoever operates it come one after the other. */
export async function lockLines(trx: Kysely<Schema>, lineIds: readonly number[]): Promise<void> {
  await trx
    .insertInto('command_fence')
    // In order of id, so that two who lock the same lines never wait for each other in a circle.
    .values([...lineIds].sort((a, b) => a - b).map((line_id) => ({ line_id, fence: '0' })))
    .onConflict((oc) => oc.column('line_id').doUpdateSet(({ ref }) => ({ fence: ref('command_fence.fence') })))
    .execute()
}
