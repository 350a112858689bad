import type { EquipmentLife } from '@linewarden/rules/site'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'

// As text: a date that became a moment would be another day elsewhere.
const life = [
  sql<string | null>`device.installed_on::text`.as('installedOn'),
  sql<string | null>`device.warranty_until::text`.as('warrantyUntil'),
  'device.service_years as serviceYears',
] as const

/** What only the database knows of these devices and their projects. */
export async function ledgerRows({ general }: Database, deviceIds: readonly number[]) {
  const rows = await general
    .selectFrom('device')
    .innerJoin('gateway', 'gateway.gateway_id', 'device.gateway_id')
    .innerJoin('project', 'project.project_id', 'gateway.project_id')
    .where(sql<boolean>`device.device_id = any(${[...deviceIds]}::int[])`)
    .select([
      'device.device_id as deviceId',
      'device.firmware',
      'device.version',
      ...life,
      'gateway.imei',
      'gateway.added_at as addedAt',
      'project.address',
      'project.person_in_charge as personInCharge',
      'project.contact_phone as contactPhone',
    ])
    .execute()
  return new Map(rows.map((row) => [row.deviceId, row]))
}

/** Devices of which something is over on this day, with what is written down of them. */
export async function endingBy({ general }: Database, day: string): Promise<Map<number, EquipmentLife>> {
  const rows = await general
    .selectFrom('device')
    .select(['device_id as deviceId', ...life])
    .where(sql<boolean>`(warranty_until is not null or service_years is not null)`)
    .where(
      sql<boolean>`(warranty_until <= ${day}::date or (installed_on + make_interval(years => service_years::int))::date <= ${day}::date)`,
    )
    .execute()
  return new Map(rows.map(({ deviceId, ...row }) => [deviceId, row]))
}

/** Writes down when a device was put in and how long it is good for. False when it is not in this version any more. */
export async function setEquipmentLife(
  { general }: Database,
  { deviceId, version, ...after }: EquipmentLife & { readonly deviceId: number; readonly version: number },
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('device')
      .select(['device.version', ...life])
      .where('device_id', '=', deviceId)
      .forUpdate()
      .executeTakeFirst()
    if (found?.version !== version) return false
    const { version: _, ...before } = found
    await trx
      .updateTable('device')
      .set({
        installed_on: after.installedOn,
        warranty_until: after.warrantyUntil,
        service_years: after.serviceYears,
        version: version + 1,
      })
      .where('device_id', '=', deviceId)
      .execute()
    await appendAudit(trx, { ...audit, before, after })
    return true
  })
}
