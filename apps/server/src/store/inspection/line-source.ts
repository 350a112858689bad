import type { Text } from '@linewarden/equipment'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

/** What the database has of a line for an online round. */
export interface OnlineSource {
  readonly ordered: ReadonlyMap<string, number>
  readonly plan: { readonly enabled: boolean; readonly everyDays: number } | null
}

const nothing: OnlineSource = { ordered: new Map(), plan: null }

/** What was ordered of these lines, and how often each is tested. */
export async function onlineSources(db: Kysely<Schema>, lineIds: readonly number[]) {
  const made = new Map<number, OnlineSource>()
  const of = (id: number) => made.get(id) ?? nothing
  const { rows: desired } = await sql<{ line_id: number; keys: string[]; wanted: number[] }>`
    select line_id, array_agg(key order by key) as keys, array_agg(value order by key) as wanted
    from setting_desired where line_id = any(${[...lineIds]}::int[]) group by line_id`.execute(db)
  for (const { line_id, keys, wanted } of desired)
    made.set(line_id, { ...of(line_id), ordered: new Map(keys.map((key, at) => [key, wanted[at] ?? Number.NaN])) })
  const { rows: plans } = await sql<{ line_id: number; enabled: boolean; every_days: number }>`
    select line_id, enabled, every_days from detection_plan where line_id = any(${[...lineIds]}::int[])`.execute(db)
  for (const { line_id, enabled, every_days } of plans)
    made.set(line_id, { ...of(line_id), plan: { enabled, everyDays: every_days } })
  return (id: number): OnlineSource => of(id)
}

/** Hazards of these gateways that are there still, by where they are. */
export async function hazardsAt(db: Kysely<Schema>, gatewayIds: readonly number[]) {
  const { rows } = await sql<{ gateway_id: number; device_id: number | null; line_id: number | null; zh: string; en: string }>`
    select gateway_id, device_id, line_id, label_zh as zh, label_en as en from hazard
    where gateway_id = any(${[...gatewayIds]}::int[]) and state <> 'gone' order by hazard_id`.execute(db)
  return (line: { readonly id: number; readonly deviceId: number; readonly gatewayId: number }): Text[] =>
    rows
      .filter(({ gateway_id, device_id, line_id }) =>
        line_id !== null ? line_id === line.id : device_id !== null ? device_id === line.deviceId : gateway_id === line.gatewayId,
      )
      .map(({ zh, en }) => ({ zh, en }))
}

/** Firmware that was withdrawn, as `model version`. */
export async function withdrawnImages(db: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('firmware_image')
    .select(['model', 'version'])
    .where(sql<boolean>`state = 'withdrawn'`)
    .execute()
  return new Set(rows.map(({ model, version }) => `${model} ${version}`))
}
