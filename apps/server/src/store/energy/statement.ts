import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

type Db = Kysely<Schema>

export type StatementRow = Selectable<Schema['statement']>
/** Without what was frozen: of a list it would be megabytes. */
export type StatementHeadRow = Omit<StatementRow, 'canonical'>

const headColumns = [
  ...(['statement_id', 'project_id', 'supply_id', 'number', 'month', 'first_day', 'end_day', 'state', 'engine'] as const),
  ...(['sha256', 'head', 'issued_at', 'issued_name', 'replaces', 'ended_at', 'ended_name', 'ended_reason'] as const),
] as const

/** Of a project in these months, the first issued first. */
export const statementsIn = (db: Db, projectId: number, months: readonly string[]): Promise<StatementHeadRow[]> =>
  db
    .selectFrom('statement')
    .select(headColumns)
    .where('project_id', '=', projectId)
    .where('month', '=', sql<string>`any (${[...months]}::text[])`)
    .orderBy('statement_id')
    .execute()

export const findStatement = (db: Db, projectId: number, statementId: number): Promise<StatementRow | undefined> =>
  db
    .selectFrom('statement')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('statement_id', '=', statementId)
    .executeTakeFirst()

export interface StatementName {
  readonly statement_id: number
  readonly number: string
}

/** The statements that replace these. */
export const successorsOf = (db: Db, statementIds: readonly number[]): Promise<(StatementName & { replaces: number | null })[]> =>
  db
    .selectFrom('statement')
    .select(['statement_id', 'number', 'replaces'])
    .where('replaces', '=', sql<number>`any (${[...statementIds]}::int[])`)
    .execute()

/** Those of these that a project has, by their numbers; of a file a few at a time. */
export const findStatements = (db: Db, projectId: number, statementIds: readonly number[]): Promise<StatementRow[]> =>
  db
    .selectFrom('statement')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('statement_id', '=', sql<number>`any (${[...statementIds]}::int[])`)
    .orderBy('statement_id')
    .execute()

/** What those of these that a project has are called. */
export const namesOfStatements = (db: Db, projectId: number, statementIds: readonly number[]): Promise<StatementName[]> =>
  db
    .selectFrom('statement')
    .select(['statement_id', 'number'])
    .where('project_id', '=', projectId)
    .where('statement_id', '=', sql<number>`any (${[...statementIds]}::int[])`)
    .orderBy('statement_id')
    .execute()

interface InProject {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
}

interface Issue extends InProject {
  readonly supplyId: number
  readonly month: string
  readonly firstDay: number
  readonly endDay: number
  /** The one that it corrects; null: none. */
  readonly corrects: { readonly statementId: number; readonly reason: string } | null
  readonly at: number
  readonly name: string
}

/** What is frozen, once its number is known. */
export interface Frozen {
  readonly number: string
  readonly engine: number
  readonly canonical: string
  readonly sha256: string
  readonly head: string
}

export type IssueRefusal = 'noProject' | 'gone' | 'ended' | { readonly issued: string }

/**
 * Issues a statement; one at a time in its project, so that numbers follow each other and a period has one. `freeze` answers what is frozen of the
 * n-th statement of its project and month.
 */
export const issue = (
  { general }: Database,
  { projectId, owner, supplyId, month, firstDay, endDay, corrects, at, name }: Issue,
  freeze: (nth: number, corrected: StatementName | null) => Frozen,
  audit: (frozen: Frozen, corrected: StatementName | null) => AuditEntry,
): Promise<number | IssueRefusal> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    let corrected: StatementHeadRow | null = null
    if (corrects) {
      const ended = await end(
        trx,
        { projectId, statementId: corrects.statementId, at, name, reason: corrects.reason },
        'replaced',
      )
      if (typeof ended === 'string') return ended
      corrected = ended
    }
    const inForce = await trx
      .selectFrom('statement')
      .select('number')
      .where('supply_id', '=', supplyId)
      .where('state', '=', 'issued')
      .where('first_day', '<', endDay)
      .where('end_day', '>', firstDay)
      .executeTakeFirst()
    if (inForce) return { issued: inForce.number }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from statement where project_id = ${projectId} and month = ${month}`.execute(trx)
    const frozen = freeze((rows[0]?.count ?? 0) + 1, corrected)
    const { statement_id } = await trx
      .insertInto('statement')
      .values({
        ...{ project_id: projectId, supply_id: supplyId, month, first_day: firstDay, end_day: endDay, ...frozen },
        ...{ issued_at: new Date(at), issued_name: name, replaces: corrected?.statement_id ?? null },
      })
      .returning('statement_id')
      .executeTakeFirstOrThrow()
    await appendAudit(trx, audit(frozen, corrected))
    return statement_id
  })

interface End {
  readonly projectId: number
  readonly statementId: number
  readonly at: number
  readonly name: string
  readonly reason: string
}

async function end(
  trx: Db,
  { projectId, statementId, at, name, reason }: End,
  state: 'replaced' | 'void',
): Promise<StatementHeadRow | 'gone' | 'ended'> {
  const row = await trx
    .selectFrom('statement')
    .select(headColumns)
    .where('project_id', '=', projectId)
    .where('statement_id', '=', statementId)
    .executeTakeFirst()
  if (!row) return 'gone'
  if (row.state !== 'issued') return 'ended'
  await trx
    .updateTable('statement')
    .set({ state, ended_at: new Date(at), ended_name: name, ended_reason: reason })
    .where('statement_id', '=', statementId)
    .execute()
  return row
}

/** Makes a statement void. */
export const makeVoid = (
  { general }: Database,
  { owner, ...asked }: End & InProject,
  audit: (row: StatementHeadRow) => AuditEntry,
): Promise<true | 'noProject' | 'gone' | 'ended'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, asked.projectId, owner))) return 'noProject'
    const row = await end(trx, asked, 'void')
    if (typeof row === 'string') return row
    await appendAudit(trx, audit(row))
    return true
  })

/** The number that a project was given by who has it; empty: none. */
export async function projectNumber(db: Db, projectId: number): Promise<string> {
  const row = await db.selectFrom('project').select('number').where('project_id', '=', projectId).executeTakeFirst()
  return row?.number ?? ''
}
