import { expect, test } from 'vitest'
import { conductorWidth, powers, sumOf } from './figures.ts'
import { plantGraph } from './graph.ts'
import { grid, line } from './test-plant.ts'

const graph = plantGraph([line(1), line(2, 1), line(3, 1), line(4, 3), line(5, 3)], [grid])
const given = (of: Readonly<Record<number, number>>) => powers(graph, (id) => of[id] ?? null)

test('a meter’s own figure is what counts; without one it is the sum of what is fed, whatever the order', () => {
  const found = given({ 1: 10, 2: 4, 4: 2, 5: 3 })
  expect(found.get(1)).toEqual({ kw: 10, how: 'own' })
  expect(found.get(3)).toEqual({ kw: 5, how: 'sum' })
})

test('a part that is missing makes a sum a least one, all the way up; of nothing known nothing is said', () => {
  const found = given({ 2: 4, 4: 2 })
  expect(found.get(3)).toEqual({ kw: 2, how: 'least' })
  expect(found.get(1)).toEqual({ kw: 6, how: 'least' })
  expect(given({}).get(1)).toEqual({ kw: null, how: 'sum' })
  expect(found.get(5)).toEqual({ kw: null, how: 'own' })
})

test('lines together are what they draw, also back into the grid', () => {
  expect(sumOf([2, 4], given({ 2: 4, 4: -6 }))).toEqual({ kw: -2, how: 'sum' })
})

test.each([
  [0, 100, 1],
  [1, 100, 2],
  [25, 100, 4],
  [100, 100, 6],
  [900, 100, 6],
  [null, 100, 2],
  [50, null, 2],
])('%s A of %s is drawn %s px wide', (current, rated, width) => {
  expect(conductorWidth(current, rated)).toBe(width)
})
