import type { Reclosing } from '@linewarden/rules/control'
import type { Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** Automatic re-closing of a line as stored. */
export interface StoredReclosure {
  readonly lineId: number
  readonly enabled: boolean
  readonly delaysS: readonly number[]
  readonly accountId: string | null
  readonly actor: string
  readonly version: number
  readonly lastTryAt: number | null
  /** The work of that try, which is its command's id too. */
  readonly lastTryId: string | null
  readonly state: Reclosing
}

export async function allReclosures({ control }: Database): Promise<readonly StoredReclosure[]> {
  return (await control.selectFrom('reclosure').selectAll().execute()).map(reclosureOf)
}

export async function reclosureOfLine({ control }: Database, lineId: number): Promise<StoredReclosure | null> {
  const row = await control.selectFrom('reclosure').selectAll().where('line_id', '=', lineId).executeTakeFirst()
  return row ? reclosureOf(row) : null
}

/** Saves it over the version its editor saw, with its tries from the beginning. Null when somebody else was first. */
export async function saveReclosure(
  { control }: Database,
  next: Pick<StoredReclosure, 'lineId' | 'enabled' | 'delaysS' | 'accountId' | 'actor' | 'version'>,
  audit: AuditEntry,
): Promise<StoredReclosure | null> {
  return control.transaction().execute(async (trx) => {
    const values = {
      enabled: next.enabled,
      delays_s: [...next.delaysS],
      account_id: next.accountId,
      actor: next.actor,
      attempts: 0,
      next_at: null,
      last_try_at: null,
      last_try_id: null,
      locked_out_at: null,
      locked_out_why: null,
      changed_at: new Date(audit.at),
    }
    const row =
      next.version === 0
        ? await trx
            .insertInto('reclosure')
            .values({ line_id: next.lineId, ...values })
            .onConflict((oc) => oc.column('line_id').doNothing())
            .returningAll()
            .executeTakeFirst()
        : await trx
            .updateTable('reclosure')
            .set(({ eb }) => ({ ...values, version: eb('version', '+', 1) }))
            .where('line_id', '=', next.lineId)
            .where('version', '=', next.version)
            .returningAll()
            .executeTakeFirst()
    if (!row) return null
    await appendAudit(trx, audit)
    return reclosureOf(row)
  })
}

/** Saves how far the tries of a line have come. False: it stands otherwise than `before`, and is left so. */
export async function saveReclosing(
  { control }: Database,
  { lineId, state, lastTryAt, lastTryId }: StoredReclosure,
  before: StoredReclosure,
): Promise<boolean> {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms))
  const { numUpdatedRows } = await control
    .updateTable('reclosure')
    .set({
      attempts: state.attempts,
      next_at: at(state.nextAt),
      locked_out_at: at(state.lockedOutAt),
      locked_out_why: state.lockedOutWhy,
      last_try_at: at(lastTryAt),
      last_try_id: lastTryId,
    })
    .where('line_id', '=', lineId)
    .where('version', '=', before.version)
    .where('attempts', '=', before.state.attempts)
    .where('next_at', 'is not distinct from', at(before.state.nextAt))
    .where('locked_out_at', 'is not distinct from', at(before.state.lockedOutAt))
    .where('last_try_id', 'is not distinct from', before.lastTryId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const reclosureOf = (row: Selectable<Schema['reclosure']>): StoredReclosure => ({
  lineId: row.line_id,
  enabled: row.enabled,
  delaysS: row.delays_s,
  accountId: row.account_id,
  actor: row.actor,
  version: row.version,
  lastTryAt: row.last_try_at?.getTime() ?? null,
  lastTryId: row.last_try_id,
  state: {
    attempts: row.attempts,
    nextAt: row.next_at?.getTime() ?? null,
    lockedOutAt: row.locked_out_at?.getTime() ?? null,
    lockedOutWhy: row.locked_out_why,
  },
})
