import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { civilZone } from '../automation/civil-time.ts'
import { bucketEdges } from './bucket-edges.ts'

const shanghai = civilZone('Asia/Shanghai')
const berlin = civilZone('Europe/Berlin')
const texts = (edges: readonly number[]) => edges.map((at) => new Date(at).toISOString().slice(5, 16))

test('hours are hours of UTC, with what lies around the range', () => {
  const from = Date.UTC(2026, 0, 15, 3, 20)
  expect(texts(bucketEdges(shanghai, hourMs, { from, to: from + hourMs }))).toEqual(['01-15T03:00', '01-15T04:00', '01-15T05:00'])
})

test('days begin at the project’s midnight', () => {
  const from = Date.UTC(2026, 0, 15)
  expect(texts(bucketEdges(shanghai, dayMs, { from, to: from + dayMs }))).toEqual(['01-14T16:00', '01-15T16:00', '01-16T16:00'])
})

test('six hours go by the clock: the one in which it changes is longer or shorter', () => {
  const of = (from: number) => bucketEdges(berlin, 6 * hourMs, { from, to: from + 12 * hourMs })
  expect(texts(of(Date.UTC(2026, 2, 28, 23)))).toEqual(['03-28T23:00', '03-29T04:00', '03-29T10:00', '03-29T16:00'])
  expect(texts(of(Date.UTC(2026, 9, 24, 22)))).toEqual(['10-24T22:00', '10-25T05:00', '10-25T11:00'])
})

test('a range that begins within the hour that a clock shows twice is covered', () => {
  const from = Date.UTC(2026, 9, 25, 0, 30)
  const edges = bucketEdges(berlin, 2 * hourMs, { from, to: from + 3 * hourMs })
  expect(edges[0]).toBeLessThanOrEqual(from)
  expect(edges.at(-1)).toBeGreaterThanOrEqual(from + 3 * hourMs)
})

test('edges rise and cover the range, in any zone and of any size', () => {
  for (const zone of ['Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia', 'America/Santiago'].map((name) => civilZone(name)))
    for (const bucketMs of [1, 2, 3, 6, 12, 24, 48, 7 * 24, 28 * 24].map((hours) => hours * hourMs))
      for (const from of [Date.UTC(2011, 11, 29), Date.UTC(2026, 3, 4, 13, 7), Date.UTC(2026, 9, 3, 15)]) {
        const to = from + 90 * dayMs + 13 * minuteMs
        const edges = bucketEdges(zone, bucketMs, { from, to })
        expect(edges.every((at, index) => index === 0 || at > (edges[index - 1] ?? 0))).toBe(true)
        expect([(edges[0] ?? 0) <= from, (edges[1] ?? 0) > from, (edges.at(-1) ?? 0) >= to]).toEqual([true, true, true])
      }
})
