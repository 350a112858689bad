import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { plantGraph } from './graph.ts'
import { supplyPath } from './path.ts'
import { forests, grid, line } from './test-plant.ts'

const second = { sourceId: 2, lines: [4] }
const tie = { lineId: 5, busA: 'line:1', busB: 'line:4' } as const

test('a line is supplied over all that feed it, the source first', () => {
  const graph = plantGraph([line(1), line(2, 1), line(3, 2), line(4), line(5)], [grid, second], [tie])
  expect(supplyPath(graph, 3)).toEqual({ sourceId: 1, lines: [1, 2, 3] })
  expect(supplyPath(graph, 4)).toEqual({ sourceId: 2, lines: [4] })
})

test('a tie hangs on neither of its buses, and a line that is not here on nothing', () => {
  const graph = plantGraph([line(1), line(4), line(5)], [grid, second], [tie])
  expect([5, 99].map((lineId) => supplyPath(graph, lineId))).toEqual([
    { sourceId: null, lines: [5] },
    { sourceId: null, lines: [99] },
  ])
})

test('each line of a path hangs on the bus of the one before it, also where what is registered was a circle', () => {
  fc.assert(
    fc.property(forests(60), (graph) => {
      for (const lineId of graph.hangsOn.keys()) {
        const { sourceId, lines } = supplyPath(graph, lineId)
        expect(lines.at(-1)).toBe(lineId)
        expect(lines.map((each) => graph.hangsOn.get(each))).toEqual([
          `source:${sourceId}`,
          ...lines.slice(0, -1).map((each) => `line:${each}`),
        ])
      }
    }),
    { numRuns: lawRuns(100) },
  )
  const circle = plantGraph([line(1, 2), line(2, 1)], [grid])
  expect(supplyPath(circle, 2)).toEqual({ sourceId: 1, lines: [1, 2] })
})
