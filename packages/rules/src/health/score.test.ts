import { expect, test } from 'vitest'
import { bandOf } from './categories.ts'
import { compareItems } from './compare.ts'
import { healthScore } from './score.ts'

test('one dangerous line cannot hide among sound ones', () => {
  const scores = [...Array.from({ length: 99 }, () => 100), 10]
  expect(healthScore(scores)).toMatchObject({ score: 95, average: 99.1, worstTenth: 91, worstLines: 10 })
  expect(healthScore([100, 100, 20])).toMatchObject({ score: 47, worstTenth: 20, worstLines: 1, band: 'dangerous' })
})

test('without a single score there is none', () => {
  expect(healthScore([])).toBeNull()
})

test('bands begin with their figure', () => {
  expect([100, 90, 89, 75, 74, 60, 59, 0].map(bandOf)).toEqual([
    ...(['good', 'good', 'fair', 'fair', 'poor', 'poor', 'dangerous', 'dangerous'] as const),
  ])
})

test('what is new, what costs more, and what is gone since the last check', () => {
  const item = (key: string, deduct: number) => ({ key, deduct, text: { zh: key, en: key } })
  const { worse, gone } = compareItems([item('a', 4), item('b', 8), item('c', 2)], [item('b', 4), item('c', 4), item('d', 5)])
  expect([[...worse], gone.map(({ key }) => key)]).toEqual([['a', 'b'], ['d']])
})
