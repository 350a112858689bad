import { familyOf } from '@linewarden/equipment'
import { afterAll, expect, test, vi } from 'vitest'
import { qualityMarksOf } from '../../plant/quality-marks.ts'
import type { Sample } from './line-chart-option.ts'
import { optionOf, speaksOf, ticksOf } from './line-chart-option.ts'

// Words come in the language that this device keeps.
vi.stubGlobal('localStorage', { getItem: () => 'en' })
afterAll(() => void vi.unstubAllGlobals())

const family = familyOf('breaker3p')
if (!family) throw new Error('no breaker')
const now = Date.UTC(2026, 0, 15, 8, 30)
const index = family.points.findIndex(({ key }) => key === 'residual')
const sample = (ago: number, value: number | null, quality: number): Sample => [
  now - ago,
  family.points.map((_, i) => (i === index ? value : null)),
  quality,
]
const optionOfSamples = (samples: readonly Sample[]) =>
  optionOf({
    family,
    quantity: 'residual',
    settings: [],
    samples,
    qualityMarks: qualityMarksOf(samples.filter(speaksOf(family, 'residual'))),
    words: { late: 'Back-filled', clock: 'Clock off' },
    token: (name) => name,
    from: now - 15 * 60_000,
    to: now,
  })
const barsOf = (option: ReturnType<typeof optionOf>) =>
  option.series.flatMap((each) => ('id' in each && each.id === 'doubts' ? each.markLine.data : []))

test('a bar stands over what was back-filled or came under an uncertain clock, and over nothing else', () => {
  expect(barsOf(optionOfSamples([sample(20_000, 1, 0), sample(10_000, 2, 0)]))).toEqual([])
  const bars = barsOf(optionOfSamples([sample(60_000, 1, 2), sample(50_000, 2, 2), sample(40_000, 3, 0), sample(30_000, 4, 1)]))
  expect(bars).toMatchObject([
    [{ xAxis: now - 66_250, y: 3 }, { xAxis: now - 43_750 }],
    [{ xAxis: now - 41_250, y: 8 }, { xAxis: now - 18_750 }],
  ])
})

test('a bar ends where the picture does, and a row without a value of this quantity has none', () => {
  expect(barsOf(optionOfSamples([sample(15 * 60_000 + 30_000, 1, 2), sample(1_000, 1, 2)]))).toMatchObject([
    [{ xAxis: now - 15 * 60_000 }, { xAxis: now - 1_000 }],
  ])
  expect(barsOf(optionOfSamples([sample(20_000, null, 2)]))).toEqual([])
})

test('the tooltip says of a moment what is to be known of it', () => {
  const { tooltip } = optionOfSamples([sample(20_000, 7, 3), sample(10_000, 8, 0)])
  const shown = (at: number, value: number) => tooltip.formatter([{ marker: '', seriesName: 'Residual', value: [at, value] }])
  expect(shown(now - 20_000, 7)).toMatch(/7 mA<\/b><br>Back-filled<br>Clock off$/)
  expect(shown(now - 10_000, 8)).toMatch(/8 mA<\/b>$/)
})

test.each([
  [0, 8.7, 0, 10, 2],
  [0, 2.8, 0, 3, 1],
  [0, 324, 0, 400, 100],
  [228.4, 240.1, 227.5, 242.5, 2.5],
  [23.9, 24.1, 23.9, 24.1, 0.05],
  [0, 0, 0, 0.001, 0.0002],
] as const)('an axis from %f to %f is marked from %f to %f every %f', (lowest, highest, min, max, interval) => {
  expect(ticksOf(lowest, highest)).toEqual({ min, max, interval })
})
