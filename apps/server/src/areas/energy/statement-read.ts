import type { Statement } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { minorText } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { StatementRow } from '../../store/energy/statement.ts'
import { findStatement, findStatements, successorOf } from '../../store/energy/statement.ts'
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
  const { corrected, successor } = await withRowSecurity(deps.database, actor.scope, async ({ general }) => ({
    corrected: row.replaces === null ? undefined : (await findStatements(general, project.id, [row.replaces]))[0],
    successor: await successorOf(general, statementId),
  }))
  const late = await lateIn(deps, actor, project, row)
  return statementRecord(row, { corrected: corrected ?? null, successor: successor ?? null, late, isNamed: !actor.shared })
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
