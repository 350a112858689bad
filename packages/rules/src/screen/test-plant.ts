import fc from 'fast-check'
import type { BusKey, DrawnLine, PlantGraph } from './graph.ts'
import { busOfLine, busOfSource, plantGraph } from './graph.ts'

/** A line and the one that feeds it. */
export const line = (lineId: number, feederId: number | null = null, hasSwitch = true): DrawnLine => ({
  lineId,
  feederId,
  hasSwitch,
})

export const grid = { sourceId: 1, lines: [] }

/** A forest of so many lines at most, each fed by one given before it or by none, under one to three sources. */
export const forests = (most: number) =>
  fc
    .record({
      feeders: fc.array(fc.option(fc.nat(), { freq: 5 }), { maxLength: most }),
      sources: fc.integer({ min: 1, max: 3 }),
      sourceOf: fc.nat(),
    })
    .map(({ feeders, sources, sourceOf }) => {
      const lines = feeders.map((feeder, at) => line(at + 1, feeder === null || at === 0 ? null : (feeder % at) + 1))
      const tops = lines.filter(({ feederId }) => feederId === null).map(({ lineId }) => lineId)
      const own = Array.from({ length: sources }, (_, at) => ({
        sourceId: at + 1,
        lines: tops.filter((top) => (top * 7 + sourceOf) % sources === at),
      }))
      return plantGraph(lines, own)
    })

/** Every bus of a plant. */
export const busesOf = ({ sources, hangsOn }: PlantGraph): readonly BusKey[] => [
  ...sources.map(({ sourceId }) => busOfSource(sourceId)),
  ...[...hangsOn.keys()].map(busOfLine),
]
