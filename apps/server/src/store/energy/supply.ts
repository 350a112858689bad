import { familyOf } from '@linewarden/equipment'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>

export type SupplyRow = Selectable<Schema['supply']>

/** The supplies of a project in the order in which they begin. */
export const suppliesOf = (db: Db, projectId: number): Promise<SupplyRow[]> =>
  db.selectFrom('supply').selectAll().where('project_id', '=', projectId).orderBy('from_day').orderBy('supply_id').execute()

export const findSupply = (db: Db, supplyId: number): Promise<SupplyRow | undefined> =>
  db.selectFrom('supply').selectAll().where('supply_id', '=', supplyId).executeTakeFirst()

/** A supply with the zone and the owner of its project. */
export type ZonedSupply = SupplyRow & { readonly time_zone: string; readonly owner_id: string | null }

const zoned = (db: Db) =>
  db
    .selectFrom('supply')
    .innerJoin('project', 'project.project_id', 'supply.project_id')
    .selectAll('supply')
    .select(['time_zone', 'owner_id'])

/** All supplies of the installation, for the work that nobody asked for. */
export const everySupply = (db: Db): Promise<ZonedSupply[]> =>
  zoned(db).where('project.removed_at', 'is', null).orderBy('supply_id').execute()

/** One of them. */
export const zonedSupply = (db: Db, supplyId: number): Promise<ZonedSupply | undefined> =>
  zoned(db).where('supply_id', '=', supplyId).executeTakeFirst()

/** In which project each of these lines is, as far as the platform knows its equipment, and since when it has energy, Unix ms. */
export async function placesOf(db: Db, lineIds: readonly number[]): Promise<ReadonlyMap<number, LinePlace>> {
  const { rows } = await sql<{ line_id: number; project_id: number; family: string; since: Date | null }>`
    select line_id, gateway.project_id, family, since from line join device using (device_id) join gateway using (gateway_id)
      join project on project.project_id = gateway.project_id left join energy_line using (line_id)
    where line_id = any (${[...lineIds]}::int[]) and gateway.removed_at is null and project.removed_at is null`.execute(db)
  return new Map(
    rows.map((row) => [
      row.line_id,
      { projectId: familyOf(row.family) ? row.project_id : null, since: row.since?.getTime() ?? null },
    ]),
  )
}

export interface LinePlace {
  readonly projectId: number | null
  readonly since: number | null
}

export type SupplyColumns = Omit<Insertable<Schema['supply']>, 'supply_id' | 'project_id' | 'version'>

interface SupplySave {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  /** Null: a new one. */
  readonly supplyId: number | null
  readonly version: number
  readonly most: number
  readonly columns: SupplyColumns
}

/**
 * Writes a supply over the version that its editor saw, or a new one; one at a time in its project, so that no two that go in at once have a line
 * both. `check` throws what it cannot be beside the others.
 */
export async function saveSupply(
  { general }: Database,
  { projectId, owner, supplyId, version, most, columns }: SupplySave,
  check: (others: readonly SupplyRow[], before: SupplyRow | null) => void,
  audit: (before: SupplyRow | null) => AuditEntry,
): Promise<SupplyRow | 'noProject' | 'changed' | 'gone' | 'many'> {
  return general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const rows = await suppliesOf(trx, projectId)
    const before = rows.find((row) => row.supply_id === supplyId) ?? null
    if (supplyId !== null && !before) return 'gone'
    if (before && before.version !== version) return 'changed'
    if (!before && rows.length >= most) return 'many'
    check(
      rows.filter((row) => row !== before),
      before,
    )
    const saved = before
      ? await trx
          .updateTable('supply')
          .set({ ...columns, version: before.version + 1 })
          .where('supply_id', '=', before.supply_id)
          .returningAll()
          .executeTakeFirstOrThrow()
      : await trx
          .insertInto('supply')
          .values({ ...columns, project_id: projectId })
          .returningAll()
          .executeTakeFirstOrThrow()
    if (before && JSON.stringify(saved.members) !== JSON.stringify(before.members)) await forgetSums(trx, before.supply_id)
    await appendAudit(trx, audit(before))
    return saved
  })
}

/** What was summed of other members says nothing, also when they come back: meanwhile nobody noted what changed in their quarters. */
async function forgetSums(trx: Db, supplyId: number): Promise<void> {
  await sql`delete from energy_supply where supply_id = ${supplyId}`.execute(trx)
  await sql`delete from energy_supply_look where supply_id = ${supplyId}`.execute(trx)
}
