import {
  correctStatement,
  draftStatement,
  exportStatements,
  getStatement,
  getStatementBill,
  issueStatement,
  listStatements,
  printStatement,
  setStatementBill,
  verifyStatement,
  voidStatement,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { StatementBills } from './statement-bills.ts'
import type { StatementExport } from './statement-export.ts'
import type { StatementLists } from './statement-list.ts'
import type { Statements } from './statements.ts'

interface Parts {
  readonly statements: Statements
  readonly statementLists: StatementLists
  readonly statementExport: StatementExport
  readonly statementBills: StatementBills
}

export function statementRoutes(serve: Serve, { statements, statementLists, statementExport, statementBills }: Parts): void {
  serve(listStatements, ({ actor, project, query }) => statementLists.list(actor, project, query))
  serve(getStatement, ({ actor, project, query }) => statements.one(actor, project, query.StatementID))
  serve(verifyStatement, ({ actor, project, query }) => statements.verify(actor, project, query.StatementID))
  serve(draftStatement, ({ actor, project, body }) => statements.draft(actor, project, body))
  serve(issueStatement, ({ actor, project, body }) => statements.issue(actor, project, body))
  serve(correctStatement, ({ actor, project, body }) => statements.correct(actor, project, body))
  serve(voidStatement, ({ actor, project, body }) => statements.makeVoid(actor, project, body))
  serve(exportStatements, ({ actor, project, body }) => statementExport.prepare(actor, project, body))
  serve(printStatement, ({ actor, project, body }) => statementExport.print(actor, project, body))
  serve(getStatementBill, ({ actor, project, query }) => statementBills.read(actor, project, query.StatementID))
  serve(setStatementBill, ({ actor, project, body }) => statementBills.set(actor, project, body))
}
