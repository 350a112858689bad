import type { Insertable, Kysely, Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>
type ChoiceRow = Selectable<Schema['carbon_choice']>
export type CarbonFactorRow = Selectable<Schema['carbon_factor']>

export interface StoredCarbon {
  readonly choice: ChoiceRow | null
  readonly factors: readonly CarbonFactorRow[]
}

/** By what a project goes, and what was typed for it. */
export async function readCarbon(db: Db, projectId: number): Promise<StoredCarbon> {
  const choice = await db.selectFrom('carbon_choice').selectAll().where('project_id', '=', projectId).executeTakeFirst()
  const of = db.selectFrom('carbon_factor').selectAll().where('project_id', '=', projectId)
  return { choice: choice ?? null, factors: await of.orderBy('year', 'desc').orderBy('region').orderBy('basis').execute() }
}

interface InProject {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  /** As it was read; 0: there is none. */
  readonly version: number
}

export const chooseCarbon = (
  { general }: Database,
  { projectId, owner, version, ...columns }: InProject & Pick<ChoiceRow, 'region' | 'basis'>,
  audit: AuditEntry,
): Promise<'done' | 'noProject' | 'changed'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const { choice } = await readCarbon(trx, projectId)
    if ((choice?.version ?? 0) !== version) return 'changed'
    await trx
      .insertInto('carbon_choice')
      .values({ ...columns, project_id: projectId, version: version + 1 })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ ...columns, version: version + 1 }))
      .execute()
    await appendAudit(trx, audit)
    return 'done'
  })

type FactorKey = Pick<CarbonFactorRow, 'year' | 'region' | 'basis'>

/** Writes a factor over what its editor saw, or takes it out. */
export const saveCarbonFactor = (
  { general }: Database,
  {
    projectId,
    owner,
    version,
    key,
    columns,
    most,
  }: InProject & {
    readonly key: FactorKey
    /** Null: it is taken out. */
    readonly columns: Omit<Insertable<Schema['carbon_factor']>, keyof FactorKey | 'project_id' | 'version'> | null
    readonly most: number
  },
  audit: AuditEntry,
): Promise<'done' | 'noProject' | 'changed' | 'many'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const { factors } = await readCarbon(trx, projectId)
    const before = factors.find(({ year, region, basis }) => year === key.year && region === key.region && basis === key.basis)
    if ((before?.version ?? 0) !== version) return 'changed'
    if (!before && factors.length >= most) return 'many'
    await trx
      .deleteFrom('carbon_factor')
      .where('project_id', '=', projectId)
      .where('year', '=', key.year)
      .where('region', '=', key.region)
      .where('basis', '=', key.basis)
      .execute()
    if (columns)
      await trx
        .insertInto('carbon_factor')
        .values({ ...key, ...columns, project_id: projectId, version: version + 1 })
        .execute()
    await appendAudit(trx, audit)
    return 'done'
  })
