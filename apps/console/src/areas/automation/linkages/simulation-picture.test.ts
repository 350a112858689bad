import type { LinkageSimulation } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { simulationPicture, sizes } from './simulation-picture.ts'

const day = 86_400_000
const from = Date.UTC(2026, 9, 20, 16)
const curve = {
  Recorded: true,
  CoveragePercent: 90,
  Gaps: [] as [number, number][],
  Steps: false,
  At: [from],
  Min: [1],
  Max: [1],
}
const simulation = (more: Partial<LinkageSimulation>): LinkageSimulation => ({
  ...{
    From: from,
    To: from + 10 * day,
    Counts: [],
    Firings: [],
    Orders: 0,
    HaltedAt: null,
    CoveragePercent: 100,
    Blind: [],
    Conditions: [],
  },
  ...{ TookMs: 1, ...more },
})
const subject = { name: 'QF1 kW', limit: 260, isMet: (value: number) => value === 0 }
const picture = (more: Partial<LinkageSimulation>) => simulationPicture(simulation(more), [subject], 600, 'Asia/Shanghai')

test('a gap is as wide as it was long, and breaks the curve', () => {
  const values = [200, 210, null, 220]
  const At = [0, 1, 2, 5].map((days) => from + days * day)
  const { lanes, left, right } = picture({
    Conditions: [{ ...curve, At, Min: values, Max: values, Gaps: [[from + 2 * day, from + 5 * day]] }],
  })
  const tenth = (right - left) / 10
  expect(lanes[0]?.gaps).toEqual([{ x: left + 2 * tenth, width: expect.closeTo(3 * tenth, 6) }])
  expect(lanes[0]?.curve.match(/M/g)?.length).toBe(2)
})

test('the limit stands among the values, higher values above it', () => {
  const { lanes } = picture({ Conditions: [{ ...curve, At: [from, from + day], Min: [100, 300], Max: [100, 300] }] })
  const [lane] = lanes
  expect(lane?.limit?.y).toBeLessThan((lane?.bottom ?? 0) - sizes.pad)
  expect(lane?.limit?.y).toBeGreaterThan((lane?.top ?? 0) + sizes.pad)
})

test('a state is a band while it meets its condition', () => {
  const values = [1, 0, 1]
  const { lanes, left, right } = picture({
    Conditions: [{ ...curve, Steps: true, At: [0, 2, 3].map((days) => from + days * day), Min: values, Max: values }],
  })
  expect(lanes[0]?.bands).toEqual([{ x: left + (right - left) * 0.2, width: expect.closeTo((right - left) / 10, 6) }])
})

test('what is not recorded is one gap', () => {
  const { lanes, left, right } = picture({
    Conditions: [{ ...curve, Recorded: false, Steps: true, At: [], Min: [], Max: [] }],
  })
  expect(lanes[0]?.gaps).toEqual([{ x: left, width: right - left }])
})

test('what fired stands apart from what was suppressed', () => {
  const { fired, suppressed } = picture({
    Firings: [
      { At: from + day, Outcome: 'fired', Values: [] },
      { At: from + 2 * day, Outcome: 'cooldown', Values: [] },
    ],
  })
  expect(fired.marks.map(({ at }) => at)).toEqual([from + day])
  expect(suppressed.marks.map(({ outcome }) => outcome)).toEqual(['cooldown'])
  expect(suppressed.y).toBeGreaterThan(fired.y)
})

test('days are those of the project, and no more than have room', () => {
  const { days, left } = picture({})
  expect(days.map(({ text }) => text).at(-1)).toBe('10-31')
  expect(days.length).toBeLessThanOrEqual(7)
  for (const { x } of days) expect(x).toBeGreaterThanOrEqual(left)
})
