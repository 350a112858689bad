import { maxStatementsOfFile } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { FileTicket } from '../../core/file-ticket.ts'
import { exact, id, optional, orNull, paging, requiredText } from '../../core/schemas.ts'
import { Statement, StatementRow, statementStates } from './statement.ts'

const statement = { area: 'energy', scope: { kind: 'project', id: 'HouseID' } } as const
const reading = { ...statement, permission: 'system.report', shows: ['statements', 'supplies', 'tariffs'] } as const
const changes = {
  ...statement,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['statements'],
} as const

const month = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}$', maxLength: 7, description })
const Month = month('In which the period begins, `2026-11`')
const reason = (description: string) => requiredText(300, description)
const Estimates = orNull(
  reason('Why it is issued although not all of it is known: what is missing is filled and marked. Null: it is not'),
)
const Total = Type.String({ maxLength: 40, description: 'As the draft said; another one is refused' })
const one = Type.Object({ HouseID: id, StatementID: id }, exact)

export const listStatements = call({
  ...reading,
  name: 'listStatements',
  method: 'GET',
  path: '/statements',
  summary: 'Supplies of a project by months, each with its statements, the latest month first; without one it is a draft',
  query: Type.Object(
    {
      HouseID: id,
      From: month('The first month'),
      To: month('The last month, included; at most twelve'),
      State: optional(Type.Enum([...statementStates, 'late'], { description: 'late: issued, and more is known since' })),
      ...paging,
    },
    exact,
  ),
  datas: StatementRow,
  about: Type.Object(
    {
      Zone: Type.String(),
      Supplies: Type.Integer({ description: 'Of the project in these months' }),
      Counts: Type.Object(
        {
          draft: Type.Integer(),
          issued: Type.Integer(),
          replaced: Type.Integer(),
          void: Type.Integer(),
          late: Type.Integer(),
        },
        exact,
      ),
      Pending: Type.Integer({ description: 'Periods that are over and have none' }),
    },
    exact,
  ),
})

export const getStatement = call({
  ...reading,
  name: 'getStatement',
  method: 'GET',
  path: '/statements/one',
  summary: 'An issued statement as it was frozen, and what has been reported since',
  query: one,
  data: Statement,
})

export const verifyStatement = call({
  ...reading,
  name: 'verifyStatement',
  method: 'GET',
  path: '/statements/verify',
  summary: 'Reckon a statement again from its frozen inputs, by its own engine, and compare each byte',
  query: one,
  data: Type.Object(
    {
      Number: Type.String(),
      Engine: Type.Integer(),
      Sha256: Type.String(),
      IsEqual: Type.Boolean({ description: 'Result and hash are what they were' }),
      Bytes: Type.Integer({ description: 'That were compared' }),
    },
    exact,
  ),
})

export const draftStatement = call({
  ...reading,
  name: 'draftStatement',
  method: 'POST',
  path: '/statements/draft',
  reads: true,
  summary: 'What a statement would say now, and all that stands against issuing it; nothing is stored',
  body: Type.Object(
    {
      HouseID: id,
      SupplyID: id,
      Month,
      Estimate: optional(Type.Boolean({ description: 'As it would be issued with estimates' })),
    },
    exact,
  ),
  data: Statement,
})

export const issueStatement = call({
  ...changes,
  name: 'issueStatement',
  method: 'POST',
  path: '/statements/issue',
  summary: 'Issue a statement: its inputs and result are frozen for ever, under a number and a hash',
  body: Type.Object({ HouseID: id, SupplyID: id, Month, Total, Estimates }, exact),
  data: Statement,
})

export const correctStatement = call({
  ...changes,
  name: 'correctStatement',
  method: 'POST',
  path: '/statements/correct',
  summary: 'Correct an issued statement (红冲): another one of what is known now cancels and replaces it, both name each other',
  body: Type.Object({ HouseID: id, StatementID: id, Reason: reason('Why it is corrected'), Total, Estimates }, exact),
  data: Statement,
})

export const voidStatement = call({
  ...changes,
  name: 'voidStatement',
  method: 'POST',
  path: '/statements/void',
  summary: 'Make an issued statement void: it stays readable, and its period can be issued again',
  body: Type.Object({ HouseID: id, StatementID: id, Reason: reason('Why it is void') }, exact),
  data: Statement,
})

export const exportStatements = call({
  ...reading,
  name: 'exportStatements',
  method: 'POST',
  path: '/statements/export',
  reads: true,
  summary:
    'Have statements prepared as one zip with the canonical JSON of each, and its PDF; its one-use ticket starts the download',
  body: Type.Object(
    {
      HouseID: id,
      StatementIDs: Type.Array(id, { minItems: 1, maxItems: maxStatementsOfFile }),
      Language: optional(Type.Enum(['CN', 'EN'], { description: 'Of the PDF of each; left out: there is none' })),
    },
    exact,
  ),
  data: FileTicket,
})

export const printStatement = call({
  ...reading,
  name: 'printStatement',
  method: 'POST',
  path: '/statements/pdf',
  reads: true,
  summary: 'Have an issued statement prepared as a PDF, as it prints; its one-use ticket starts the download',
  body: Type.Object({ HouseID: id, StatementID: id, Language: Type.Enum(['CN', 'EN']) }, exact),
  data: FileTicket,
})
