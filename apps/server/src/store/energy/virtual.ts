import type { Insertable, Kysely, Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>

export type VirtualMeterRow = Selectable<Schema['virtual_meter']>
export type VirtualMeterColumns = Omit<Insertable<Schema['virtual_meter']>, 'meter_id' | 'project_id' | 'version'>

export const virtualMetersOf = (db: Db, projectId: number): Promise<VirtualMeterRow[]> =>
  db.selectFrom('virtual_meter').selectAll().where('project_id', '=', projectId).orderBy('meter_id').execute()

export const findVirtualMeter = (db: Db, meterId: number): Promise<VirtualMeterRow | undefined> =>
  db.selectFrom('virtual_meter').selectAll().where('meter_id', '=', meterId).executeTakeFirst()

interface VirtualMeterSave {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  /** Null: a new one. */
  readonly meterId: number | null
  readonly version: number
  readonly most: number
  readonly columns: VirtualMeterColumns
}

/**
 * Writes a virtual meter over the version that its editor saw, or a new one; one at a time in its project, so that no two that go in at once make a
 * circle. `check` throws what it cannot be beside the others.
 */
export const saveVirtualMeter = (
  db: Db,
  { projectId, owner, meterId, version, most, columns }: VirtualMeterSave,
  check: (others: readonly VirtualMeterRow[]) => void,
  audit: (before: VirtualMeterRow | null) => AuditEntry,
): Promise<VirtualMeterRow | 'noProject' | 'changed' | 'gone' | 'many'> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const rows = await virtualMetersOf(trx, projectId)
    const before = rows.find((row) => row.meter_id === meterId) ?? null
    if (meterId !== null && !before) return 'gone'
    if (before && before.version !== version) return 'changed'
    if (!before && rows.length >= most) return 'many'
    check(rows.filter((row) => row !== before))
    const saved = before
      ? await trx
          .updateTable('virtual_meter')
          .set({ ...columns, version: before.version + 1 })
          .where('meter_id', '=', before.meter_id)
          .returningAll()
          .executeTakeFirstOrThrow()
      : await trx
          .insertInto('virtual_meter')
          .values({ ...columns, project_id: projectId })
          .returningAll()
          .executeTakeFirstOrThrow()
    await appendAudit(trx, audit(before))
    return saved
  })
