import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { BusKey, PlantGraph } from './graph.ts'
import { busOfLine, busOfSource, plantGraph } from './graph.ts'
import type { KnownPosition, Liveness, SupplyEvidence } from './liveness.ts'
import { liveness } from './liveness.ts'
import { busesOf, forests, grid, line } from './test-plant.ts'

const on = new Map([[1, 'on' as const]])
const nothing: ReadonlySet<BusKey> = new Set()
const chain = plantGraph([line(1), line(2, 1), line(3, 2), line(4, 2, false)], [grid])
const of = (positions: Readonly<Record<number, KnownPosition>>, evidence: SupplyEvidence = { sources: on, energised: nothing }) =>
  liveness(chain, (id) => positions[id] ?? 'closed', evidence)
const stand = (found: ReadonlyMap<BusKey, Liveness>) => [1, 2, 3, 4].map((id) => found.get(busOfLine(id)))

test.each<[string, Readonly<Record<number, KnownPosition>>, Liveness[]]>([
  ['all closed', {}, ['live', 'live', 'live', 'live']],
  ['one open', { 2: 'open' }, ['live', 'dead', 'dead', 'dead']],
  ['one not known', { 2: 'unknown' }, ['live', 'unknown', 'unknown', 'unknown']],
  ['not known above an open one', { 1: 'unknown', 2: 'open' }, ['unknown', 'dead', 'dead', 'dead']],
  ['a line without a switch cannot be open', { 4: 'open' }, ['live', 'live', 'live', 'live']],
])('%s', (_, positions, expected) => {
  expect(stand(of(positions).of)).toEqual(expected)
})

test('a source that is off leaves nothing live, and one nobody knows of nothing known', () => {
  expect(stand(of({}, { sources: new Map([[1, 'off']]), energised: nothing }).of)).toEqual(['dead', 'dead', 'dead', 'dead'])
  expect(stand(of({}, { sources: new Map(), energised: nothing }).of)).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
})

test('a tie feeds the other bus backwards', () => {
  const graph = plantGraph([line(1), line(2), line(3)], [grid], [{ lineId: 3, busA: busOfLine(1), busB: busOfLine(2) }])
  const found = liveness(graph, (id) => (id === 2 ? 'open' : 'closed'), { sources: on, energised: nothing })
  expect(found.of.get(busOfLine(2))).toBe('live')
})

test('a measured voltage wins over the drawing, which then disagrees', () => {
  const energised = new Set([busOfLine(2)])
  const { of: found, disagrees } = of({ 2: 'open' }, { sources: on, energised })
  expect(stand(found)).toEqual(['live', 'live', 'live', 'live'])
  expect([...disagrees]).toEqual([busOfLine(2)])
  expect([...of({}, { sources: on, energised }).disagrees]).toEqual([])
})

test('where the drawing does not know, a voltage that is measured is no disagreement', () => {
  const { of: found, disagrees } = of({ 1: 'unknown' }, { sources: on, energised: new Set([busOfLine(1)]) })
  expect(found.get(busOfLine(2))).toBe('live')
  expect(disagrees.size).toBe(0)
})

const positions = fc.constantFrom<KnownPosition[]>('closed', 'open', 'unknown')
const supplies = fc.constantFrom<('on' | 'off' | 'unknown')[]>('on', 'off', 'unknown')

/** What every completion of what is not known says alike; whatever they differ in is not known. */
function byBruteForce(graph: PlantGraph, at: readonly KnownPosition[], sources: readonly ('on' | 'off' | 'unknown')[]) {
  const unknown = [
    ...at.flatMap((each, index) => (each === 'unknown' ? [{ line: index + 1 }] : [])),
    ...sources.flatMap((each, index) => (each === 'unknown' ? [{ source: index + 1 }] : [])),
  ]
  const answers = new Map<BusKey, Set<boolean>>(busesOf(graph).map((key) => [key, new Set()]))
  for (let bits = 0; bits < 2 ** unknown.length; bits += 1) {
    const isSet = (what: { line?: number; source?: number }) => {
      const place = unknown.findIndex((each) => JSON.stringify(each) === JSON.stringify(what))
      return (bits & (1 << place)) !== 0
    }
    const closed = (id: number) => at[id - 1] === 'closed' || (at[id - 1] === 'unknown' && isSet({ line: id }))
    const isOn = (id: number) => sources[id - 1] === 'on' || (sources[id - 1] === 'unknown' && isSet({ source: id }))
    for (const [key, seen] of answers) seen.add(isFed(graph, key, closed, isOn))
  }
  return new Map([...answers].map(([key, seen]) => [key, seen.size > 1 ? 'unknown' : seen.has(true) ? 'live' : 'dead']))
}

/** Upwards from a bus, which is enough without ties. */
function isFed(graph: PlantGraph, key: BusKey, closed: (line: number) => boolean, isOn: (source: number) => boolean): boolean {
  const id = Number(key.split(':')[1])
  if (key.startsWith('source')) return isOn(id)
  const above = graph.hangsOn.get(id)
  return closed(id) && above !== undefined && isFed(graph, above, closed, isOn)
}

test('it says what all completions of what is not known say alike', () => {
  fc.assert(
    fc.property(
      forests(8),
      fc.array(positions, { minLength: 8, maxLength: 8 }),
      fc.array(supplies, { minLength: 3, maxLength: 3 }),
      (graph, at, sources) => {
        const evidence = { sources: new Map(sources.map((each, index) => [index + 1, each])), energised: nothing }
        const used = sources.slice(0, graph.sources.length)
        const known = at.slice(0, graph.hangsOn.size)
        const found = liveness(graph, (id) => at[id - 1] ?? 'unknown', evidence).of
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(byBruteForce(graph, known, used)))
      },
    ),
    { numRuns: lawRuns(300) },
  )
})

test('closing a switch makes nothing dead, and knowing one makes nothing less known', () => {
  const rank = { dead: 0, unknown: 1, live: 2 }
  fc.assert(
    fc.property(forests(40), fc.array(positions, { minLength: 40, maxLength: 40 }), fc.nat(39), (graph, at, which) => {
      const evidence = { sources: on, energised: nothing }
      const before = liveness(graph, (id) => at[id - 1] ?? 'open', evidence).of
      const after = liveness(graph, (id) => (id - 1 === which ? 'closed' : (at[id - 1] ?? 'open')), evidence).of
      for (const [key, state] of before) expect(rank[after.get(key) ?? 'dead']).toBeGreaterThanOrEqual(rank[state])
    }),
    { numRuns: lawRuns(300) },
  )
})

/** Plants with ties, and what the connected components of NetworkX 3.6.1 say of them, with unknown switches once open and once closed. */
describe('against connected components found elsewhere', () => {
  const rows = (name: string) =>
    readFileSync(new URL(`./fixtures/${name}.csv`, import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(','))
  const plants = rows('plants')
  const answers = rows('answers')
  const numbers = [...new Set(plants.map(([plant]) => plant))]
  test.each(numbers)('plant %s', (number) => {
    const own = plants.filter(([plant]) => plant === number)
    const kind = (wanted: string) => own.filter((row) => row[1] === wanted)
    const states = new Map(own.filter(([, what]) => what !== 'source').map((row) => [Number(row[2]), row[5] as KnownPosition]))
    const lines = [...kind('line'), ...kind('tie')].map(([, what, id, from = '']) => {
      const feeder = what === 'line' && from.startsWith('line:') ? Number(from.slice(5)) : null
      return line(Number(id), feeder)
    })
    const sources = kind('source').map(([, , id]) => ({
      sourceId: Number(id),
      lines: kind('line').flatMap((row) => (row[3] === `source:${id}` ? [Number(row[2])] : [])),
    }))
    const ties = kind('tie').map(([, , id, from, to]) => ({ lineId: Number(id), busA: from as BusKey, busB: to as BusKey }))
    const supply = new Map(kind('source').map(([, , id, , , state]) => [Number(id), state as 'on' | 'off' | 'unknown']))
    const graph = plantGraph(lines, sources, ties)
    const found = liveness(graph, (id) => states.get(id) ?? 'unknown', { sources: supply, energised: nothing }).of
    const expected = answers.flatMap(([plant, bus, answer]) => (plant === number ? [[bus, answer]] : []))
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
    expect(found.has(busOfSource(1))).toBe(true)
  })
})
