import { expect, test } from 'vitest'
import { supplyEvidence } from './evidence.ts'
import { plantGraph } from './graph.ts'
import { grid, line } from './test-plant.ts'

const graph = plantGraph([line(1), line(2), line(3, 1), line(4, 1)], [grid])
const from = (volts: Readonly<Record<number, number>>) => supplyEvidence(graph, (lineId) => volts[lineId] ?? null)

test('a source is on where one of its lines measures a voltage, off where all that is known is none, and else not known', () => {
  expect(from({ 1: 230, 2: 0 }).sources.get(1)).toBe('on')
  expect(from({ 2: 0, 1: 230 }).sources.get(1)).toBe('on')
  expect(from({ 1: 0 }).sources.get(1)).toBe('off')
  // Between the two nothing is certain.
  for (const volts of [{ 1: 60 }, { 3: 230 }, {}]) expect(from(volts).sources.get(1)).toBeUndefined()
})

test('a bus is energised where a line on it measures so, and it is known which', () => {
  const { energised, measuredBy } = from({ 3: 230, 4: 231, 1: 22 })
  expect([...energised]).toEqual(['line:1'])
  expect(measuredBy.get('line:1')).toEqual([3, 4])
})
