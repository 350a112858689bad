import { expect, test } from 'vitest'
import { axisOf, courseOf, pathsOf } from './course.ts'

const quarter = 900_000
/** Midnight in Shanghai of 20 November 2026. */
const midnight = Date.UTC(2026, 10, 19, 16)
const row = (at: number, KW: number | null) => ({ At: midnight + at * quarter, KW, How: 'measured' as const })

test('quarters stand on the dates of the project’s clock', () => {
  const days = courseOf([row(-1, 5), row(0, 6), row(95, 7)], 'Asia/Shanghai')
  expect([...days]).toEqual([
    ['2026-11-19', [{ hour: 23.75, kw: 5 }]],
    [
      '2026-11-20',
      [
        { hour: 0, kw: 6 },
        { hour: 23.75, kw: 7 },
      ],
    ],
  ])
})

test.each([
  [[], 1],
  [[3], 4],
  [[41], 50],
  [[386], 400],
  [[510], 1_000],
])('above %s stands %s', (values, top) => {
  expect(axisOf(values.map((kw) => ({ hour: 0, kw })))).toBe(top)
})

test('a line is broken where nothing is known, and never drawn through it', () => {
  const points = [1, 2, null, 4].map((kw, hour) => ({ hour, kw }))
  const { line, area } = pathsOf(points, { width: 24, height: 10, top: 10 })
  expect(line).toBe('M0.1 9.0L1.1 8.0M3.1 6.0')
  expect(area).toBe('M0.1 10.0L0.1 9.0L1.1 8.0L1.1 10.0ZM3.1 10.0L3.1 6.0L3.1 10.0Z')
  expect(pathsOf([], { width: 24, height: 10, top: 10 })).toEqual({ line: '', area: '' })
})
