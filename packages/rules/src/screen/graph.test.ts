import { expect, test } from 'vitest'
import { busOfLine, busOfSource, plantGraph } from './graph.ts'
import { grid, line } from './test-plant.ts'

test('lines hang under the source that names them, the others under the first; each feeds those that say so, in the order given', () => {
  const graph = plantGraph([line(1), line(2, 1), line(3, 1), line(4), line(5)], [grid, { sourceId: 2, lines: [4] }])
  expect(graph.sources).toEqual([
    { sourceId: 1, roots: [1, 5] },
    { sourceId: 2, roots: [4] },
  ])
  expect([...graph.fed]).toEqual([[1, [2, 3]]])
  expect(graph.hangsOn.get(2)).toBe(busOfLine(1))
  expect(graph.hangsOn.get(4)).toBe(busOfSource(2))
})

test('one whose feeder is not there stands under the first source', () => {
  expect(plantGraph([line(2, 9)], [grid]).sources[0]?.roots).toEqual([2])
})

test('a circle is opened at its first line, whatever hangs from it and in whatever order', () => {
  const graph = plantGraph([line(4, 2), line(1, 3), line(2, 1), line(3, 2)], [grid])
  expect(graph.cut).toEqual([1])
  expect(graph.sources[0]?.roots).toEqual([1])
  expect([...graph.fed].sort()).toEqual([
    [1, [2]],
    [2, [4, 3]],
  ])
})

test('a tie is no feeder of anybody and hangs nowhere; one without two buses is an ordinary line', () => {
  const lines = [line(1), line(2), line(3), line(4)]
  const tie = { lineId: 3, busA: busOfLine(1), busB: busOfLine(2) }
  const graph = plantGraph(lines, [grid], [tie, { lineId: 4, busA: busOfLine(1), busB: busOfLine(1) }])
  expect(graph.ties).toEqual([tie])
  expect(graph.sources[0]?.roots).toEqual([1, 2, 4])
  expect(graph.hangsOn.has(3)).toBe(false)
  expect(plantGraph(lines, [grid], [{ ...tie, busB: busOfLine(9) }]).ties).toEqual([])
  expect(plantGraph(lines, [grid], [tie, { ...tie, busB: busOfSource(1) }]).ties).toEqual([tie])
})

test('what a tie would feed stands under the source: it is a switch between two buses and no feeder', () => {
  const graph = plantGraph(
    [line(1), line(2), line(3), line(4, 3)],
    [grid],
    [{ lineId: 3, busA: busOfLine(1), busB: busOfLine(2) }],
  )
  expect(graph.hangsOn.get(4)).toBe(busOfSource(1))
})
