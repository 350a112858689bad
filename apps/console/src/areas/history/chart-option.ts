import type { EventRecord } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { barSpan } from '../../plant/quality-marks.ts'
import { localised } from '../../ui/i18n.ts'
import { drawnKind, edgeColours, shapes } from '../../ui/mark.tsx'
import type { Drawn, Limit, Panel } from './panels.ts'
import type { Picture, Screen } from './picture.ts'
import { labelSize } from './picture.ts'
import { tracesOf } from './traces.ts'

/** Space beside the panels, for axis labels and names. */
export const sidesOf = (narrow: boolean) => ({ left: narrow ? 40 : 52, right: narrow ? 8 : 92 })

const stripHeight = 24
const axisHeight = 26
const between = 22

function panelHeight(count: number, { narrow, tall }: Screen): number {
  if (narrow) return count === 1 ? 220 : 130
  const height = count === 1 ? 300 : count === 2 ? 180 : 132
  return tall ? height * 2 : height
}

/** How high the picture is: its panels stand below each other, whatever the page's height. */
export const heightOf = (count: number, screen: Screen): number =>
  stripHeight + count * (panelHeight(count, screen) + between) + axisHeight

const labels = {
  year: '{yyyy}',
  month: '{yyyy}-{MM}',
  day: '{MM}-{dd}',
  hour: '{HH}:{mm}',
  minute: '{HH}:{mm}',
  second: '{HH}:{mm}:{ss}',
  millisecond: '{HH}:{mm}:{ss}.{SSS}',
}

/** The whole picture for ECharts: a strip of events, then a panel per quantity, all on one time axis. */
export function optionOf(picture: Picture) {
  const { panels, range, zone, narrow, token } = picture
  const { left, right } = sidesOf(narrow)
  const height = panelHeight(panels.length, picture)
  const limits = panels.map(shownLimits)
  const x = { min: zone.local(range.from), max: zone.local(range.to) }
  const grids = [
    { left, right, top: 0, height: stripHeight, outerBoundsMode: 'none' },
    ...panels.map((_, i) => ({
      left,
      right,
      top: stripHeight + between + i * (height + between),
      height: height,
      outerBoundsMode: 'none',
    })),
  ]
  return {
    animation: false,
    useUTC: true,
    grid: grids,
    xAxis: grids.map((_, i) => ({
      type: 'time',
      gridIndex: i,
      ...x,
      axisLine: { show: i > 0, onZero: false, lineStyle: { color: token('--line-2') } },
      axisTick: { show: i === panels.length, lineStyle: { color: token('--line-2') } },
      axisLabel: {
        show: i === panels.length,
        color: token('--ink-3'),
        fontSize: labelSize(token),
        hideOverlap: true,
        formatter: labels,
      },
      splitLine: { show: i > 0, lineStyle: { color: token('--line') } },
    })),
    yAxis: [
      { type: 'value', gridIndex: 0, min: 0, max: 1, show: false },
      ...panels.map((panel, i) => ({
        type: 'value',
        gridIndex: i + 1,
        name: panel.unit,
        nameGap: 8,
        nameTextStyle: { color: token('--ink-3'), fontSize: labelSize(token), align: 'right' },
        scale: panel.quantity === 'voltage' || panel.quantity === 'temperature',
        splitNumber: height < 150 ? 3 : 5,
        max: topOf(panel, limits[i] ?? []),
        axisLabel: { color: token('--ink-3'), fontSize: labelSize(token) },
        splitLine: { lineStyle: { color: token('--line') } },
      })),
    ],
    series: [...stripOf(picture), ...panels.flatMap((panel, i) => panelSeries(picture, panel, limits[i] ?? [], i + 1))],
  }
}

/** Events as marks, and a dotted bar where readings were back-filled. */
function stripOf({ events, panels, zone, token, words, range }: Picture) {
  const late = panels.flatMap(({ drawn }) => drawn.flatMap(({ series }) => series.Late)).map((each) => barSpan(each, range))
  return [
    {
      type: 'scatter',
      id: 'events',
      xAxisIndex: 0,
      yAxisIndex: 0,
      symbolSize: 14,
      cursor: 'default',
      z: 5,
      data: events.map((event) => ({
        value: [zone.local(event.RaisedAt), 0.65],
        name: `${localised(event.Label)} ${placeNames(event.Where).join(' / ')}`,
        symbol: `path://${shapes[drawnKind(event.Kind)]}`,
        itemStyle: { color: token(eventColour(event)) },
      })),
    },
    {
      type: 'line',
      id: 'late',
      name: words.late,
      xAxisIndex: 0,
      yAxisIndex: 0,
      silent: true,
      showSymbol: false,
      color: token('--ink-2'),
      lineStyle: { width: 3, type: [2, 2], cap: 'butt' },
      data: late.flatMap(([from, to]) => [
        [zone.local(from), 0.08],
        [zone.local(to), 0.08],
        [zone.local(to), null],
      ]),
    },
  ]
}

const eventColour = ({ Key, Kind }: EventRecord): string => (Key.startsWith('gateway.') ? '--off' : edgeColours[drawnKind(Kind)])

function panelSeries(picture: Picture, panel: Panel, limits: readonly Limit[], grid: number): object[] {
  const { zone, token, events, hatch } = picture
  const place = { xAxisIndex: grid, yAxisIndex: grid }
  const backdrop = {
    type: 'line',
    id: `back ${panel.quantity}`,
    ...place,
    silent: true,
    data: [],
    markArea: {
      silent: true,
      itemStyle: { color: hatch },
      data: panel.gaps.map(([from, to]) => [{ xAxis: zone.local(from) }, { xAxis: zone.local(to) }]),
    },
    markLine: {
      silent: true,
      symbol: 'none',
      animation: false,
      data: [
        ...events.map((event) => ({
          xAxis: zone.local(event.RaisedAt),
          label: { show: false },
          lineStyle: { color: token(eventColour(event)), width: 1, type: 'solid', opacity: 0.55 },
        })),
        ...limits.map(({ value, name, isAlarm }) => ({
          yAxis: value,
          lineStyle: { color: token(isAlarm ? '--alarm' : '--warn-edge'), type: 'dashed', width: 1 },
          label: {
            show: !picture.narrow,
            formatter: name,
            color: token(isAlarm ? '--alarm-text' : '--warn-text'),
            fontSize: labelSize(token),
            position: 'end',
            width: 84,
            overflow: 'truncate',
          },
        })),
      ],
    },
  }
  const bars = panel.quantity === 'energy' ? panel.drawn.map((drawn) => barsOf(picture, drawn, place)) : []
  return [backdrop, tracesOf(picture, panel, place), ...bars]
}

/** What was used in each bucket; a bar stands in the middle of its own. */
function barsOf({ zone, token }: Picture, { series, colour }: Drawn, place: object): object {
  const { LineID, Point, At, BucketMs, Value } = series
  return {
    ...place,
    type: 'bar',
    id: `${LineID}:${Point}`,
    color: token(colour),
    silent: true,
    barMaxWidth: 24,
    barGap: '10%',
    large: At.length > 500,
    data: At.map((at, i) => [zone.local(at + BucketMs / 2), Value[i] ?? null]),
  }
}

/** Limits far beyond the values would press them flat. */
function shownLimits(panel: Panel): readonly Limit[] {
  if (panel.limits.length === 0) return []
  const highest = highestOf(panel)
  return panel.limits.filter(({ value }) => value <= highest * 1.6 + 1)
}

function highestOf({ drawn }: Panel): number {
  let highest = 0
  for (const { series } of drawn)
    for (const value of series.Max.length > 0 ? series.Max : series.Value) if (value !== null && value > highest) highest = value
  return highest
}

/** Room for the highest limit shown; else ECharts decides. */
function topOf(panel: Panel, limits: readonly Limit[]): number | undefined {
  if (limits.length === 0) return undefined
  const limit = Math.max(...limits.map(({ value }) => value))
  const highest = highestOf(panel)
  if (limit < highest) return undefined
  const step = 10 ** Math.floor(Math.log10(Math.max(1, limit * 1.08)))
  return Math.ceil((limit * 1.08 * 10) / step) * (step / 10)
}
