import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Pen, Plane } from './trace.ts'
import { endOfLine, traceBand, traceLine } from './trace.ts'

/** A pixel for each unit, and a pixel for each `msPerPx`. */
const planeOf = (width: number, msPerPx: number, from = 0): Plane => ({
  left: 0,
  width,
  from,
  pxPerMs: 1 / msPerPx,
  zeroY: 0,
  pxPerUnit: 1,
  columnsPerPx: 1,
})

type Point = readonly [number, number]

/** Where a pen went, each time from where it was set down to where it was lifted. */
function strokes(draw: (pen: Pen) => void): Point[][] {
  const lines: Point[][] = []
  draw({
    moveTo: (x, y) => lines.push([[x, y]]),
    lineTo: (x, y) => lines.at(-1)?.push([x, y]),
  })
  return lines
}

/** The lines that can be seen. */
const drawn = (draw: (pen: Pen) => void): Point[][] => strokes(draw).filter((line) => line.length > 1)

const lineOf = (at: readonly number[], values: readonly (number | null)[], plane: Plane) =>
  drawn((pen) => traceLine(pen, at, values, plane))

/** Readings in order of their time, some of them missing. */
const readings = fc
  .array(
    fc.record({
      afterMs: fc.integer({ min: 1, max: 40 }),
      value: fc.option(fc.integer({ min: -500, max: 500 }), { freq: 8 }),
    }),
    { maxLength: 300 },
  )
  .map((steps) => {
    let at = 0
    return steps.map(({ afterMs, value }) => {
      at += afterMs
      return { at, value }
    })
  })
const msPerPx = fc.integer({ min: 1, max: 200 })

test('few readings are all drawn, each in its place', () => {
  expect(lineOf([0, 10, 20, 30], [1, 5, 2, 4], planeOf(4, 10))).toEqual([
    [
      [0, 1],
      [1, 5],
      [2, 2],
      [3, 4],
    ],
  ])
})

test('of the readings on one column the least and the most are drawn, in their order', () => {
  expect(lineOf([0, 2, 4, 6, 8, 10, 12, 14], [5, 9, 1, 4, 3, 2, 1, 7], planeOf(2, 8))).toEqual([
    [
      [0.25, 9],
      [0.5, 1],
      [1.5, 1],
      [1.75, 7],
    ],
  ])
})

test('each column of the screen shows its least and its most, and nothing that was not read', () => {
  fc.assert(
    fc.property(readings, msPerPx, (all, ms) => {
      const last = all.at(-1)?.at ?? 0
      const [at, values] = [all.map((each) => each.at), all.map(({ value }) => value)]
      const lines = strokes((pen) => traceLine(pen, at, values, planeOf(last / ms + 1, ms)))
      const wasRead = (x: number, y: number) => all.some(({ at, value }) => value === y && Math.abs(at / ms - x) < 1e-6)
      // What is too short to be seen is drawn once more, wider, about the point where it ended.
      const isWidening = ([a, b]: Point[], before: Point[] = []) => {
        const [x, y] = before.at(-1) ?? [Number.NaN, Number.NaN]
        return a !== undefined && b !== undefined && a[1] === y && b[1] === y && Math.abs((a[0] + b[0]) / 2 - x) < 1e-9
      }
      const shown = lines.filter((line, index) => !isWidening(line, lines[index - 1])).flat()
      const inColumn = (column: number) => shown.filter(([x]) => Math.floor(x) === column).map(([, y]) => y)
      const columns = Map.groupBy(
        all.filter(({ value }) => value !== null),
        // As the plane counts: 98 times a 98th is a little less than one.
        ({ at }) => Math.floor(at * (1 / ms)),
      )
      for (const [column, own] of columns) {
        const values = own.map(({ value }) => value ?? 0)
        expect([Math.min(...inColumn(column)), Math.max(...inColumn(column))]).toEqual([Math.min(...values), Math.max(...values)])
      }
      for (const [x, y] of shown) expect(wasRead(x, y)).toBe(true)
    }),
  )
})

test('no line is drawn over what is missing', () => {
  fc.assert(
    fc.property(readings, msPerPx, (all, ms) => {
      const last = all.at(-1)?.at ?? 0
      const lines = lineOf(
        all.map(({ at }) => at),
        all.map(({ value }) => value),
        planeOf(last / ms + 1, ms),
      )
      for (const { at, value } of all)
        if (value === null)
          for (const line of lines.filter((each) => each.length > 2 || each[0]?.[1] !== each[1]?.[1]))
            expect((line[0]?.[0] ?? 0) > at / ms || (line.at(-1)?.[0] ?? 0) < at / ms).toBe(true)
    }),
  )
})

test('a reading between two gaps is seen', () => {
  expect(lineOf([0, 10, 20], [null, 7, null], planeOf(10, 10))).toEqual([
    [
      [0.25, 7],
      [1.75, 7],
    ],
  ])
})

test('zoomed in, the line comes from the last reading before the plane and leaves to the first after it', () => {
  const at = Array.from({ length: 100 }, (_, i) => i * 10)
  const values = at.map((_, i) => i)
  const [line = []] = lineOf(at, values, { ...planeOf(30, 1, 495) })
  expect(line).toEqual([
    [-5, 49],
    [5, 50],
    [15, 51],
    [25, 52],
    [35, 53],
  ])
})

test('a band is drawn for each stretch without gaps', () => {
  const areas = drawn((pen) => traceBand(pen, [0, 10, 20, 30], [1, 2, null, 3], [4, 5, null, 6], planeOf(10, 10)))
  expect(areas).toEqual([
    [
      [0, 1],
      [0, 4],
      [1, 5],
      [1, 2],
      [0, 1],
    ],
    [
      [2.25, 3],
      [2.25, 6],
      [3.75, 6],
      [3.75, 3],
    ],
  ])
})

test.each([
  ['its newest reading', 100, [1, 2, 3], { x: 20, y: 3 }],
  ['the last one before data is missing', 100, [1, 2, null], { x: 10, y: 2 }],
  ['the edge that it leaves by', 15, [1, 2, 4], { x: 15, y: 3 }],
  ['the last reading in sight when beyond it data is missing', 15, [1, 2, null], { x: 10, y: 2 }],
  ['nowhere, without readings', 100, [null, null, null], null],
] as const)('a line ends at %s', (_, width, values, end) => {
  expect(endOfLine([0, 10, 20], values, planeOf(width, 1))).toEqual(end)
})

test('a line that is over before the plane begins ends nowhere', () => {
  expect(endOfLine([0, 10, 20], [1, 2, 3], planeOf(100, 1, 50))).toBeNull()
})
