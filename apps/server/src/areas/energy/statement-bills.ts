import type { Reply, Request, StatementBill, setStatementBill } from '@linewarden/contract'
import { aboutNothing, billCheckOf, Refusal } from '@linewarden/contract'
import { parseDate } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { StatementRow } from '../../store/energy/statement.ts'
import type { StatementBillRow } from '../../store/energy/statement-bill.ts'
import { findStatementBill, saveStatementBill } from '../../store/energy/statement-bill.ts'
import { invalid } from './asked.ts'
import type { StatementDeps } from './statement-draft.ts'
import { rowOf } from './statement-read.ts'
import { statementRecord } from './statement-record.ts'

export type StatementBills = ReturnType<typeof createStatementBills>

type Wanted = Request<typeof setStatementBill>['body']

/** The utility's own bills beside issued statements. */
export function createStatementBills(deps: StatementDeps) {
  const { database, clock } = deps
  return {
    async read(actor: Actor, project: PlantProject, statementId: number): Promise<StatementBill | null> {
      const row = await rowOf(deps, actor, project, statementId)
      const bill = await withRowSecurity(database, actor.scope, ({ general }) => findStatementBill(general, statementId))
      return bill ? billRecord(row, bill, !actor.shared) : null
    },

    async set(
      actor: Actor,
      project: PlantProject,
      { StatementID: statementId, Version: version, Bill }: Wanted,
    ): Promise<Reply<typeof setStatementBill>> {
      if (actor.shared) throw new Refusal('access denied')
      const row = await rowOf(deps, actor, project, statementId)
      if (Bill) refuseWrong(Bill)
      const now = clock()
      const columns = Bill && { bill: Bill, entered_at: new Date(now), entered_name: actor.userName }
      const place = { projectId: project.id, owner: project.ownerId, statementId, version }
      const saved = await saveStatementBill(database, { ...place, columns }, (before) => ({
        ...by(actor, now, 'statement.bill', project.ownerId),
        ...{ subject: aboutNothing, target: `${project.name} · ${row.number}` },
        before: before && auditedOf(before.bill),
        after: Bill && auditedOf(Bill),
      }))
      if (saved === 'noProject') throw new Refusal('project not exists')
      if (saved === 'changed') throw new Refusal('changed meanwhile')
      return saved && billRecord(row, saved, true)
    },
  }
}

const auditedOf = ({ Number: number, From, To, Total, Rows }: NonNullable<Wanted['Bill']>) => ({
  ...{ number, from: From, to: To, total: Total, rows: Rows.length },
})

function refuseWrong({ From, To, Rows }: NonNullable<Wanted['Bill']>): void {
  const [first, end] = [parseDate(From), parseDate(To)]
  if (first === null || end === null || first >= end) throw invalid('body.Bill.To', datesTexts)
  const seen = new Set<string>()
  Rows.forEach(({ Key, Band }, place) => {
    const id = JSON.stringify([Key, Band])
    if (seen.has(id)) throw invalid(`body.Bill.Rows.${place}`, twiceTexts)
    seen.add(id)
  })
}

const datesTexts = { zh: '请填写存在的日期，结束应晚于开始', en: 'must be a date that exists, after From' }
const twiceTexts = { zh: '同一项目、同一时段只填一行', en: 'stands there twice: a charge has one row for each band' }

/** Guests see what is billed, and nobody: `isNamed` is false for them. */
function billRecord(
  row: StatementRow,
  { bill, entered_at, entered_name, version }: StatementBillRow,
  isNamed: boolean,
): StatementBill {
  const statement = statementRecord(row, { corrected: null, successor: null, late: null, isNamed: false })
  return {
    ...{ Bill: bill, Check: billCheckOf(statement, bill), EnteredAt: entered_at.getTime() },
    ...{ EnteredBy: isNamed ? entered_name : null, Version: version },
  }
}
