import { dateText } from '@linewarden/rules/automation'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>

export type BudgetRow = Selectable<Schema['energy_budget']>

export const budgetsOf = (db: Db, projectId: number): Promise<BudgetRow[]> =>
  db.selectFrom('energy_budget').selectAll().where('project_id', '=', projectId).orderBy('name').execute()

/** All budgets of projects that are there. */
export const everyBudget = (db: Db): Promise<BudgetRow[]> =>
  db
    .selectFrom('energy_budget')
    .innerJoin('project', 'project.project_id', 'energy_budget.project_id')
    .selectAll('energy_budget')
    .where('project.removed_at', 'is', null)
    .orderBy('budget_id')
    .execute()

export type BudgetColumns = Omit<Insertable<Schema['energy_budget']>, 'budget_id' | 'project_id' | 'version'>

interface BudgetSave {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  /** Null: a new one. */
  readonly budgetId: number | null
  readonly version: number
  readonly most: number
  /** Null: it is taken out. */
  readonly columns: BudgetColumns | null
}

/** Writes a budget over what its editor saw. What was told of another amount or of other thresholds is told anew. */
export const saveBudget = (
  { general }: Database,
  { projectId, owner, budgetId, version, most, columns }: BudgetSave,
  audit: (before: BudgetRow | null) => AuditEntry,
): Promise<BudgetRow | null | 'noProject' | 'noSupply' | 'gone' | 'changed' | 'named' | 'many'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const rows = await budgetsOf(trx, projectId)
    const before = rows.find((row) => row.budget_id === budgetId) ?? null
    if (budgetId !== null && !before) return 'gone'
    if ((before?.version ?? 0) !== version) return 'changed'
    if (!before && rows.length >= most) return 'many'
    if (columns && rows.some((row) => row !== before && row.name.toLowerCase() === columns.name.toLowerCase())) return 'named'
    if (columns?.supply_id != null && !(await supplyIn(trx, projectId, columns.supply_id))) return 'noSupply'
    const saved = await written(trx, { projectId, before, columns })
    await appendAudit(trx, audit(before))
    return saved
  })

const supplyIn = (trx: Db, projectId: number, supplyId: number) =>
  trx
    .selectFrom('supply')
    .select('supply_id')
    .where('supply_id', '=', supplyId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()

async function written(
  trx: Db,
  {
    projectId,
    before,
    columns,
  }: { readonly projectId: number; readonly before: BudgetRow | null; readonly columns: BudgetColumns | null },
): Promise<BudgetRow | null> {
  if (before) await trx.deleteFrom('energy_budget_notice').where('budget_id', '=', before.budget_id).execute()
  if (!columns) {
    if (before) await trx.deleteFrom('energy_budget').where('budget_id', '=', before.budget_id).execute()
    return null
  }
  if (before)
    return trx
      .updateTable('energy_budget')
      .set({ ...columns, version: before.version + 1 })
      .where('budget_id', '=', before.budget_id)
      .returningAll()
      .executeTakeFirstOrThrow()
  return trx
    .insertInto('energy_budget')
    .values({ ...columns, project_id: projectId })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What was told of a budget in the period that begins on a date. */
export async function noticesOf(db: Db, budgetId: number, first: number) {
  const { rows } = await sql<{ notice: string; noticed_at: Date }>`
    select notice, noticed_at from energy_budget_notice where budget_id = ${budgetId} and starts = ${dateText(first)}::date
    order by noticed_at, notice`.execute(db)
  return rows
}

/** Notes what is to be told of the period of a budget; what was noted before stays, however often it is found. */
export async function noteNotices(
  { general }: Database,
  {
    budgetId,
    version,
    first,
    at,
  }: { readonly budgetId: number; readonly version: number; readonly first: number; readonly at: number },
  notices: readonly string[],
): Promise<void> {
  if (notices.length === 0) return
  await sql`insert into energy_budget_notice (budget_id, starts, notice, noticed_at)
    select budget_id, ${dateText(first)}::date, notice, ${new Date(at)} from energy_budget, unnest(${[...notices]}::text[]) as notice
    where budget_id = ${budgetId} and version = ${version} on conflict do nothing`.execute(general)
}

/** Takes the projects of which something is to be told, as told: of several servers one gets each. */
export async function takeNotices({ general }: Database, at: number): Promise<readonly number[]> {
  const { rows } = await sql<{ project_id: number }>`
    with notified as (update energy_budget_notice set notified_at = ${new Date(at)} where notified_at is null returning budget_id)
    select distinct project_id from notified join energy_budget using (budget_id)`.execute(general)
  return rows.map(({ project_id }) => project_id)
}

/** The projects that have a notice of a period that still runs by the clock of the project. */
export async function projectsOverBudget({ general }: Database, at: number): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ project_id: number }>`
    select distinct project_id from energy_budget_notice join energy_budget using (budget_id) join project using (project_id)
    where (starts + case period when 'month' then interval '1 month' else interval '1 year' end) at time zone time_zone > ${new Date(at)}`.execute(
    general,
  )
  return new Set(rows.map(({ project_id }) => project_id))
}
