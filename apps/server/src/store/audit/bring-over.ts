import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { appendAudit } from './append.ts'
import { sealOfFormer } from './chain.ts'

/** So many entries in one transaction: a fraction of a second, in which nobody waits but who reads them under a lock. */
const inBatch = 5_000

/**
 * Fills in what the newest of the entries from before migration 0080 are about, and where. The last of them are followed by an entry that
 * seals what was filled in. False: nothing is left. Several servers may do it at once: each waits for the other's batch.
 */
export async function bringOverSubjects({ general }: Database, now: number): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const open = await trx.selectFrom('audit_bring_over').select('below').forUpdate().executeTakeFirst()
    if (!open) return false
    const below = BigInt(open.below)
    const from = below > inBatch ? below - BigInt(inBatch) : 0n
    await sql`
      update audit set subject_kind = filled.kind, subject_id = filled.id, claimed = filled.claimed, gateway_id = case
          -- Both are there, and not at one place: whose it is nobody can say.
          when gateway_by_number <> gateway_of_controller then null else coalesce(gateway_by_number, gateway_of_controller) end
      from (
        select audit_id, before.kind, before.id, before.claimed,
          (select gateway_id from gateway where number = before.gateway_number) as gateway_by_number,
          (select gateway_id from device where device.controller_id = before.controller_id) as gateway_of_controller
        from audit, audit_subject_before(action, target) as before
        where audit_id >= ${from} and audit_id < ${below} and subject_kind is null) as filled
      where audit.audit_id = filled.audit_id`.execute(trx)
    if (from > 0n) {
      await trx
        .updateTable('audit_bring_over')
        .set({ below: String(from) })
        .execute()
      return true
    }
    await trx.deleteFrom('audit_bring_over').execute()
    await appendAudit(trx, {
      at: now,
      actor: 'system',
      address: '',
      action: 'audit.subjects',
      subject: { kind: 'nothing', id: '' },
      after: await sealOfFormer(trx),
      outcome: 'done',
      tenant: null,
    })
    return false
  })
}
