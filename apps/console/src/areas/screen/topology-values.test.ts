import type { Topology } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { oneMore, topologyOf, topologyStart } from './topology-values.ts'

const stored: Topology = {
  HouseID: 1,
  Sources: [
    { SourceID: 1, Kind: 'grid', Name: '市电', Transformer: { Name: 'T1', Kva: 630, HighKv: 10, LowKv: 0.4 }, LineIDs: [3] },
    { SourceID: 4, Kind: 'pv', Name: '屋顶', Transformer: null, LineIDs: [] },
  ],
  Buses: [{ Bus: 'source:1', Name: 'I 段' }],
  Ties: [{ LineID: 9, BusA: 'source:1', BusB: 'source:4' }],
  Version: 3,
}

test('what is stored is written again as it was', () => {
  const { HouseID: _, ...body } = stored
  expect(topologyOf(topologyStart(stored), 3)).toEqual(body)
})

test('a source more has a number of its own, and without a rating no transformer', () => {
  const start = topologyStart(stored)
  const more = oneMore(start.sources, '市电')
  expect(more.id).toBe(5)
  expect(topologyOf({ ...start, sources: [...start.sources, more] }, 3)?.Sources.at(-1)?.Transformer).toBeNull()
})

test('of a source that is gone its bus has no name', () => {
  const start = topologyStart(stored)
  expect(topologyOf({ ...start, sources: start.sources.slice(1), ties: [] }, 3)?.Buses).toEqual([])
})

test.each<[string, object]>([
  ['a source without a name', { name: ' ' }],
  ['a rating that is no figure', { kva: '6x' }],
  ['a rating of nought', { kva: '0' }],
  ['a transformer without a name', { transformer: '' }],
])('%s is not stored', (_, change) => {
  const start = topologyStart(stored)
  expect(
    topologyOf({ ...start, sources: start.sources.map((each) => ({ ...each, ...change, kva: '630', ...change })) }, 3),
  ).toBeNull()
})

test('nor is a tie with an end that is not chosen', () => {
  const start = topologyStart(stored)
  expect(topologyOf({ ...start, ties: [{ key: 0, line: '9', busA: 'source:1', busB: '' }] }, 3)).toBeNull()
})
