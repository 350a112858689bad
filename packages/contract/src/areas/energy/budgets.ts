import { budgetKinds, budgetPeriods, maxBudgetValue, maxThresholdPercent, maxThresholds } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, optional, orNull } from '../../core/schemas.ts'

const budget = { area: 'energy', scope: { kind: 'project', id: 'HouseID' } } as const
const reading = { ...budget, permission: 'energy.energy', shows: ['budgets', 'supplies', 'tariffs'] } as const

const Value = (description: string) =>
  Type.Number({ description: `${description}: whole Wh, or whole minor units of its currency` })
const Threshold = Type.Integer({ minimum: 1, maximum: maxThresholdPercent })

const fields = {
  Name: called(60),
  SupplyID: orNull({ ...id, description: 'Null: of the project, which has no cost' }),
  Period: Type.Enum([...budgetPeriods]),
  Kind: Type.Enum([...budgetKinds], { description: 'money: of a supply alone, by what is charged for energy' }),
  Amount: Type.Integer({ minimum: 1, maximum: maxBudgetValue, description: 'Whole Wh, or whole minor units of its currency' }),
  Thresholds: Type.Array(Threshold, { maxItems: maxThresholds, description: 'Per cent of it at which somebody is told' }),
} as const

export const Budget = Type.Object({ BudgetID: Type.Integer(), ...fields, Version: Type.Integer() }, exact)
export type Budget = Type.Static<typeof Budget>

export const BudgetCourse = Type.Object(
  {
    Budget,
    From: Type.String(),
    To: Type.String({ description: 'Excluded' }),
    Currency: orNull(Type.String({ description: 'Of money; null: energy, or its tariffs have several' })),
    MinorDigits: Type.Integer(),
    Used: Value('Of what is known so far'),
    LackingS: Type.Integer({ description: 'Of which energy is not known: Used is too low by that' }),
    UnpricedS: Type.Integer({ description: 'Of which no price is known' }),
    Expected: orNull(
      Type.Object(
        { Low: Value('Tenth per cent'), Mid: Value('Median'), High: Value('Ninetieth per cent') },
        { ...exact, description: 'At the end of the period; null: fewer than fourteen days are known' },
      ),
    ),
    Days: Type.Array(
      Type.Object(
        {
          Date: Type.String(),
          Used: orNull(Value('Up to its end; null: it is still to come')),
          ...{ Low: Value('Expected by then'), Mid: Value('Expected by then'), High: Value('Expected by then') },
        },
        exact,
      ),
    ),
    Notices: Type.Array(
      Type.Object(
        {
          Notice: Type.String({ description: 'Per cent that were reached, or expected: it will be passed' }),
          At: Type.Integer(),
        },
        exact,
      ),
      { description: 'Of this period' },
    ),
  },
  exact,
)
export type BudgetCourse = Type.Static<typeof BudgetCourse>

export const listBudgets = call({
  ...reading,
  name: 'listBudgets',
  method: 'GET',
  path: '/energy/budgets',
  summary: 'Budgets of a project and its supplies, by name',
  query: Type.Object({ HouseID: id }, exact),
  datas: Budget,
})

export const getBudgetCourse = call({
  ...reading,
  name: 'getBudgetCourse',
  method: 'GET',
  path: '/energy/budgets/course',
  summary: 'What a budget has used of its period so far, and what is expected at its end',
  query: Type.Object(
    {
      HouseID: id,
      BudgetID: id,
      Day: optional(
        Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 10, description: 'In the period; default today' }),
      ),
    },
    exact,
  ),
  data: BudgetCourse,
})

export const saveBudget = call({
  ...budget,
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['budgets'],
  name: 'saveBudget',
  method: 'PUT',
  path: '/energy/budgets',
  summary: 'Write a budget, a new one, or take it out',
  body: Type.Object(
    {
      HouseID: id,
      BudgetID: optional({ ...id, description: 'Left out: a new one' }),
      Version: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'As it was read; 0: a new one' }),
      Budget: orNull(Type.Object(fields, { ...exact, description: 'Null: it is taken out' })),
    },
    exact,
  ),
  data: orNull(Budget),
})
