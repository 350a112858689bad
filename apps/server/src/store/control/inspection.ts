import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import { lockLines } from './fence.ts'

export interface NewInspection {
  readonly id: string
  readonly gatewayId: number
  readonly controllerId: string | null
  readonly accountId: string
  readonly actor: string
  readonly startedAt: number
  readonly until: number
  readonly lineIds: readonly number[]
}

export interface StoredInspection {
  readonly id: string
  readonly gatewayId: number
  readonly controllerId: string | null
  readonly actor: string
  readonly startedAt: number
  readonly until: number
}

/** Begins an inspection and locks its lines, in one transaction. A lock that already lasts longer stays. */
export async function insertInspection({ control }: Database, inspection: NewInspection, audit: AuditEntry): Promise<void> {
  const until = new Date(inspection.until)
  await control.transaction().execute(async (trx) => {
    if (inspection.lineIds.length > 0) {
      await lockLines(trx, inspection.lineIds)
      await trx
        .updateTable('line')
        .set(({ fn, ref, val }) => ({ inspection_until: fn<Date>('greatest', [ref('inspection_until'), val(until)]) }))
        .where('line_id', 'in', [...inspection.lineIds])
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
    await appendAudit(trx, audit)
  })
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
