import type { CommandAction } from '@linewarden/rules/control'
import { blocksAtSending, personBlocks } from '@linewarden/rules/control'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Holds } from '../../plant/plant.ts'
import type { Schema } from '../core/schema.ts'
import { holdsOfLines } from './hold.ts'
import { underWay } from './under-way.ts'

/** How an order ends that somebody keeps from leaving, who stands before its line or works there; by line, and only lines that are held. */
export async function holdsAtSending(
  db: Kysely<Schema>,
  action: CommandAction,
  lineIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  // A trip waits for nobody, and for no question either.
  if (action === 'trip' || lineIds.length === 0) return found
  for (const [lineId, holds] of await holdsOfLines(db, lineIds)) {
    const block = personBlocks(holds, action, now)
    if (block !== null) found.set(lineId, blocksAtSending[block])
  }
  return found
}

/** What the database knows against ordering something of a line, whichever server wrote it. */
export type Interlock = { readonly is: 'busy' } | { readonly is: 'held'; readonly holds: Holds }

/**
 * The last word before something is authorised, for actions and settings alike: an order of either kind that is still under way, a tag, an
 * inspection. Asked inside the transaction that has locked the lines' fences, so that whoever orders or hangs something at the same moment
 * comes before or after, never between. Lines without an interlock are not in the answer.
 */
export async function interlocksOf(
  trx: Kysely<Schema>,
  action: CommandAction,
  lineIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, Interlock>> {
  const { rows } = await sql<{ line_id: number; busy: boolean }>`
    select line_id,
      exists (select from command c where c.line_id = l.line_id and c.state in (${underWay}))
        or exists (select from setting_change s where s.line_id = l.line_id and s.state in (${underWay})) as busy
    from line l where line_id = any(${[...lineIds]}::int[])`.execute(trx)
  const found = new Map<number, Interlock>()
  for (const [lineId, holds] of await holdsOfLines(trx, lineIds))
    if (personBlocks(holds, action, now) !== null) found.set(lineId, { is: 'held', holds })
  for (const { line_id, busy } of rows) if (busy) found.set(line_id, { is: 'busy' })
  return found
}
