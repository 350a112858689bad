import { availabilityTarget, blindBelow } from '@linewarden/rules/hazard'
import type { Analysis } from './analysis.ts'

export interface TrendPicture {
  readonly days: Analysis['Days']
  /** Days on which something was changed, by their place. */
  readonly changed: readonly number[]
  /** Pixels across. */
  readonly width: number
  readonly narrow: boolean
  readonly token: (name: string) => string
  readonly hatch: object | string
  readonly words: { readonly perDay: string; readonly availability: string; readonly unknown: string; readonly floor: string }
}

const top = 24
const barsHeight = 150
const between = 30
const lineHeight = 62
export const trendHeight = top + barsHeight + between + lineHeight + 26

export const trendSides = (narrow: boolean) => ({ left: narrow ? 34 : 46, right: narrow ? 8 : 64 })
const flag = 'path://M0 0h10l-3 4 3 4H0z'
/** Below this the axis of availability does not begin: whatever is worse stands at its foot. */
const lowest = 0.8

/** Readings are missing of so much of the day that its few alarms say little. */
export const isBlindDay = ({ Availability }: Analysis['Days'][number]): boolean =>
  Availability !== null && Availability < blindBelow

/** Alarms per day above, availability below, on one axis of days: few alarms on a day without data cannot look good. */
export function trendOption(picture: TrendPicture) {
  const { days, width, narrow, token, words } = picture
  const { left, right } = trendSides(narrow)
  const names = days.map(({ Day }) => Day)
  const band = Math.max(1, (width - left - right) / Math.max(1, days.length))
  const grids = [
    { left, right, top, height: barsHeight, outerBoundsMode: 'none' },
    { left, right, top: top + barsHeight + between, height: lineHeight, outerBoundsMode: 'none' },
  ]
  const label = { color: token('--ink-3'), fontSize: 12 }
  // From the edge: the longest name is wider than what stands left of the axis.
  const nameStyle = { ...label, align: 'left', padding: [0, 0, 0, -left] }
  return {
    animation: false,
    grid: grids,
    xAxis: grids.map((_, i) => ({
      type: 'category',
      gridIndex: i,
      data: names,
      axisLine: { lineStyle: { color: token('--line-2') } },
      axisTick: { show: false },
      axisLabel: { ...label, show: i === 1, hideOverlap: true, formatter: (day: string) => day.slice(5) },
    })),
    yAxis: [
      {
        ...{ type: 'value', gridIndex: 0, minInterval: 1, splitNumber: 3, min: 0 },
        ...{ name: words.perDay, nameGap: 10, nameTextStyle: nameStyle },
        axisLabel: label,
        splitLine: { lineStyle: { color: token('--line') } },
      },
      {
        ...{ type: 'value', gridIndex: 1, min: lowestOf(days) * 100, max: 100, interval: (1 - lowestOf(days)) * 100 },
        ...{
          name: days.some(({ Availability }) => Availability !== null) ? words.availability : words.unknown,
          nameGap: 10,
          nameTextStyle: nameStyle,
        },
        axisLabel: { ...label, formatter: '{value}' },
        splitLine: { lineStyle: { color: token('--line') } },
      },
    ],
    series: [...hatches(picture), ...bars(picture, band), availability(picture)],
  }
}

/** Down to the next five below the worst day. */
function lowestOf(days: Analysis['Days']): number {
  const worst = Math.min(1, ...days.flatMap(({ Availability }) => Availability ?? []))
  return Math.max(lowest, Math.min(0.95, Math.floor(worst * 20) / 20))
}

/** A day with missing data is hatched through both. */
const hatches = ({ days, hatch }: TrendPicture) =>
  [0, 1].map((grid) => ({
    type: 'line',
    id: `blind ${grid}`,
    ...{ xAxisIndex: grid, yAxisIndex: grid, silent: true, data: [] },
    markArea: {
      silent: true,
      itemStyle: { color: hatch },
      data: days.filter(isBlindDay).map(({ Day }) => [{ xAxis: Day }, { xAxis: Day }]),
    },
  }))

function bars({ days, changed, token }: TrendPicture, band: number) {
  const at = { xAxisIndex: 0, yAxisIndex: 0 }
  const ghost = days.flatMap(({ Day, Before }) => (Before ? [[Day, Before]] : []))
  return [
    {
      ...at,
      type: 'bar',
      id: 'alarms',
      color: token('--normal'),
      barWidth: Math.max(1, Math.min(28, band * 0.66)),
      data: days.map(({ Announced }) => Announced),
      markLine: {
        ...{ silent: true, symbol: 'none', animation: false, label: { show: false } },
        lineStyle: { color: token('--ink'), width: 1, type: 'solid' },
        data: changed.map((place) => ({ xAxis: place })),
      },
    },
    {
      ...{ ...at, type: 'scatter', id: 'before', silent: true, z: 4 },
      symbol: 'rect',
      symbolSize: [Math.max(2, band * 0.84), 2],
      color: token('--ghost'),
      data: ghost,
    },
    {
      ...{ ...at, type: 'scatter', id: 'changes', silent: true, z: 5, clip: false },
      symbol: flag,
      symbolSize: [10, 8],
      symbolOffset: [5, -barsHeight - 8],
      color: token('--ink'),
      data: changed.map((place) => [place, 0]),
    },
  ]
}

const availability = ({ days, token, narrow, words }: TrendPicture) => ({
  ...{ type: 'line', id: 'availability', xAxisIndex: 1, yAxisIndex: 1, silent: true },
  step: 'middle',
  showSymbol: days.filter(({ Availability }) => Availability !== null).length < 2,
  symbolSize: 4,
  color: token('--ink-2'),
  lineStyle: { width: 1.5, color: token('--ink-2') },
  data: days.map(({ Availability }) => (Availability === null ? null : Math.max(lowest, Availability) * 100)),
  markLine: {
    ...{ silent: true, symbol: 'none', animation: false },
    data: [
      {
        yAxis: availabilityTarget * 100,
        lineStyle: { color: token('--warn-edge'), type: 'dashed', width: 1 },
        label: { show: !narrow, position: 'end', color: token('--warn-text'), fontSize: 12, formatter: words.floor },
      },
    ],
  },
})
