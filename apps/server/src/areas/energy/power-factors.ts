import type { PowerFactor, Reply, Request, setPowerFactor } from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import type { CivilDay } from '@linewarden/rules/automation'
import { civilZone, dateText, parseDate } from '@linewarden/rules/automation'
import type { TypedPowerFactor } from '@linewarden/rules/energy'
import { billingPeriod, isTypedOnce, maxEnergyDays, typedCos } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { PowerFactorRow } from '../../store/energy/power-factor.ts'
import { savePowerFactor } from '../../store/energy/power-factor.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { findSupply } from '../../store/energy/supply.ts'
import { invalid } from './asked.ts'
import { billedPart } from './supply-source.ts'

export type PowerFactors = ReturnType<typeof createPowerFactors>

interface Deps {
  readonly database: Database
  readonly clock: () => number
}

type Wanted = Request<typeof setPowerFactor>['body']

/** Power factors of billing periods, as somebody typed them from a bill. */
export function createPowerFactors({ database, clock }: Deps) {
  return {
    async set(actor: Actor, project: PlantProject, wanted: Wanted): Promise<Reply<typeof setPowerFactor>> {
      if (actor.shared) throw new Refusal('access denied')
      const { SupplyID: supplyId, Month, Version: version, Typed } = wanted
      const supply = await withRowSecurity(database, actor.scope, ({ general }) => findSupply(general, supplyId))
      if (supply?.project_id !== project.id) throw new Refusal('supply not exists')
      const now = clock()
      const month = monthOf(Month, 'body')
      refuseOutside(supply, month, civilZone(project.timeZone).dayAt(now))
      if (Typed && !isTypedOnce(typedOf(Typed))) throw invalid('body.Typed', halfTexts)
      const columns = Typed && {
        ...{
          cos: Typed.CosHundredths,
          active_wh: Typed.ActiveWh,
          reactive_varh: Typed.ReactiveVarh,
          source: Typed.Source.trim(),
        },
        ...{ typed_at: new Date(now), typed_name: actor.userName },
      }
      const place = { projectId: project.id, owner: project.ownerId, supplyId, month, version }
      const saved = await savePowerFactor(database, { ...place, columns }, (before) => ({
        ...by(actor, now, 'supply.powerFactor', project.ownerId),
        ...{ subject: aboutNothing, target: `${project.name} · ${supply.name} · ${Month}` },
        before: before && auditedOf(before),
        after: Typed && { ...typedOf(Typed), source: Typed.Source.trim() },
      }))
      if (saved === 'noProject') throw new Refusal('project not exists')
      if (saved === 'gone') throw new Refusal('supply not exists')
      if (saved === 'changed') throw new Refusal('changed meanwhile')
      return saved && powerFactorRecord(saved, true)
    },
  }
}

/** The first of a month. */
export function monthOf(text: string, part: 'body' | 'query'): CivilDay {
  const month = parseDate(`${text}-01`)
  if (month === null)
    throw invalid(`${part}.Month`, { zh: '请填写存在的月份，例如 2026-11', en: 'must be a month, such as 2026-11' })
  return month
}

/** A bill is of a period that began, of this supply, and of the last ten years. */
function refuseOutside(supply: SupplyRow, month: CivilDay, today: CivilDay): void {
  const period = billingPeriod(month, supply.billing_day)
  const { first, end } = billedPart(supply, period)
  if (first < end && period.first <= today && period.first > today - maxEnergyDays) return
  throw invalid('body.Month', {
    zh: '请选择已开始、不早于 10 年前且在供电点起止日期内的结算周期',
    en: `must be a billing period that began, within ten years, on dates of the supply: it begins on ${dateText(period.first)}`,
  })
}

const halfTexts = {
  zh: '请只填功率因数，或同时填写有功电量和无功电量',
  en: 'must be the power factor alone, or both active and reactive energy',
}

const typedOf = (typed: NonNullable<Wanted['Typed']>): TypedPowerFactor => ({
  ...{ cosHundredths: typed.CosHundredths, activeWh: typed.ActiveWh, reactiveVarh: typed.ReactiveVarh },
})

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))
const ruled = (row: PowerFactorRow): TypedPowerFactor => ({
  ...{ cosHundredths: row.cos, activeWh: numberOf(row.active_wh), reactiveVarh: numberOf(row.reactive_varh) },
})

const auditedOf = (row: PowerFactorRow) => ({ ...ruled(row), source: row.source })

/** Guests see what a bill goes by, and nobody: `isNamed` is false for them. */
export function powerFactorRecord(row: PowerFactorRow, isNamed: boolean): PowerFactor {
  const typed = ruled(row)
  return {
    ...{ CosHundredths: typed.cosHundredths, ActiveWh: typed.activeWh, ReactiveVarh: typed.reactiveVarh },
    ...{ Source: row.source, Cos: typedCos(typed), TypedAt: row.typed_at.getTime() },
    ...{ TypedBy: isNamed ? row.typed_name : null, Version: row.version },
  }
}
