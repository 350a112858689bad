import { dayMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import { monthStart } from '@linewarden/rules/energy'
import type { Actor } from '../apps/server/src/access/actor.ts'
import type { StatementDeps } from '../apps/server/src/areas/energy/statement-draft.ts'
import { createStatements } from '../apps/server/src/areas/energy/statements.ts'
import type { PlantProject } from '../apps/server/src/plant/plant.ts'
import { percentile } from './calibrate.ts'

/** What a draft and a verification of last month take, p95 in ms, by how many lines a supply has; and how large a statement is. */
export interface StatementCost {
  readonly draftP95Ms: number
  readonly issueMs: number
  readonly verifyP95Ms: number
  readonly bytes: number
}

const rounds = 20

/** Drafts, issues and verifies the last whole month of each of these. */
export async function statementCosts(
  deps: StatementDeps,
  everybody: Actor,
  project: PlantProject,
  supplies: readonly { readonly lines: number; readonly supplyId: number }[],
): Promise<Readonly<Record<string, StatementCost>>> {
  const actor = { ...everybody, userName: 'bench', address: '', shared: false } as Actor
  const statements = createStatements(deps)
  const Month = dateText(monthStart(monthStart(Math.floor(deps.clock() / dayMs)) - 1)).slice(0, 7)
  const found: Record<string, StatementCost> = {}
  for (const { lines, supplyId: SupplyID } of supplies) {
    const body = { HouseID: project.id, SupplyID, Month }
    const drafts = await timed(() => statements.draft(actor, project, body))
    const { Total } = await statements.draft(actor, project, body)
    const from = performance.now()
    const { StatementID } = await statements.issue(actor, project, { ...body, Total: Total ?? '', Estimates: null })
    const issueMs = Math.round(performance.now() - from)
    const verified = await timed(() => statements.verify(actor, project, StatementID ?? 0))
    const { IsEqual, Bytes: bytes } = await statements.verify(actor, project, StatementID ?? 0)
    if (!IsEqual) throw new Error('a statement is what it was issued as')
    const p95 = (asked: readonly number[]) => Math.round(percentile(asked, 0.95))
    found[lines === 1 ? '1 line' : `${lines} lines`] = { draftP95Ms: p95(drafts), issueMs, verifyP95Ms: p95(verified), bytes }
  }
  return found
}

async function timed(work: () => Promise<unknown>): Promise<number[]> {
  const asked: number[] = []
  for (let round = 0; round < rounds; round++) {
    const from = performance.now()
    await work()
    asked.push(performance.now() - from)
  }
  return asked
}
