import type { Budget, BudgetCourse, List, Request, saveBudget as saveCall } from '@linewarden/contract'
import { aboutNothing, Refusal, textOf } from '@linewarden/contract'
import { dateText, parseDate } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { BudgetColumns, BudgetRow } from '../../store/energy/budget.ts'
import { budgetsOf, noticesOf, saveBudget } from '../../store/energy/budget.ts'
import { invalid } from './asked.ts'
import { createBudgetCourses } from './budget-course.ts'

export type Budgets = ReturnType<typeof createBudgets>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

const maxBudgets = 20

/** What a project and its supplies are meant to use or to cost. */
export function createBudgets(deps: Deps) {
  const { database, clock } = deps
  const courseOf = createBudgetCourses(deps)
  return {
    async list(actor: Actor, project: PlantProject): Promise<List<Budget>> {
      const rows = await withRowSecurity(database, actor.scope, ({ general }) => budgetsOf(general, project.id))
      return { items: rows.map(budgetRecord), total: rows.length }
    },

    async course(actor: Actor, project: PlantProject, budgetId: number, on: string | undefined): Promise<BudgetCourse> {
      const day = on === undefined ? null : parseDate(on)
      if (on !== undefined && day === null) throw invalid('query.Day', dayText)
      const rows = await withRowSecurity(database, actor.scope, ({ general }) => budgetsOf(general, project.id))
      const row = rows.find(({ budget_id }) => budget_id === budgetId)
      if (!row) throw new Refusal('budget not exists')
      const found = await withRowSecurity(database, actor.scope, (seen) => courseOf(actor, project, row, day, seen))
      const { period, course, currency, minorDigits } = found
      const notices = await noticesOf(database.general, row.budget_id, period.first)
      return {
        ...{ Budget: budgetRecord(row), From: dateText(period.first), To: dateText(period.end), Currency: currency },
        ...{ MinorDigits: minorDigits, Used: course.used, LackingS: found.lackingS, UnpricedS: found.unpricedS },
        Expected: course.expected && expectedRecord(course.expected),
        Days: course.days.map((each) => ({ Date: dateText(each.day), Used: each.used, ...expectedRecord(each) })),
        Notices: notices.map(({ notice, noticed_at }) => ({ Notice: notice, At: noticed_at.getTime() })),
      }
    },

    async save(actor: Actor, project: PlantProject, { BudgetID, Version, Budget: asked }: Request<typeof saveCall>['body']) {
      if (actor.shared) throw new Refusal('access denied')
      const columns = asked && columnsOf(asked)
      const save = {
        ...{ projectId: project.id, owner: project.ownerId, budgetId: BudgetID ?? null, version: Version },
        ...{ most: maxBudgets, columns },
      }
      const saved = await saveBudget(database, save, (before) => ({
        ...by(actor, clock(), columns ? 'budget.save' : 'budget.remove', project.ownerId),
        ...{ subject: aboutNothing, target: `${project.name} · ${columns?.name ?? before?.name ?? ''}`, after: asked },
      }))
      if (typeof saved === 'string') throw refusalOf(saved)
      return saved && budgetRecord(saved)
    },
  }
}

const dayText = { zh: '请填写存在的日期，例如 2026-11-30', en: 'must be a date that exists, such as 2026-11-30' } as const

const expectedRecord = ({ low, mid, high }: { readonly low: number; readonly mid: number; readonly high: number }) => ({
  ...{ Low: Math.round(low), Mid: Math.round(mid), High: Math.round(high) },
})

function columnsOf({
  Name,
  SupplyID,
  Period,
  Kind,
  Amount,
  Thresholds,
}: NonNullable<Request<typeof saveCall>['body']['Budget']>): BudgetColumns {
  if (Kind === 'money' && SupplyID === null) throw invalid('body.Budget.SupplyID', moneyText)
  const thresholds = [...new Set(Thresholds)].toSorted((one, other) => one - other)
  return { name: Name.trim(), supply_id: SupplyID, period: Period, kind: Kind, amount: Amount, thresholds }
}

const moneyText = { zh: '金额预算须选择供电点', en: 'Money is budgeted of a supply: choose one' } as const

export const budgetRecord = (row: BudgetRow): Budget => ({
  ...{ BudgetID: row.budget_id, Name: row.name, SupplyID: row.supply_id, Period: row.period, Kind: row.kind },
  ...{ Amount: Number(row.amount), Thresholds: [...row.thresholds], Version: row.version },
})

function refusalOf(why: 'noProject' | 'noSupply' | 'gone' | 'changed' | 'named' | 'many'): Refusal {
  switch (why) {
    case 'noProject':
      return new Refusal('project not exists')
    case 'noSupply':
      return new Refusal('supply not exists')
    case 'gone':
      return new Refusal('budget not exists')
    case 'changed':
      return new Refusal('changed meanwhile')
    case 'named':
      return new Refusal('budget name used', {}, [{ Path: 'body.Budget.Name', Text: textOf('budget name used') }])
    case 'many':
      return new Refusal('too many', { what: { zh: '预算', en: 'budgets of a project' }, most: maxBudgets })
  }
}
