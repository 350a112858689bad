import type { UtilityBill } from '@linewarden/contract'
import type { Kysely, Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'

export type StatementBillRow = Selectable<Schema['statement_bill']>

/** The utility's bill that was entered beside a statement. */
export const findStatementBill = (db: Kysely<Schema>, statementId: number): Promise<StatementBillRow | undefined> =>
  db.selectFrom('statement_bill').selectAll().where('statement_id', '=', statementId).executeTakeFirst()

interface BillSave {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  readonly statementId: number
  /** 0: nothing stands there. */
  readonly version: number
  /** Null: it is taken out. */
  readonly columns: { readonly bill: UtilityBill; readonly entered_at: Date; readonly entered_name: string } | null
}

/** Writes over what its editor saw, or takes it out. */
export const saveStatementBill = (
  { general }: Database,
  { projectId, owner, statementId, version, columns }: BillSave,
  audit: (before: StatementBillRow | null) => AuditEntry,
): Promise<StatementBillRow | null | 'noProject' | 'changed'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const before = (await findStatementBill(trx, statementId)) ?? null
    if ((before?.version ?? 0) !== version) return 'changed'
    await trx.deleteFrom('statement_bill').where('statement_id', '=', statementId).execute()
    const saved = columns
      ? await trx
          .insertInto('statement_bill')
          .values({
            ...{ statement_id: statementId, project_id: projectId, version: version + 1 },
            ...{ ...columns, bill: JSON.stringify(columns.bill) },
          })
          .returningAll()
          .executeTakeFirstOrThrow()
      : null
    await appendAudit(trx, audit(before))
    return saved
  })
