import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>

export type TariffRow = Selectable<Schema['tariff']>
export type TariffVersionRow = Selectable<Schema['tariff_version']>
/** A version without what it says: a year of them would be megabytes. */
export type TariffHeadRow = Omit<TariffVersionRow, 'content' | 'canonical'>

export const tariffsOf = (db: Db, projectId: number): Promise<TariffRow[]> =>
  db.selectFrom('tariff').selectAll().where('project_id', '=', projectId).orderBy('tariff_id').execute()

const headColumns = [
  ...(['version_id', 'tariff_id', 'project_id', 'number', 'from_day', 'to_day', 'source', 'version'] as const),
  ...(['published_at', 'published_name', 'sha256'] as const),
] as const

/** What is said of all versions of a project's tariffs, the newest first. */
export const headsOfProject = (db: Db, projectId: number): Promise<TariffHeadRow[]> =>
  db
    .selectFrom('tariff_version')
    .select(headColumns)
    .where('project_id', '=', projectId)
    .orderBy('tariff_id')
    .orderBy('number', 'desc')
    .execute()

/** And of those of one tariff, or of several. */
export const headsOf = (db: Db, ...tariffIds: readonly number[]): Promise<TariffHeadRow[]> =>
  db
    .selectFrom('tariff_version')
    .select(headColumns)
    .where('tariff_id', '=', sql<number>`any (${tariffIds}::int[])`)
    .orderBy('tariff_id')
    .orderBy('number', 'desc')
    .execute()

export const findTariff = (db: Db, projectId: number, tariffId: number): Promise<TariffRow | undefined> =>
  db.selectFrom('tariff').selectAll().where('project_id', '=', projectId).where('tariff_id', '=', tariffId).executeTakeFirst()

/** A version with what it says. */
export const findVersion = (db: Db, projectId: number, versionId: number): Promise<TariffVersionRow | undefined> =>
  db
    .selectFrom('tariff_version')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('version_id', '=', versionId)
    .executeTakeFirst()

/** Versions with what they say. */
export const readVersions = (db: Db, versionIds: readonly number[]): Promise<TariffVersionRow[]> =>
  db
    .selectFrom('tariff_version')
    .selectAll()
    .where('version_id', '=', sql<number>`any (${[...versionIds]}::int[])`)
    .execute()

/** Where something is written: `owner` is whose the project must still be when its turn comes. */
interface InProject {
  readonly projectId: number
  readonly owner: Owner
}

/** One at a time in its project: names stay single, and what is published fits what was published before. */
const inProject = <T>({ general }: Database, { projectId, owner }: InProject, work: (trx: Db) => Promise<T>) =>
  general
    .transaction()
    .execute(async (trx): Promise<T | 'noProject'> => ((await lockProject(trx, projectId, owner)) ? work(trx) : 'noProject'))

/** Makes a tariff in the currency of its project. */
export const insertTariff = (
  database: Database,
  { projectId, owner, name, most }: InProject & { readonly name: string; readonly most: number },
  audit: AuditEntry,
): Promise<TariffRow | 'noProject' | 'named' | 'many'> =>
  inProject(database, { projectId, owner }, async (trx) => {
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

export type DraftRefusal = 'noProject' | 'noTariff' | 'gone' | 'changed' | 'published' | 'draft' | 'many'

interface DraftSave extends InProject {
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
  { projectId, owner, tariffId, versionId, version, most, columns }: DraftSave,
  audit: (tariff: TariffRow) => AuditEntry,
): Promise<TariffVersionRow | null | DraftRefusal> =>
  inProject(database, { projectId, owner }, async (trx) => {
    const tariff = await findTariff(trx, projectId, tariffId)
    if (!tariff) return 'noTariff'
    const versions = await headsOf(trx, tariffId)
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
  versions: readonly TariffHeadRow[],
  before: TariffHeadRow | undefined,
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

/** Writes versions that were imported, one after the other: the one draft, or all published. `seal` throws what is wrong with one beside the others. */
export const importVersions = (
  database: Database,
  asked: InProject & { readonly tariffId: number; readonly most: number; readonly versions: readonly VersionColumns[] },
  seal: ((draft: TariffVersionRow, others: readonly TariffHeadRow[], tariff: TariffRow) => Published) | null,
  audit: (tariff: TariffRow, rows: readonly TariffVersionRow[]) => AuditEntry,
): Promise<readonly TariffVersionRow[] | DraftRefusal> =>
  inProject(database, asked, async (trx) => {
    const tariff = await findTariff(trx, asked.projectId, asked.tariffId)
    if (!tariff) return 'noTariff'
    const rows: TariffVersionRow[] = []
    for (const columns of asked.versions) {
      const others = await headsOf(trx, asked.tariffId)
      if (others.some((row) => row.published_at === null)) return 'draft'
      if (others.length >= asked.most) return 'many'
      const draft = await written(trx, tariff, others, undefined, columns)
      rows.push(seal ? await publishedAs(trx, draft, seal(draft, others, tariff)) : draft)
    }
    await appendAudit(trx, audit(tariff, rows))
    return rows
  })

const publishedAs = (trx: Db, draft: TariffVersionRow, { at, name, canonical, sha256 }: Published): Promise<TariffVersionRow> =>
  trx
    .updateTable('tariff_version')
    .set({ published_at: new Date(at), published_name: name, canonical, sha256, version: draft.version + 1 })
    .where('version_id', '=', draft.version_id)
    .returningAll()
    .executeTakeFirstOrThrow()

export interface Published {
  readonly at: number
  readonly name: string
  readonly canonical: string
  readonly sha256: string
}

/** Publishes a draft. `seal` throws what is wrong with it beside what is published, and answers what it is published as. */
export const publishVersion = (
  database: Database,
  asked: InProject & { readonly versionId: number; readonly version: number },
  seal: (draft: TariffVersionRow, others: readonly TariffHeadRow[], tariff: TariffRow) => Published,
  audit: (tariff: TariffRow, row: TariffVersionRow) => AuditEntry,
): Promise<TariffVersionRow | DraftRefusal> =>
  inProject(database, asked, async (trx) => {
    const draft = await findVersion(trx, asked.projectId, asked.versionId)
    const tariff = draft && (await findTariff(trx, asked.projectId, draft.tariff_id))
    if (!draft || !tariff) return 'gone'
    if (draft.published_at) return 'published'
    if (draft.version !== asked.version) return 'changed'
    const others = (await headsOf(trx, draft.tariff_id)).filter((row) => row.version_id !== draft.version_id)
    const row = await publishedAs(trx, draft, seal(draft, others, tariff))
    await appendAudit(trx, audit(tariff, row))
    return row
  })
