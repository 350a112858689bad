import type {
  correctStatement,
  draftStatement,
  issueStatement,
  Reply,
  Request,
  Statement,
  verifyStatement,
  voidStatement,
} from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import { isByReason } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Frozen, IssueRefusal, StatementName, StatementRow } from '../../store/energy/statement.ts'
import { issue, makeVoid, projectNumber } from '../../store/energy/statement.ts'
import type { StatementDeps } from './statement-draft.ts'
import { draftOf, problemsOf } from './statement-draft.ts'
import { freeze, isAsIssued } from './statement-freeze.ts'
import { isOfPeriod, readStatement, rowOf } from './statement-read.ts'
import { draftRecord, problemsOfRefusal } from './statement-record.ts'

export type Statements = ReturnType<typeof createStatements>

interface Issue {
  readonly supplyId: number
  readonly month: string
  readonly total: string
  /** Why it is issued with estimates; null: it is not. */
  readonly estimates: string | null
  readonly corrects: { readonly row: StatementRow; readonly reason: string } | null
}

/** Statements of what the utility bills: computed until they are issued, and frozen from then on. */
export function createStatements(deps: StatementDeps) {
  const { database, clock } = deps
  return {
    async draft(actor: Actor, project: PlantProject, body: Request<typeof draftStatement>['body']): Promise<Statement> {
      const { SupplyID: supplyId, Month, Estimate = false } = body
      const draft = await draftOf(deps, actor, project, { supplyId, month: Month, estimate: Estimate })
      return draftRecord(draft.inputs, draft.result, problemsOf(draft))
    },

    one: (actor: Actor, project: PlantProject, statementId: number): Promise<Statement> =>
      readStatement(deps, actor, project, statementId),

    async verify(actor: Actor, project: PlantProject, statementId: number): Promise<Reply<typeof verifyStatement>> {
      const row = await rowOf(deps, actor, project, statementId)
      return {
        ...{ Number: row.number, Engine: row.engine, Sha256: row.sha256 },
        ...{ IsEqual: await isAsIssued(database, row), Bytes: Buffer.byteLength(row.canonical) },
      }
    },

    async issue(
      actor: Actor,
      project: PlantProject,
      { SupplyID, Month, Total, Estimates }: Request<typeof issueStatement>['body'],
    ): Promise<Statement> {
      if (actor.shared) throw new Refusal('access denied')
      return issued(actor, project, { supplyId: SupplyID, month: Month, total: Total, estimates: Estimates, corrects: null })
    },

    async correct(
      actor: Actor,
      project: PlantProject,
      { StatementID, Reason, Total, Estimates }: Request<typeof correctStatement>['body'],
    ): Promise<Statement> {
      if (actor.shared) throw new Refusal('access denied')
      const row = await rowOf(deps, actor, project, StatementID)
      const { supply_id: supplyId, month } = row
      const corrects = { row, reason: Reason.trim() }
      return issued(actor, project, { supplyId, month, total: Total, estimates: Estimates, corrects })
    },

    async makeVoid(
      actor: Actor,
      project: PlantProject,
      { StatementID, Reason }: Request<typeof voidStatement>['body'],
    ): Promise<Statement> {
      if (actor.shared) throw new Refusal('access denied')
      const asked = { ...placeOf(project), statementId: StatementID, at: clock(), name: actor.userName, reason: Reason.trim() }
      const done = await makeVoid(database, asked, (row) => ({
        ...by(actor, clock(), 'statement.void', project.ownerId),
        ...{ subject: aboutNothing, target: `${project.name} · ${row.number}` },
        after: { number: row.number, sha256: row.sha256, reason: Reason.trim() },
      }))
      if (done !== true) throw refusalOf(done)
      return readStatement(deps, actor, project, StatementID)
    },
  }

  async function issued(actor: Actor, project: PlantProject, { corrects, ...asked }: Issue): Promise<Statement> {
    const estimates = asked.estimates?.trim() ?? null
    const draft = await draftOf(deps, actor, project, { ...asked, estimate: estimates !== null })
    const { inputs, result, source } = draft
    if (corrects && !isOfPeriod(corrects.row, source.period))
      throw new Refusal('statement of another period', {
        number: corrects.row.number,
        from: inputs.period.from,
        to: inputs.period.to,
      })
    const against = problemsOf({
      ...draft,
      problems: draft.problems.filter((each) => estimates === null || !isByReason(each)),
    })
    if (against.length > 0) throw new Refusal('statement not ready', { count: against.length }, problemsOfRefusal(against))
    if (result.total === null)
      throw new Error(`a statement of supply ${asked.supplyId} has no total, and nothing stands against it`)
    if (result.total !== asked.total) throw new Refusal('statement moved', { total: result.total })
    const [at, name] = [clock(), actor.userName]
    const number = await projectNumber(database.general, project.id)
    const frozenOf = (nth: number, corrected: StatementName | null): Frozen =>
      freeze({
        ...{ projectNumber: number, nth, issuedAt: at, issuer: name, inputs, result },
        corrects: corrected && corrects && { number: corrected.number, reason: corrects.reason },
        estimates: estimates === null ? null : { issuer: name, reason: estimates },
      })
    const { first: firstDay, end: endDay } = source.period
    const place = { ...placeOf(project), supplyId: asked.supplyId, month: inputs.month, firstDay, endDay }
    const cancelled = corrects && { statementId: corrects.row.statement_id, reason: corrects.reason }
    const done = await issue(database, { ...place, corrects: cancelled, at, name }, frozenOf, (frozen, corrected) => ({
      ...by(actor, at, corrected ? 'statement.correct' : 'statement.issue', project.ownerId),
      ...{ subject: aboutNothing, target: `${project.name} · ${frozen.number}` },
      after: {
        ...{ number: frozen.number, supply: inputs.supply.name, month: inputs.month, total: result.total },
        ...{ currency: inputs.currency, sha256: frozen.sha256, engine: frozen.engine, estimates },
        ...(corrected && corrects && { corrects: corrected.number, reason: corrects.reason }),
      },
    }))
    if (typeof done !== 'number') throw refusalOf(done)
    return readStatement(deps, actor, project, done)
  }
}

const placeOf = ({ id: projectId, ownerId: owner }: PlantProject) => ({ projectId, owner })

function refusalOf(why: IssueRefusal): Refusal {
  if (typeof why === 'object') return new Refusal('statement issued', { number: why.issued })
  switch (why) {
    case 'noProject':
      return new Refusal('project not exists')
    case 'gone':
      return new Refusal('statement not exists')
    case 'ended':
      return new Refusal('statement not issued')
  }
}
