import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { PlantGraph } from './graph.ts'
import { busOfLine, busOfSource, plantGraph } from './graph.ts'
import { measures } from './measures.ts'
import type { PlanPage } from './page.ts'
import type { Box } from './place.ts'
import type { PlanView } from './plan.ts'
import { fitPlan } from './plan.ts'
import { forests, grid, line } from './test-plant.ts'

const view: PlanView = { width: 1_840, height: 800, abnormal: new Set(), transformers: new Set() }
const fed = (from: number, count: number, feeder: number) => Array.from({ length: count }, (_, at) => line(from + at, feeder))

/** Every label, tile and name of a page. */
const boxesOf = ({ lines, tiles, buses, ties }: PlanPage): readonly Box[] => [
  ...lines.map(({ label }) => label),
  ...tiles.map(({ box }) => box),
  ...ties.map(({ label }) => label),
  ...buses.map(({ label }) => label),
]

function overlaps(boxes: readonly Box[]): readonly string[] {
  const sorted = boxes.filter(({ width }) => width > 0).toSorted((one, other) => one.x - other.x)
  return sorted.flatMap((one, at) => {
    const found: string[] = []
    for (const other of sorted.slice(at + 1)) {
      if (other.x >= one.x + one.width) break
      if (one.y < other.y + other.height && other.y < one.y + one.height) found.push(JSON.stringify([one, other]))
    }
    return found
  })
}

const linesOf = (pages: readonly PlanPage[], part: PlanPage['part']) => {
  const own = pages.filter((page) => page.part === part)
  return {
    shown: own.flatMap(({ lines }) => lines.map(({ lineId }) => lineId)),
    folded: own.flatMap(({ tiles }) => tiles.flatMap((tile) => tile.lines)),
  }
}

test('a small plant stands in one picture, in the widest slots that fit', () => {
  const { pages } = fitPlan(plantGraph([line(1), ...fed(2, 4, 1)], [grid]), view)
  expect(pages).toHaveLength(1)
  expect(pages[0]?.lines.map(({ role }) => role)).toEqual(['incomer', 'load', 'load', 'load', 'load'])
  expect(pages[0]?.lines[1]?.label.width).toBe((measures.slots[0] ?? 0) - measures.inset - measures.labelGap)
})

test('lines that nothing feeds stand as equal columns under one source, in rows where one is too short', () => {
  const { pages } = fitPlan(
    plantGraph(
      Array.from({ length: 40 }, (_, at) => line(at + 1)),
      [grid],
    ),
    view,
  )
  expect(pages).toHaveLength(1)
  expect(pages[0]?.buses.map(({ key, part }) => [key, part])).toEqual([
    [busOfSource(1), 0],
    [busOfSource(1), 1],
    [busOfSource(1), 2],
  ])
})

const large = plantGraph(
  [line(1), ...fed(2, 6, 1), ...[2, 3, 4, 5, 6, 7].flatMap((feeder) => fed(feeder * 100, feeder + 4, feeder))],
  [grid],
)

test('what is normal is folded from the largest on until the rest fits, and stands opened on a page of its own', () => {
  const { pages } = fitPlan(large, view)
  const [first] = pages
  expect(first?.width).toBeLessThanOrEqual(view.width)
  expect(first?.tiles.map(({ key }) => key)).toContain(busOfLine(7))
  const { shown, folded } = linesOf(pages, 'all')
  expect(shown.length + folded.length).toBe(large.hangsOn.size)
  const opened = new Set(linesOf(pages, 'opened').shown)
  expect(folded.filter((id) => !opened.has(id))).toEqual([])
})

test('what is not normal stands beside the tile of the others', () => {
  const { pages } = fitPlan(large, { ...view, abnormal: new Set([704]) })
  const tile = pages[0]?.tiles.find(({ key }) => key === busOfLine(7))
  expect(tile?.lines).not.toContain(704)
  expect(pages[0]?.lines.map(({ lineId }) => lineId)).toContain(704)
  expect(pages[0]?.lines.find(({ lineId }) => lineId === 704)?.top).toBe(tile?.top)
})

test('two sources side by side have their tie between their buses; one between others leaves from both', () => {
  const lines = [line(1), line(2), ...fed(3, 3, 1), ...fed(6, 3, 2), line(9), line(10)]
  const sources = [
    { sourceId: 1, lines: [1] },
    { sourceId: 2, lines: [2] },
  ]
  const ties = [
    { lineId: 9, busA: busOfLine(1), busB: busOfLine(2) },
    { lineId: 10, busA: busOfLine(3), busB: busOfLine(6) },
  ]
  const [page] = fitPlan(plantGraph(lines, sources, ties), view).pages
  const channel = page?.ties.find(({ kind }) => kind === 'channel')
  const [left, right] = page?.buses.filter(({ key }) => key === busOfLine(1) || key === busOfLine(2)) ?? []
  expect(channel).toMatchObject({ lineId: 9, from: (left?.x ?? 0) + (left?.width ?? 0), to: right?.x, top: left?.y })
  expect(page?.ties.filter(({ kind }) => kind === 'stub').map(({ lineId }) => lineId)).toEqual([])
})

test('a tie between buses that feed others is drawn at both of them', () => {
  const lines = [line(1), ...fed(2, 2, 1), ...fed(4, 2, 2), ...fed(6, 2, 3), line(9)]
  const [page] = fitPlan(plantGraph(lines, [grid], [{ lineId: 9, busA: busOfLine(2), busB: busOfLine(3) }]), view).pages
  expect(page?.ties.map((tie) => tie.kind === 'stub' && tie.to)).toEqual([busOfLine(3), busOfLine(2)])
})

const views = fc.record({
  width: fc.integer({ min: 600, max: 4_000 }),
  height: fc.integer({ min: 500, max: 2_000 }),
  every: fc.integer({ min: 2, max: 50 }),
})
const viewOf = (graph: PlantGraph, { width, height, every }: { width: number; height: number; every: number }): PlanView => ({
  ...{ width, height, transformers: new Set([1]) },
  abnormal: new Set([...graph.hangsOn.keys()].filter((id) => id % every === 0)),
})

test('no two labels overlap, everything on a bus stands within it, and the same plant is drawn the same', () => {
  fc.assert(
    fc.property(forests(300), views, (graph, size) => {
      const { pages } = fitPlan(graph, viewOf(graph, size))
      for (const page of pages) {
        expect(overlaps(boxesOf(page))).toEqual([])
        for (const { x, top, role } of page.lines) {
          if (role === 'incomer') continue
          const own = page.buses.filter((bus) => bus.y === top && bus.x <= x && x <= bus.x + bus.width)
          expect(own).toHaveLength(1)
        }
      }
      expect(fitPlan(graph, viewOf(graph, size))).toEqual({ pages })
    }),
    { numRuns: lawRuns(60) },
  )
})

test('nothing that is not normal is folded away; what is shown and what is folded is all', () => {
  fc.assert(
    fc.property(forests(400), views, (graph, size) => {
      const sized = viewOf(graph, size)
      const { shown, folded } = linesOf(fitPlan(graph, sized).pages, 'all')
      const unique = new Set(shown)
      expect([...sized.abnormal].filter((id) => !unique.has(id))).toEqual([])
      expect([...unique, ...folded].toSorted((one, other) => one - other)).toEqual(
        [...graph.hangsOn.keys()].toSorted((one, other) => one - other),
      )
    }),
    { numRuns: lawRuns(60) },
  )
})

test('a line that is added keeps the order of all others, and what stands on other buses stands as it stood on them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), fc.nat(), (feeders, at) => {
      const lines = [line(1), ...feeders.map((feeder, index) => line(index + 2, (feeder % (index + 1)) + 1))]
      const feeder = (at % lines.length) + 1
      const wide = { ...view, width: 100_000, height: 100_000 }
      const [before] = fitPlan(plantGraph(lines, [grid]), wide).pages
      const [after] = fitPlan(plantGraph([...lines, line(99, feeder)], [grid]), wide).pages
      const graph = plantGraph(lines, [grid])
      const onBus = (page: PlanPage | undefined, of: number) => {
        const own = page?.lines.filter(({ lineId }) => (graph.fed.get(of) ?? []).includes(lineId)) ?? []
        return { order: own.map(({ lineId }) => lineId), first: own[0]?.x ?? 0, places: own.map(({ x }) => x) }
      }
      for (const [of, children] of graph.fed) {
        const [one, other] = [onBus(before, of), onBus(after, of)]
        expect(other.order).toEqual(one.order)
        const leaves = children.every((child) => !graph.fed.has(child) && child !== feeder)
        if (of !== feeder && leaves)
          expect(other.places.map((x) => x - other.first)).toEqual(one.places.map((x) => x - one.first))
      }
    }),
    { numRuns: lawRuns(100) },
  )
})
