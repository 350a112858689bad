import type { Statement } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { CivilDay } from '@linewarden/rules/automation'
import { parseDate } from '@linewarden/rules/automation'
import type { Engine2Result, StatementProblem } from '@linewarden/rules/energy'
import { startOfDay, statementProblems } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { areQuartersDue } from '../../store/energy/quarters-due.ts'
import { settledAt } from './amount.ts'
import { invalid } from './asked.ts'
import { inItsTurn, reckon } from './statement-freeze.ts'
import type { StatementInputs } from './statement-inputs.ts'
import { periodOfMonth, statementInputs } from './statement-inputs.ts'
import { problemRecords } from './statement-record.ts'
import type { SupplySource } from './supply-source.ts'
import { readSupply } from './supply-source.ts'

export interface StatementDeps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** What a statement would be, with all that stands against it. */
interface Draft {
  readonly source: SupplySource
  readonly inputs: StatementInputs
  readonly result: Engine2Result
  readonly problems: readonly StatementProblem[]
}

interface Asked {
  readonly supplyId: number
  readonly month: string
  readonly estimate: boolean
}

/** What a supply's statement of a month would be, as somebody sees it. */
export async function draftOf(
  deps: StatementDeps,
  actor: Actor,
  project: PlantProject,
  { supplyId, month, estimate }: Asked,
): Promise<Draft> {
  const first = monthOf(month)
  const source = await readSupply(deps, actor, supplyId, (supply, of) => {
    if (of !== project) throw new Refusal('supply not exists')
    return periodOfMonth(first, supply)
  })
  const inputs = await statementInputs(deps, actor, source, { month: first, estimate })
  const result = await inItsTurn(() => reckon(inputs))
  const [from, to] = [source.period.first, source.period.end].map((day) => startOfDay(source.zone, day)) as [number, number]
  // Quarters that are to be made again are known to be out of date.
  const isDue = await areQuartersDue(
    deps.database,
    inputs.members.map(({ lineId }) => lineId),
    { from, to },
  )
  const facts = {
    isOpen: isDue || to > settledAt(deps.clock()),
    ...{ currencies: source.currencies.length, hasTariff: source.supply.tariffs.length > 0 },
    unpricedQuarters: result.unpricedQuarters,
  }
  // What stands against it is of what is known, whether or not the rest is filled.
  const plain = estimate ? await inItsTurn(() => reckon({ ...inputs, estimate: false })) : result
  return { source, inputs, result, problems: statementProblems(inputs, plain, facts) }
}

/** What stands against issuing it, as a person reads it. */
export const problemsOf = ({ inputs, source, problems }: Draft): Statement['Problems'] =>
  problemRecords(inputs, source.zone, problems)

/** The first of a month as it is asked for. */
export function monthOf(text: string, path = 'body.Month'): CivilDay {
  const month = parseDate(`${text}-01`)
  if (month === null) throw invalid(path, { zh: '请填写存在的月份，例如 2026-11', en: 'must be a month, such as 2026-11' })
  return month
}
