import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { plantGraph } from './graph.ts'
import { fitPlan } from './plan.ts'
import { forests, grid, line } from './test-plant.ts'
import { windowsOf } from './window.ts'

const view = { width: 1_840, height: 760 }
const pagesOf = (graph: Parameters<typeof fitPlan>[0]) =>
  fitPlan(graph, { ...view, abnormal: new Set(), transformers: new Set() }).pages

test('a page that fits is one window, and one feeder that is taller than the screen is several, one below the other', () => {
  expect(pagesOf(plantGraph([line(1), line(2, 1)], [grid])).map((page) => windowsOf(page, view).length)).toEqual([1])
  const chain = Array.from({ length: 8 }, (_, at) => line(at + 1, at === 0 ? null : at))
  const [page] = pagesOf(plantGraph(chain, [grid]))
  if (!page) throw new Error('there is a page')
  const windows = windowsOf(page, view)
  expect(windows.length).toBeGreaterThan(1)
  expect([windows[0]?.y, windows.at(-1)?.y]).toEqual([0, page.height - view.height])
  expect(windows.every(({ width, height, x }) => width <= view.width && height === view.height && x === 0)).toBe(true)
})

test('every label of any plant stands whole in a window of its page, at its full size', () => {
  fc.assert(
    fc.property(forests(120), (graph) => {
      for (const page of pagesOf(graph)) {
        const windows = windowsOf(page, view)
        const shown = new Set(windows.flatMap(({ lines }) => [...lines]))
        expect(page.lines.filter(({ lineId }) => !shown.has(lineId))).toEqual([])
        for (const { width, height } of windows) expect(width <= view.width && height <= view.height).toBe(true)
      }
    }),
    { numRuns: lawRuns(60) },
  )
})
