import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { Flow, FlowFeed, FlowFeeder } from './flow.ts'
import { flowOf } from './flow.ts'

const feed = (from: number | null, to: number, wh: number): FlowFeed => ({ from, to, wh })
const feeder = (fedWh: number, isKnown = true): FlowFeeder => ({ fedWh, isKnown })
const named = ({ nodes, links }: Flow) => {
  const nameOf = (place: number) => {
    const node = nodes[place]
    return node?.kind === 'line' ? `${node.lineId}` : (node?.kind ?? '')
  }
  return links.map(({ from, to, wh }) => `${nameOf(from)} > ${nameOf(to)} ${wh}`).sort()
}

test('energy goes from the supply through feeders to lines, and what nobody metered is left at its feeder', () => {
  const flow = flowOf(
    [feed(null, 1, 100), feed(1, 2, 60), feed(1, 3, 30), feed(2, 4, 55)],
    new Map([
      [1, feeder(100)],
      [2, feeder(60)],
    ]),
  )
  expect(named(flow)).toEqual(['1 > 2 60', '1 > 3 30', '1 > rest 10', '2 > 4 55', '2 > rest 5', 'whole > 1 100'])
  expect(flow.nodes.find(({ kind }) => kind === 'rest')?.wh).toBe(15)
})

test('where something is not known nothing is called not metered, and parts above their feeder are no rest below nought', () => {
  const feeds = [feed(null, 1, 100), feed(1, 2, 40)]
  expect(named(flowOf(feeds, new Map([[1, feeder(100, false)]])))).toContain('1 > notKnown 60')
  // Of 100 it measured 80 while it fed line 2: of the others nobody knows where they went.
  expect(named(flowOf(feeds, new Map([[1, feeder(80)]])))).toEqual([
    '1 > 2 40',
    '1 > notKnown 20',
    '1 > rest 40',
    'whole > 1 100',
  ])
  const above = flowOf([feed(null, 1, 100), feed(1, 2, 130)], new Map([[1, feeder(100)]]))
  expect(named(above)).toEqual(['1 > 2 130', 'whole > 1 100'])
  expect(above.nodes.find((node) => node.kind === 'line' && node.lineId === 1)).toMatchObject({ wh: 100, aboveWh: 30 })
})

test('a line that two fed on different dates is one, and two that fed each other make no circle', () => {
  const moved = flowOf([feed(null, 1, 50), feed(null, 2, 50), feed(1, 3, 20), feed(2, 3, 10)], new Map())
  expect(moved.nodes.find((node) => node.kind === 'line' && node.lineId === 3)?.wh).toBe(30)
  const turned = flowOf([feed(null, 1, 50), feed(1, 2, 20), feed(2, 1, 10)], new Map())
  expect(named(turned)).toEqual(['1 > 2 20', '2 > others 10', 'whole > 1 50'])
})

const anyFlow = fc.record({
  lines: fc.array(fc.record({ above: fc.option(fc.nat()), wh: fc.integer({ min: 0, max: 1_000_000 }) }), {
    minLength: 1,
    maxLength: 40,
  }),
  fed: fc.array(fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), isKnown: fc.boolean() }), {
    minLength: 40,
    maxLength: 40,
  }),
  maxLines: fc.integer({ min: 3, max: 45 }),
})

test('parts sum to the whole: of the picture, of each line that feeds others, and whatever is put together', () => {
  fc.assert(
    fc.property(anyFlow, ({ lines, fed, maxLines }) => {
      const feeds = lines.map(({ above, wh }, line) => feed(above === null || line === 0 ? null : above % line, line, wh))
      const feeders = new Map<number, FlowFeeder>()
      for (const { from } of feeds)
        if (from !== null)
          feeders.set(from, feeder(Math.round((lines[from]?.wh ?? 0) * (fed[from]?.share ?? 1)), fed[from]?.isKnown ?? true))
      const { nodes, links } = flowOf(feeds, feeders, maxLines)
      const sum = (own: typeof links) => own.reduce((total, { wh }) => total + wh, 0)
      const total = feeds.reduce((all, { from, wh }) => all + (from === null ? wh : 0), 0)
      expect(nodes.filter(({ kind }) => kind === 'line').length).toBeLessThanOrEqual(maxLines)
      expect(links.every(({ wh }) => wh > 0)).toBe(true)
      for (const [place, node] of nodes.entries()) {
        const [into, out] = [sum(links.filter(({ to }) => to === place)), sum(links.filter(({ from }) => from === place))]
        if (node.kind === 'whole') expect([node.wh, out]).toEqual([total, total])
        else expect(into).toBe(node.wh)
        if (node.kind === 'line' && feeders.has(node.lineId)) expect(out).toBe(node.wh + node.aboveWh)
      }
      const lineCount = nodes.reduce((count, node) => count + (node.kind === 'others' ? node.lines : 0), 0)
      expect(lineCount).toBeLessThanOrEqual(lines.length - nodes.filter(({ kind }) => kind === 'line').length)
    }),
    { numRuns: lawRuns(300) },
  )
})
