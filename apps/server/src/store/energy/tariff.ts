import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

type Db = Kysely<Schema>

export type TariffRow = Selectable<Schema['tariff']>
export type TariffVersionRow = Selectable<Schema['tariff_version']>

export const tariffsOf = (db: Db, projectId: number): Promise<TariffRow[]> =>
  db.selectFrom('tariff').selectAll().where('project_id', '=', projectId).orderBy('tariff_id').execute()

/** All versions of a project's tariffs, the newest first. */
export const versionsOfProject = (db: Db, projectId: number): Promise<TariffVersionRow[]> =>
  db
    .selectFrom('tariff_version')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('tariff_id')
    .orderBy('number', 'desc')
    .execute()

/** One at a time in its project: names stay single, and what is published fits what was published before. */
async function inProject<T>({ general }: Database, projectId: number, work: (trx: Db) => Promise<T>): Promise<T> {
  return general.transaction().execute(async (trx) => {
    const project = trx.selectFrom('project').select('project_id').where('project_id', '=', projectId)
    await project.forNoKeyUpdate().executeTakeFirst()
    return work(trx)
  })
}

/** Makes a tariff in the currency of its project. */
export const insertTariff = (
  database: Database,
  { projectId, name, most }: { readonly projectId: number; readonly name: string; readonly most: number },
  audit: AuditEntry,
): Promise<TariffRow | 'named' | 'many'> =>
  inProject(database, projectId, async (trx) => {
    const rows = await tariffsOf(trx, projectId)
    if (rows.length >= most) return 'many'
    if (rows.some((row) => row.name.toLowerCase() === name.toLowerCase())) return 'named'
    const { rows: made } = await sql<TariffRow>`insert into tariff (project_id, name, currency)
      select project_id, ${name}, currency from project where project_id = ${projectId} returning *`.execute(trx)
    const [row] = made
    if (!row) throw new Error(`project ${projectId} is gone`)
    await appendAudit(trx, audit)
    return row
  })

export type VersionColumns = Pick<Insertable<Schema['tariff_version']>, 'from_day' | 'to_day' | 'source' | 'content'>

export type DraftRefusal = 'noTariff' | 'gone' | 'changed' | 'published' | 'draft' | 'many'

interface DraftSave {
  readonly projectId: number
  readonly tariffId: number
  /** Null: a new one. */
  readonly versionId: number | null
  readonly version: number
  readonly most: number
  /** Null: it is taken out. */
  readonly columns: VersionColumns | null
}

/** Writes the draft of a tariff over what its editor saw, makes one, or takes it out. */
export const saveDraft = (
  database: Database,
  { projectId, tariffId, versionId, version, most, columns }: DraftSave,
  audit: (tariff: TariffRow) => AuditEntry,
): Promise<TariffVersionRow | null | DraftRefusal> =>
  inProject(database, projectId, async (trx) => {
    const tariff = (await tariffsOf(trx, projectId)).find((row) => row.tariff_id === tariffId)
    if (!tariff) return 'noTariff'
    const versions = (await versionsOfProject(trx, projectId)).filter((row) => row.tariff_id === tariffId)
    const before = versions.find((row) => row.version_id === versionId)
    if (versionId !== null && !before) return 'gone'
    if (before?.published_at) return 'published'
    if (before && before.version !== version) return 'changed'
    if (!before && versions.some((row) => row.published_at === null)) return 'draft'
    if (!before && versions.length >= most) return 'many'
    const saved = columns === null ? await removed(trx, versionId) : await written(trx, tariff, versions, before, columns)
    await appendAudit(trx, audit(tariff))
    return saved
  })

async function removed(trx: Db, versionId: number | null): Promise<null> {
  if (versionId !== null) await trx.deleteFrom('tariff_version').where('version_id', '=', versionId).execute()
  return null
}

function written(
  trx: Db,
  tariff: TariffRow,
  versions: readonly TariffVersionRow[],
  before: TariffVersionRow | undefined,
  columns: VersionColumns,
): Promise<TariffVersionRow> {
  if (before)
    return trx
      .updateTable('tariff_version')
      .set({ ...columns, version: before.version + 1 })
      .where('version_id', '=', before.version_id)
      .returningAll()
      .executeTakeFirstOrThrow()
  const number = Math.max(0, ...versions.map((row) => row.number)) + 1
  return trx
    .insertInto('tariff_version')
    .values({ ...columns, number, tariff_id: tariff.tariff_id, project_id: tariff.project_id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface Published {
  readonly at: number
  readonly name: string
  readonly canonical: string
  readonly sha256: string
}

/** Publishes a draft. `seal` throws what is wrong with it beside what is published, and answers what it is published as. */
export const publishVersion = (
  database: Database,
  asked: { readonly projectId: number; readonly versionId: number; readonly version: number },
  seal: (draft: TariffVersionRow, others: readonly TariffVersionRow[], tariff: TariffRow) => Published,
  audit: (tariff: TariffRow, row: TariffVersionRow) => AuditEntry,
): Promise<TariffVersionRow | DraftRefusal> =>
  inProject(database, asked.projectId, async (trx) => {
    const versions = await versionsOfProject(trx, asked.projectId)
    const draft = versions.find((row) => row.version_id === asked.versionId)
    const tariff = (await tariffsOf(trx, asked.projectId)).find((row) => row.tariff_id === draft?.tariff_id)
    if (!draft || !tariff) return 'gone'
    if (draft.published_at) return 'published'
    if (draft.version !== asked.version) return 'changed'
    const others = versions.filter((row) => row.tariff_id === draft.tariff_id && row !== draft)
    const { at, name, canonical, sha256 } = seal(draft, others, tariff)
    const row = await trx
      .updateTable('tariff_version')
      .set({ published_at: new Date(at), published_name: name, canonical, sha256, version: draft.version + 1 })
      .where('version_id', '=', draft.version_id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await appendAudit(trx, audit(tariff, row))
    return row
  })
