import type { SettingSource } from '@linewarden/contract'
import type { Database } from '../core/database.ts'

/** What was asked for and what the equipment says, of one setting. */
export interface KeptSetting {
  readonly lineId: number
  readonly key: string
  readonly value: number
  /** Unix ms. */
  readonly at: number
}
export interface Desired extends KeptSetting {
  readonly actor: string
  readonly source: SettingSource
}

/** Desired values of some lines. */
export async function desiredOf({ general }: Database, lineIds: readonly number[]): Promise<Desired[]> {
  if (lineIds.length === 0) return []
  const rows = await general
    .selectFrom('setting_desired as d')
    .innerJoin('setting_change as c', 'c.command_id', 'd.command_id')
    .select(['d.line_id', 'd.key', 'd.value', 'c.issued_at', 'c.actor', 'c.source'])
    .where('d.line_id', 'in', [...lineIds])
    .execute()
  return rows.map((row) => ({
    lineId: row.line_id,
    key: row.key,
    value: row.value,
    at: row.issued_at.getTime(),
    actor: row.actor,
    source: row.source,
  }))
}

/** Reported values of some lines, and since when they are so. */
export async function reportedOf({ general }: Database, lineIds: readonly number[]): Promise<KeptSetting[]> {
  if (lineIds.length === 0) return []
  const rows = await general
    .selectFrom('line_setting')
    .selectAll()
    .where('line_id', 'in', [...lineIds])
    .execute()
  return rows.map((row) => ({ lineId: row.line_id, key: row.key, value: row.reported, at: row.reported_at.getTime() }))
}
