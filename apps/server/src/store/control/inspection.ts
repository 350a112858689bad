import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { lockLines } from './fence.ts'

export interface NewInspection {
  readonly id: string
  readonly gatewayId: number
  readonly controllerId: string | null
  readonly accountId: string
  readonly actor: string
  readonly startedAt: number
  readonly until: number
}

export interface StoredInspection {
  readonly id: string
  readonly gatewayId: number
  readonly controllerId: string | null
  readonly actor: string
  readonly startedAt: number
  readonly until: number
}

/**
 * Begins an inspection and locks its lines, in one transaction, also those that only another server knows; how many they are. A lock that
 * already lasts longer stays. A line that is born during it is locked at its birth.
 */
export async function insertInspection(
  { control }: Database,
  inspection: NewInspection,
  auditOf: (lines: number) => AuditEntry,
): Promise<void> {
  const until = new Date(inspection.until)
  await control.transaction().execute(async (trx) => {
    // Births of this gateway come before, and their lines are found, or after, and find the inspection.
    await sql`select from gateway where gateway_id = ${inspection.gatewayId} for update`.execute(trx)
    const lineIds = await linesOf(trx, inspection)
    if (lineIds.length > 0) {
      await lockLines(trx, lineIds)
      await trx
        .updateTable('line')
        .set(({ fn, ref, val }) => ({ inspection_until: fn<Date>('greatest', [ref('inspection_until'), val(until)]) }))
        .where('line_id', 'in', lineIds)
        .execute()
    }
    await trx
      .insertInto('inspection')
      .values({
        inspection_id: inspection.id,
        gateway_id: inspection.gatewayId,
        controller_id: inspection.controllerId,
        account_id: inspection.accountId,
        actor: inspection.actor,
        started_at: new Date(inspection.startedAt),
        until,
      })
      .execute()
    await appendAudit(trx, auditOf(lineIds.length))
  })
}

async function linesOf(trx: Kysely<Schema>, { gatewayId, controllerId }: NewInspection): Promise<number[]> {
  const lines = trx
    .selectFrom('line')
    .innerJoin('device', 'device.device_id', 'line.device_id')
    .select('line_id')
    .where('gateway_id', '=', gatewayId)
  const rows = await (controllerId === null ? lines : lines.where('controller_id', '=', controllerId)).execute()
  return rows.map(({ line_id }) => line_id)
}

/** A gateway's inspections, newest first. */
export async function inspectionsOf(
  { general }: Database,
  gatewayId: number,
  size: number,
): Promise<readonly StoredInspection[]> {
  const rows = await general
    .selectFrom('inspection')
    .selectAll()
    .where('gateway_id', '=', gatewayId)
    .orderBy('started_at', 'desc')
    .limit(size)
    .execute()
  return rows.map((row) => ({
    id: row.inspection_id,
    gatewayId: row.gateway_id,
    controllerId: row.controller_id,
    actor: row.actor,
    startedAt: row.started_at.getTime(),
    until: row.until.getTime(),
  }))
}
