import type { Statement } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { minorText } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { StatementRow } from '../../store/energy/statement.ts'
import { findStatement, findStatements, namesOfStatements, successorsOf } from '../../store/energy/statement.ts'
import type { StatementDeps } from './statement-draft.ts'
import { draftOf } from './statement-draft.ts'
import { lateOf } from './statement-late.ts'
import { statementRecord } from './statement-record.ts'

/** A statement of a project that somebody sees. */
export async function rowOf(
  deps: StatementDeps,
  actor: Actor,
  project: PlantProject,
  statementId: number,
): Promise<StatementRow> {
  const row = await withRowSecurity(deps.database, actor.scope, ({ general }) => findStatement(general, project.id, statementId))
  if (!row) throw new Refusal('statement not exists')
  return row
}

/** A statement as it was issued, with what is known since. */
export async function readStatement(
  deps: StatementDeps,
  actor: Actor,
  project: PlantProject,
  statementId: number,
): Promise<Statement> {
  const row = await rowOf(deps, actor, project, statementId)
  const late = await lateIn(deps, actor, project, row)
  const [record] = await recordsOf(deps, actor, project, [row])
  if (!record) throw new Refusal('statement not exists')
  return { ...record, Late: late }
}

/** Statements as they were issued, by their numbers; what is known since is left out. */
export async function readStatements(
  deps: Pick<StatementDeps, 'database'>,
  actor: Actor,
  project: PlantProject,
  statementIds: readonly number[],
): Promise<{ readonly row: StatementRow; readonly record: Statement }[]> {
  const rows = await withRowSecurity(deps.database, actor.scope, ({ general }) =>
    findStatements(general, project.id, statementIds),
  )
  const records = await recordsOf(deps, actor, project, rows)
  return rows.flatMap((row, place) => (records[place] ? [{ row, record: records[place] }] : []))
}

/** Each with those that it replaces and that replace it. */
async function recordsOf(
  { database }: Pick<StatementDeps, 'database'>,
  actor: Actor,
  project: PlantProject,
  rows: readonly StatementRow[],
): Promise<Statement[]> {
  const replaced = rows.flatMap(({ replaces }) => replaces ?? [])
  const ids = rows.map(({ statement_id }) => statement_id)
  const { corrected, successors } = await withRowSecurity(database, actor.scope, async ({ general }) => ({
    corrected: replaced.length === 0 ? [] : await namesOfStatements(general, project.id, replaced),
    successors: await successorsOf(general, ids),
  }))
  return rows.map((row) =>
    statementRecord(row, {
      corrected: corrected.find(({ statement_id }) => statement_id === row.replaces) ?? null,
      successor: successors.find(({ replaces }) => replaces === row.statement_id) ?? null,
      ...{ late: null, isNamed: !actor.shared },
    }),
  )
}

/** How much more is known by now, and what that would come to; neither stands in the way of what was issued. */
async function lateIn(deps: StatementDeps, actor: Actor, project: PlantProject, row: StatementRow): Promise<Statement['Late']> {
  const late = await lateOf(deps, actor, project, [row]).catch(() => null)
  const wh = late?.get(row.statement_id)
  return wh === undefined ? null : { Wh: wh, Fee: await lateFee(deps, actor, project, row).catch(() => null) }
}

/** Null: it is not known, or would be of another period. */
async function lateFee(deps: StatementDeps, actor: Actor, project: PlantProject, row: StatementRow): Promise<string | null> {
  const asked = { supplyId: row.supply_id, month: row.month, estimate: row.head.isEstimated }
  const { result, inputs, source } = await draftOf(deps, actor, project, asked)
  if (result.total === null || inputs.currency !== row.head.currency || !isOfPeriod(row, source.period)) return null
  const minor = (text: string) => BigInt(text.replace('.', ''))
  return minorText(minor(result.total) - minor(row.head.total), inputs.minorDigits)
}

/** Whether it is of this very period: the billing day of its supply can be another by now. */
export const isOfPeriod = ({ first_day, end_day }: StatementRow, { first, end }: CivilPeriod): boolean =>
  first_day === first && end_day === end
