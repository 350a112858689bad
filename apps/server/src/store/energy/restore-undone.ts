import type pg from 'pg'
import { storeQuarters } from './make-quarters.ts'
import { cellsOf } from './quarter-cells.ts'

/**
 * Puts back what was known of quarters before something was entered that is undone now: where their readings are gone nothing else says it. Whoever
 * calls holds `energyLock` and a transaction, and makes anew what readings are left of.
 */
export async function restoreUndone(client: pg.ClientBase, now: number): Promise<void> {
  const { rows } = await client.query<Row>(
    `with undone as (
       select fix_id, former_wh, former_how from energy_fix where undone_at is not null and former_wh is not null for update
     )
     update energy_fix as fix set former_wh = null, former_how = null from undone where fix.fix_id = undone.fix_id
     returning line_id, (extract(epoch from starts) * 1000)::float8 as starts, (extract(epoch from ends) * 1000)::float8 as ends, undone.former_wh as wh, undone.former_how as how`,
  )
  await storeQuarters(
    client,
    rows.map(({ line_id, starts, ends, wh, how }) => ({
      ...{ lineId: line_id, from: starts, to: ends, cells: cellsOf({ wh, how: Uint8Array.from(how) }, starts) },
    })),
    now,
  )
}

interface Row {
  readonly line_id: number
  readonly starts: number
  readonly ends: number
  readonly wh: readonly (number | null)[]
  readonly how: Buffer
}
