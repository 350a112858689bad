import type { insertSupply, List, Problem, Request, Supply, updateSupply } from '@linewarden/contract'
import { aboutNothing, Refusal, textOf } from '@linewarden/contract'
import { dateText, parseDate } from '@linewarden/rules/automation'
import type { BilledSupply, PowerFactorStandard, SupplyMember, SupplyProblem, SupplyTariff } from '@linewarden/rules/energy'
import { areTariffsInOrder, maxSuppliesOfProject, supplyProblems } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { SupplyColumns, SupplyRow } from '../../store/energy/supply.ts'
import { saveSupply, suppliesOf } from '../../store/energy/supply.ts'
import type { TariffRow } from '../../store/energy/tariff.ts'
import { tariffsOf } from '../../store/energy/tariff.ts'
import { currenciesOf } from './pricing.ts'

export type Supplies = ReturnType<typeof createSupplies>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Fields = Request<typeof insertSupply>['body']

/** What the utility bills of a project. */
export function createSupplies({ database, plant, clock }: Deps) {
  return {
    async list(actor: Actor, project: PlantProject): Promise<List<Supply>> {
      const rows = await withRowSecurity(database, actor.scope, ({ general }) => suppliesOf(general, project.id))
      return { items: rows.map((row) => record(row)), total: rows.length }
    },

    insert: (actor: Actor, project: PlantProject, body: Fields): Promise<Supply> => save(actor, project, body, null),

    update: (
      actor: Actor,
      project: PlantProject,
      { SupplyID, Version, ...body }: Request<typeof updateSupply>['body'],
    ): Promise<Supply> => save(actor, project, body, { supplyId: SupplyID, version: Version }),
  }

  async function save(
    actor: Actor,
    project: PlantProject,
    body: Fields,
    of: { readonly supplyId: number; readonly version: number } | null,
  ): Promise<Supply> {
    if (actor.shared) throw new Refusal('access denied')
    const place = { projectId: project.id, owner: project.ownerId, most: maxSuppliesOfProject }
    const asked = { ...place, supplyId: of?.supplyId ?? null, version: of?.version ?? 0 }
    const columns = columnsOf(body)
    const tariffs = body.Tariffs.map(tariffOf)
    // A tariff is never taken out: what is there now is there when the supply is written.
    const own = await tariffsOf(database.general, project.id)
    const span = { ...spanOf(body), supplyId: of?.supplyId ?? 0 }
    const saved = await saveSupply(
      database,
      { ...asked, columns },
      (others, before) =>
        refuseWrong(project, { span, tariffs }, { others: others.map(spanOfRow), former: before?.members ?? [], own }),
      (before) => ({
        ...by(actor, clock(), actionOf(before, columns), project.ownerId),
        ...{ subject: aboutNothing, target: `${project.name} · ${columns.name}` },
        before: before && auditedOf(before),
        after: auditedOf({ ...columns, members: body.Members.map(memberOf), tariffs }),
      }),
    )
    if (saved === 'noProject') throw new Refusal('project not exists')
    if (saved === 'gone') throw new Refusal('supply not exists')
    if (saved === 'changed') throw new Refusal('changed meanwhile')
    if (saved === 'many') throw new Refusal('too many', { what: { zh: '供电点', en: 'supplies' }, most: maxSuppliesOfProject })
    return record(saved)
  }

  /**
   * All of it at once, but of lines of other projects, of which nothing else is said. What was a member may stay one after its gateway went
   * elsewhere, so that such a supply can be ended.
   */
  function refuseWrong(
    project: PlantProject,
    { span, tariffs }: { readonly span: BilledSupply; readonly tariffs: readonly SupplyTariff[] },
    beside: {
      readonly others: readonly BilledSupply[]
      readonly former: readonly SupplyMember[]
      readonly own: readonly TariffRow[]
    },
  ): void {
    const { others, former, own } = beside
    const hereOf = (lineId: number) => {
      const line = plant.lines.get(lineId)
      return line?.device.gateway.project === project ? line : undefined
    }
    const isHere = ({ lineId }: SupplyMember) => hereOf(lineId) !== undefined || former.some((each) => each.lineId === lineId)
    if (!span.members.every(isHere))
      throw new Refusal('supply wrong', { count: 1 }, [{ Path: 'body.Members', Text: textOf('supply line not here') }])
    const upstreamOf = (lineId: number) => hereOf(lineId)?.upstreamId ?? null
    const nameOf = (lineId: number) => hereOf(lineId)?.name ?? String(lineId)
    const problems = supplyProblems(span, others, upstreamOf).map((problem) => problemOf(problem, nameOf))
    problems.push(...tariffProblemsOf(tariffs, span.from, own))
    if (problems.length > 0) throw new Refusal('supply wrong', { count: problems.length }, problems)
  }

  function record(row: SupplyRow): Supply {
    const nameOf = (lineId: number): string | null => {
      const line = plant.lines.get(lineId)
      return line?.device.gateway.project.id === row.project_id ? line.name : null
    }
    return {
      ...{ SupplyID: row.supply_id, HouseID: row.project_id, Name: row.name, AccountNo: row.account_no },
      Members: row.members.map(({ lineId, sign }) => ({ LineID: lineId, Sign: sign, Name: nameOf(lineId) })),
      ...{ CapacityVa: row.capacity_va, DeclaredW: row.declared_w, PowerFactorStandard: row.pf_standard },
      ...{ BillingDay: row.billing_day, EnergyStepWh: row.energy_step_wh === 1 ? 1 : 1_000 },
      ...{ From: dateText(row.from_day), To: row.to_day === null ? null : dateText(row.to_day), Version: row.version },
      Tariffs: row.tariffs.map(({ tariffId, from }) => ({ TariffID: tariffId, From: from })),
    }
  }
}

function tariffProblemsOf(tariffs: readonly SupplyTariff[], from: string, own: readonly TariffRow[]): readonly Problem[] {
  const Path = 'body.Tariffs'
  const problems: Problem[] = []
  if (!areTariffsInOrder(tariffs, from)) problems.push({ Path, Text: textOf('supply tariffs wrong') })
  if (!tariffs.every(({ tariffId }) => own.some(({ tariff_id }) => tariff_id === tariffId)))
    problems.push({ Path, Text: textOf('supply tariff not here') })
  const currencies = currenciesOf(tariffs, own)
  if (currencies.length > 1)
    problems.push({ Path, Text: textOf('supply currencies differ', { currencies: currencies.join(', ') }) })
  return problems
}

function problemOf(problem: SupplyProblem, nameOf: (lineId: number) => string): Problem {
  switch (problem.problem) {
    case 'datesWrong':
      return { Path: 'body.To', Text: textOf('supply dates wrong') }
    case 'nameUsed':
      return { Path: 'body.Name', Text: textOf('supply name used') }
    case 'noLine':
      return { Path: 'body.Members', Text: textOf('supply without line') }
    case 'lineTwice':
      return { Path: 'body.Members', Text: textOf('supply line twice', { line: nameOf(problem.lineId) }) }
    case 'fedByMember': {
      const names = { line: nameOf(problem.lineId), feeder: nameOf(problem.feederId) }
      return { Path: 'body.Members', Text: textOf('supply line fed', names) }
    }
    case 'lineElsewhere': {
      const { lineId, supply, from, to } = problem
      const detail = { line: nameOf(lineId), supply, from, to: to ?? { zh: '长期', en: 'further notice' } }
      return { Path: 'body.Members', Text: textOf('supply line elsewhere', detail) }
    }
  }
}

const memberOf = ({ LineID, Sign }: Fields['Members'][number]) => ({ lineId: LineID, sign: Sign })

const tariffOf = ({ TariffID, From }: Fields['Tariffs'][number]): SupplyTariff => ({ tariffId: TariffID, from: From })

const spanOf = ({ Name, From, To, Members }: Fields): Omit<BilledSupply, 'supplyId'> => ({
  ...{ name: Name, from: From, to: To, members: Members.map(memberOf) },
})

const spanOfRow = (row: SupplyRow): BilledSupply => ({
  ...{ supplyId: row.supply_id, name: row.name, members: row.members },
  ...{ from: dateText(row.from_day), to: row.to_day === null ? null : dateText(row.to_day) },
})

/** Dates that do not exist are refused before they are stored. */
const columnsOf = (body: Fields): SupplyColumns & { readonly name: string } => ({
  ...{ name: body.Name.trim(), account_no: body.AccountNo.trim(), members: JSON.stringify(body.Members.map(memberOf)) },
  ...{ capacity_va: body.CapacityVa, declared_w: body.DeclaredW, pf_standard: standardOf(body.PowerFactorStandard) },
  ...{ billing_day: body.BillingDay, energy_step_wh: body.EnergyStepWh },
  ...{ from_day: parseDate(body.From) ?? 0, to_day: body.To === null ? null : (parseDate(body.To) ?? 0) },
  tariffs: JSON.stringify(body.Tariffs.map(tariffOf)),
})

const standardOf = (hundredths: number | null): PowerFactorStandard | null => hundredths as PowerFactorStandard | null

const actionOf = (before: SupplyRow | null, { to_day: to }: SupplyColumns) => {
  if (!before) return 'supply.add'
  return before.to_day === null && to !== null ? 'supply.end' : 'supply.edit'
}

const auditedOf = (row: Omit<SupplyColumns, 'members' | 'tariffs'> & Pick<SupplyRow, 'members' | 'tariffs'>) => ({
  ...{ name: row.name, accountNo: row.account_no, members: row.members, capacityVa: row.capacity_va ?? null },
  ...{ declaredW: row.declared_w ?? null, powerFactorStandard: row.pf_standard ?? null, billingDay: row.billing_day },
  ...{ energyStepWh: row.energy_step_wh, from: dateText(row.from_day), to: row.to_day == null ? null : dateText(row.to_day) },
  tariffs: row.tariffs,
})
