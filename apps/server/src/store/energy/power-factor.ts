import type { Insertable, Kysely, Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>

export type PowerFactorRow = Selectable<Schema['supply_power_factor']>

/** What was typed of a period of a supply, by the first of the month in which it begins. */
export const findPowerFactor = (db: Db, supplyId: number, month: number): Promise<PowerFactorRow | undefined> =>
  db.selectFrom('supply_power_factor').selectAll().where('supply_id', '=', supplyId).where('month', '=', month).executeTakeFirst()

interface PowerFactorSave {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  readonly supplyId: number
  readonly month: number
  /** 0: nothing stands there. */
  readonly version: number
  /** Null: it is taken out. */
  readonly columns: Omit<Insertable<Schema['supply_power_factor']>, 'supply_id' | 'month' | 'project_id' | 'version'> | null
}

/** Writes over what its editor saw, or takes it out. */
export const savePowerFactor = (
  { general }: Database,
  { projectId, owner, supplyId, month, version, columns }: PowerFactorSave,
  audit: (before: PowerFactorRow | null) => AuditEntry,
): Promise<PowerFactorRow | null | 'noProject' | 'gone' | 'changed'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const supply = trx.selectFrom('supply').select('supply_id').where('supply_id', '=', supplyId)
    if (!(await supply.where('project_id', '=', projectId).executeTakeFirst())) return 'gone'
    const before = (await findPowerFactor(trx, supplyId, month)) ?? null
    if ((before?.version ?? 0) !== version) return 'changed'
    await trx.deleteFrom('supply_power_factor').where('supply_id', '=', supplyId).where('month', '=', month).execute()
    const saved = columns
      ? await trx
          .insertInto('supply_power_factor')
          .values({ ...columns, supply_id: supplyId, month, project_id: projectId, version: version + 1 })
          .returningAll()
          .executeTakeFirstOrThrow()
      : null
    await appendAudit(trx, audit(before))
    return saved
  })
