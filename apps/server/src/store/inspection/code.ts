import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

export type CodeRow = Selectable<Schema['inspection_code']>

/** What a label is of: one of the three. */
export interface LabelOf {
  readonly projectId: number
  readonly gatewayId: number | null
  readonly deviceId: number | null
  readonly place: string | null
}

/** A code that is valid; of one that was replaced nothing is known any more. */
export const codeRow = ({ general }: Database, code: string): Promise<CodeRow | undefined> =>
  general.selectFrom('inspection_code').selectAll().where('code', '=', code).where('dead_at', 'is', null).executeTakeFirst()

const isOf = ({ projectId, gatewayId, deviceId, place }: LabelOf) =>
  gatewayId !== null
    ? sql<boolean>`gateway_id = ${gatewayId}`
    : deviceId !== null
      ? sql<boolean>`device_id = ${deviceId}`
      : sql<boolean>`project_id = ${projectId} and place = ${place}`

const keyOf = ({ gatewayId, deviceId, place }: LabelOf): string => `${gatewayId}/${deviceId}/${place}`

/** The valid code of each, made where there is none. `anew`: the old ones are dead, all or none. */
export async function issueCodes(
  { general }: Database,
  of: readonly (LabelOf & { readonly code: string })[],
  { anew, at, audit }: { readonly anew: boolean; readonly at: number; readonly audit: AuditEntry },
): Promise<readonly string[]> {
  return general.transaction().execute(async (trx) => {
    const codes = new Map<string, string>()
    let made = 0
    // Each thing once and all in one order: two who issue the same never wait for each other in a circle.
    for (const [key, each] of [...new Map(of.map((one) => [keyOf(one), one]))].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (anew)
        await trx
          .updateTable('inspection_code')
          .set({ dead_at: new Date(at) })
          .where(isOf(each))
          .where('dead_at', 'is', null)
          .execute()
      const inserted = await trx
        .insertInto('inspection_code')
        .values({
          ...{ code: each.code, project_id: each.projectId, gateway_id: each.gatewayId, device_id: each.deviceId },
          ...{ place: each.place, issued_at: new Date(at) },
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      made += Number(inserted.numInsertedOrUpdatedRows ?? 0)
      const row = await trx
        .selectFrom('inspection_code')
        .select('code')
        .where(isOf(each))
        .where('dead_at', 'is', null)
        .executeTakeFirstOrThrow()
      codes.set(key, row.code)
    }
    if (made > 0) await appendAudit(trx, { ...audit, after: { ...(audit.after as object), labels: made } })
    return of.map((each) => codes.get(keyOf(each)) ?? '')
  })
}

/** Valid codes of gateways, devices and places of a project, for a phone that is to know them without signal. */
export async function codesOf(
  db: Kysely<Schema>,
  { projectId, gatewayIds, deviceIds }: { projectId: number; gatewayIds: readonly number[]; deviceIds: readonly number[] },
): Promise<readonly CodeRow[]> {
  return db
    .selectFrom('inspection_code')
    .selectAll()
    .where('dead_at', 'is', null)
    .where(
      sql<boolean>`(gateway_id = any(${[...gatewayIds]}::int[]) or device_id = any(${[...deviceIds]}::int[])
        or project_id = ${projectId} and place is not null)`,
    )
    .execute()
}
