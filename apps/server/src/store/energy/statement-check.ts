import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { StatementRow } from './statement.ts'

type Checked = Pick<StatementRow, 'statement_id' | 'number' | 'engine' | 'canonical' | 'sha256' | 'head'>

/** The ids of the newest statements, of others at random, and of those that were not what they are. */
export async function statementsToCheck(
  { general }: Pick<Database, 'general'>,
  newest: number,
  others: number,
): Promise<number[]> {
  const { rows } = await sql<{ statement_id: number }>`
    with newest as (select statement_id from statement order by statement_id desc limit ${newest}),
      others as (select statement_id from statement where statement_id not in (select statement_id from newest) order by random() limit ${others})
    select statement_id from newest union select statement_id from others
    union select statement_id from statement_check where not is_equal order by statement_id`.execute(general)
  return rows.map(({ statement_id }) => statement_id)
}

/** One by itself, of whatever project: it is looked at by nobody. */
export const statementToCheck = ({ general }: Pick<Database, 'general'>, statementId: number): Promise<Checked | undefined> =>
  general
    .selectFrom('statement')
    .select(['statement_id', 'number', 'engine', 'canonical', 'sha256', 'head'])
    .where('statement_id', '=', statementId)
    .executeTakeFirst()

/** The hashes that the log has of statements of this number. It is of one project mostly: own numbers of projects can be the same. */
export async function loggedHashes({ general }: Pick<Database, 'general'>, number: string): Promise<readonly string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select after ->> 'sha256' as sha256 from audit
    where action collate "C" in ('statement.issue', 'statement.correct') and outcome = 'done' and after ->> 'number' = ${number}`.execute(
    general,
  )
  return rows.map(({ sha256 }) => sha256)
}

export async function noteCheck(
  { general }: Pick<Database, 'general'>,
  statementId: number,
  isEqual: boolean,
  at: number,
): Promise<void> {
  const columns = { at: new Date(at), is_equal: isEqual }
  await general
    .insertInto('statement_check')
    .values({ statement_id: statementId, ...columns })
    .onConflict((conflict) => conflict.column('statement_id').doUpdateSet(columns))
    .execute()
}

/** A statement that is not what it was issued as. */
export interface DifferingStatement {
  readonly projectId: number
  readonly lineIds: readonly number[]
}

export async function differingStatements({ general }: Pick<Database, 'general'>): Promise<DifferingStatement[]> {
  const rows = await general
    .selectFrom('statement_check')
    .innerJoin('statement', 'statement.statement_id', 'statement_check.statement_id')
    .select(['project_id', 'head'])
    .where('is_equal', '=', false)
    .orderBy('statement.statement_id')
    .execute()
  return rows.map(({ project_id, head }) => ({ projectId: project_id, lineIds: head.reported.map(({ lineId }) => lineId) }))
}
