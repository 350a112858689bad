import type { CommandAction } from '@linewarden/rules/control'
import { blocksAtSending, storedBlock } from '@linewarden/rules/control'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AppliedInterlocks } from '../../plant/plant.ts'
import type { Schema } from '../core/schema.ts'
import { storedInterlocksOfLines } from './applied-interlocks.ts'
import { underWay } from './under-way.ts'

/** How an order ends that a tag, an inspection, a lock-out or a failed self-test of its line keeps from leaving; by line, and only lines that are interlocked for it. */
export async function blockOutcomesOf(
  db: Kysely<Schema>,
  action: CommandAction,
  lineIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  if (lineIds.length === 0) return found
  for (const [lineId, interlocks] of await storedInterlocksOfLines(db, lineIds)) {
    const block = storedBlock(interlocks, action, now)
    if (block !== null) found.set(lineId, blocksAtSending[block])
  }
  return found
}

/** Why the database refuses to have something ordered of a line, whichever server wrote it: an order under way, a tag, an inspection, a lock-out or a failed self-test. */
export type OrderBlock = { readonly is: 'busy' } | { readonly is: 'interlocked'; readonly interlocks: AppliedInterlocks }

/**
 * The last word before something is authorised, for actions and settings alike: an order of either kind that is still under way, a tag, an
 * inspection, of a close also a trip that nobody has explained and a failed self-test. Asked inside the transaction that has locked the lines' fences, so that whoever orders or hangs something at the same moment
 * comes before or after, never between. Lines that nothing blocks are not in the answer.
 */
export async function orderBlocksOf(
  trx: Kysely<Schema>,
  action: CommandAction,
  lineIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, OrderBlock>> {
  const { rows } = await sql<{ line_id: number; busy: boolean }>`
    select line_id,
      exists (select from command c where c.line_id = l.line_id and c.state in (${underWay}))
        or exists (select from setting_change s where s.line_id = l.line_id and s.state in (${underWay})) as busy
    from line l where line_id = any(${[...lineIds]}::int[])`.execute(trx)
  const found = new Map<number, OrderBlock>()
  for (const [lineId, interlocks] of await storedInterlocksOfLines(trx, lineIds))
    if (storedBlock(interlocks, action, now) !== null) found.set(lineId, { is: 'interlocked', interlocks })
  for (const { line_id, busy } of rows) if (busy) found.set(line_id, { is: 'busy' })
  return found
}
