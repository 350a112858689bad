import { expect, test } from 'vitest'
import { busOfLine, busOfSource } from './graph.ts'
import type { EnteredTopology } from './topology.ts'
import { topologyProblems } from './topology.ts'

/** 1 and 2 stand at the top, 3 is fed by 1, 4 is the tie. */
const feeders: Readonly<Record<number, number | null>> = { 1: null, 2: null, 3: 1, 4: null }
const healthy: EnteredTopology = {
  sources: [
    { sourceId: 1, lines: [1] },
    { sourceId: 2, lines: [2] },
  ],
  buses: [{ key: busOfLine(1) }, { key: busOfSource(2) }],
  ties: [{ lineId: 4, busA: busOfLine(1), busB: busOfLine(2) }],
}
const problemsOf = (change: Partial<EnteredTopology>) =>
  topologyProblems(
    { ...healthy, ...change },
    (id) => feeders[id],
    (id) => id === 1,
  )

test('two sources with a tie between their buses are right', () => {
  expect(problemsOf({})).toEqual([])
})

test.each<[string, Partial<EnteredTopology>, unknown]>([
  ['a source twice', { sources: [...healthy.sources, { sourceId: 2, lines: [] }] }, { problem: 'sourceTwice', at: 2 }],
  ['a line that is not there', { sources: [{ sourceId: 2, lines: [9] }] }, { problem: 'notHere', in: 'sources', at: 0 }],
  [
    'a line under two sources',
    { sources: [...healthy.sources, { sourceId: 3, lines: [1] }] },
    { problem: 'lineTwice', in: 'sources', at: 2, lineId: 1 },
  ],
  [
    'a line that another feeds',
    { sources: [...healthy.sources, { sourceId: 3, lines: [3] }] },
    { problem: 'fedAlready', in: 'sources', at: 2, lineId: 3, feederId: 1 },
  ],
  ['a name of no bus', { buses: [{ key: busOfSource(7) }] }, { problem: 'notHere', in: 'buses', at: 0 }],
  ['two names of one bus', { buses: [{ key: busOfLine(1) }, { key: busOfLine(1) }] }, { problem: 'busTwice', at: 1 }],
  [
    'a tie between the ends of one bus',
    { ties: [{ lineId: 4, busA: busOfLine(1), busB: busOfLine(1) }] },
    { problem: 'oneBus', at: 0, lineId: 4 },
  ],
  [
    'a tie to a bus that is not there',
    { ties: [{ lineId: 4, busA: busOfLine(1), busB: busOfLine(9) }] },
    { problem: 'notHere', in: 'ties', at: 0 },
  ],
])('%s', (_, change, problem) => {
  expect(problemsOf(change)).toEqual([problem])
})

test('a tie that feeds a line, and is an incomer beside, is two problems', () => {
  expect(problemsOf({ ties: [{ lineId: 1, busA: busOfLine(3), busB: busOfLine(2) }] })).toEqual([
    { problem: 'lineTwice', in: 'ties', at: 0, lineId: 1 },
    { problem: 'tieFeeds', at: 0, lineId: 1 },
  ])
})
