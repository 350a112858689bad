import { measures as m } from './measures.ts'
import type { PlanPage } from './page.ts'
import type { Box } from './place.ts'

/** As much of a page as a screen shows at once. */
export interface PlanWindow extends Box {
  readonly page: PlanPage
  /** Lines and ties whose labels stand in it whole. */
  readonly lines: ReadonlySet<number>
}

/**
 * A page in as many windows as it takes: one, but for a feeder that alone is larger than the screen. Text never shrinks, and each label stands
 * whole in one of them, for two neighbours have more in common than a label is large.
 */
export function windowsOf(page: PlanPage, view: { readonly width: number; readonly height: number }): readonly PlanWindow[] {
  const labels = [...page.lines, ...page.ties].map(({ lineId, label }) => ({ lineId, label: written(label, page) }))
  const widest = Math.max(m.tile, ...labels.map(({ label }) => label.width))
  const across = startsOf(page.width, view.width, widest)
  const down = startsOf(page.height, view.height, m.load)
  return down.flatMap((y) =>
    across.map((x): PlanWindow => {
      const window = { x, y, width: Math.min(view.width, page.width), height: Math.min(view.height, page.height) }
      const inside = labels.filter(({ label }) => contains(window, label))
      return { page, ...window, lines: new Set(inside.map(({ lineId }) => lineId)) }
    }),
  )
}

/** As much of a label as is written in: where there is much room it stays empty, and a hair of it may hang out of the page. */
const written = (label: Box, page: PlanPage): Box => ({
  ...label,
  width: Math.min(label.width, maxWritten, page.width - label.x),
})
const maxWritten = 320

/** Where windows begin: evenly, and the last one ends at the end. */
function startsOf(whole: number, shown: number, common: number): readonly number[] {
  if (whole <= shown) return [0]
  const count = 1 + Math.ceil((whole - shown) / Math.max(1, shown - common))
  return Array.from({ length: count }, (_, at) => Math.round(((whole - shown) * at) / (count - 1)))
}

const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height
