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
