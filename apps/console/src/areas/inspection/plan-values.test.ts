import { expect, test } from 'vitest'
import type { PlanValues } from './plan-values.ts'
import { askedOf, newPlan, wrongIn } from './plan-values.ts'
import { placeStop } from './stops.ts'

const good: PlanValues = { ...newPlan('3', '2026-11-20'), Name: ' 月检 ', Stops: [placeStop('2# 配电间')] }
const problems = (more: Partial<PlanValues>) => Object.values(wrongIn({ ...good, ...more })).filter((each) => each !== null)

test('a plan that is written completely has nothing wrong', () => expect(problems({})).toEqual([]))

test.each<[string, Partial<PlanValues>]>([
  ['projectMissing', { HouseID: '' }],
  ['nameMissing', { Name: '  ' }],
  ['stopsMissing', { Stops: [] }],
  ['stopsMissing', { Stops: [{ ...placeStop('x'), gone: true }] }],
  ['everyWrong', { Every: '0' }],
  ['everyWrong', { Every: '121' }],
  ['everyWrong', { Every: '1.5' }],
  ['dayWrong', { FirstDue: '2026-02-30' }],
  ['windowWrong', { Before: '181' }],
  ['windowWrong', { After: '' }],
])('%s: %o', (key, more) => expect(problems(more)).toEqual([key]))

test('what is asked for leaves out stops that are gone and items of lists that no stop has', () => {
  const item = {
    ItemID: 'own.1',
    List: 'gateway',
    Text: '门锁',
    Kind: 'yesNo',
    Min: null,
    Max: null,
    Unit: '',
    Choices: [],
  } as const
  const asked = askedOf({
    ...good,
    Stops: [...good.Stops, { ...placeStop('x'), gone: true }],
    OwnItems: [
      { ...item, Choices: [] },
      { ...item, Choices: [], ItemID: 'own.2', List: 'place' },
    ],
  })
  expect(asked).toMatchObject({ Name: '月检', Stops: [{ Place: '2# 配电间' }], Cycle: { Every: 1, Unit: 'month' } })
  expect(asked.OwnItems.map(({ ItemID }) => ItemID)).toEqual(['own.2'])
})
