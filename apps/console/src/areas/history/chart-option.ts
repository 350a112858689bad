import type { EventRecord, ZoneClock } from '@linewarden/contract'
import { said } from '../../texts/i18n.ts'
import { shapes } from '../../ui/mark.tsx'
import type { TimeRange } from './address.ts'
import type { Drawn, Panel } from './panels.ts'

export interface Picture extends Screen {
  readonly panels: readonly Panel[]
  readonly events: readonly EventRecord[]
  readonly zone: ZoneClock
  readonly range: TimeRange
  /** How much later the present period is than the previous one. */
  readonly previousMs: number
  /** The value of a colour token. */
  readonly token: (name: string) => string
  /** The hatch of missing data. */
  readonly hatch: object
  readonly words: { readonly late: string }
}

/** Space beside the panels, for axis labels and names. */
export const sidesOf = (narrow: boolean) => ({ left: narrow ? 40 : 52, right: narrow ? 8 : 92 })

const stripHeight = 24
const axisHeight = 26
const between = 22

interface Screen {
  readonly narrow: boolean
  readonly tall: boolean
}

function panelHeight(count: number, { narrow, tall }: Screen): number {
  if (narrow) return count === 1 ? 220 : 130
  const height = count === 1 ? 300 : count === 2 ? 180 : 132
  return tall ? height * 2 : height
}

/** How high the picture is: its panels stand below each other, whatever the page's height. */
export const heightOf = (count: number, screen: Screen): number =>
  stripHeight + count * (panelHeight(count, screen) + between) + axisHeight

/** The smallest type of the page, in px. */
const labelSize = (token: Picture['token']): number => Number.parseInt(token('--t-11'), 10) || 11

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
        max: topOf(panel),
        axisLabel: { color: token('--ink-3'), fontSize: labelSize(token) },
        splitLine: { lineStyle: { color: token('--line') } },
      })),
    ],
    series: [...stripOf(picture), ...panels.flatMap((panel, i) => panelSeries(picture, panel, i + 1))],
  }
}

/** Events as marks, and a dotted bar where readings were back-filled. */
function stripOf({ events, panels, zone, token, words }: Picture) {
  const late = panels.flatMap(({ drawn }) => drawn.flatMap(({ series }) => series.Late))
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
        name: `${said(event.Label)} ${event.Where}`,
        symbol: `path://${event.Kind === 'journal' ? shapes.warning : shapes[event.Kind]}`,
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

const eventColour = ({ Key, Kind }: EventRecord): string =>
  Key.startsWith('gateway.') ? '--off' : Kind === 'alarm' ? '--alarm' : Kind === 'fault' ? '--fault' : '--warn-edge'

function panelSeries(picture: Picture, panel: Panel, grid: number): object[] {
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
        ...shownLimits(panel).map(({ value, name, isAlarm }) => ({
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
  return [backdrop, ...panel.drawn.flatMap((drawn) => seriesOf(picture, drawn, place, panel.drawn.length))]
}

function seriesOf(picture: Picture, drawn: Drawn, place: object, beside: number): object[] {
  const { zone, token, narrow } = picture
  const { series, previous, chosen } = drawn
  const colour = token(drawn.colour)
  const id = `${series.LineID}:${series.Point}`
  const line = { ...place, type: 'line', showSymbol: false, symbol: 'none', silent: true, clip: true }
  const out: object[] = []
  if (previous) {
    out.push({
      ...line,
      id: `ghost ${id}`,
      z: 1,
      lineStyle: { color: token('--ghost'), width: 1, type: 'dashed' },
      sampling: 'minmax',
      ...pairs(previous, previous.Value, (at) => zone.local(at + picture.previousMs)),
    })
  }
  if (chosen.point.quantity === 'energy') {
    const bars = {
      ...place,
      type: 'bar',
      id,
      color: colour,
      silent: true,
      barMaxWidth: 24,
      barGap: '10%',
      large: series.At.length > 500,
    }
    return [...out, { ...bars, ...pairs(series, series.Value, zone.local) }]
  }
  if (series.Min.length > 0) {
    const band = { ...line, stack: `band ${id}`, stackStrategy: 'all', lineStyle: { width: 0 }, z: 1 }
    const height = series.Max.map((most, i) => (most === null ? null : most - (series.Min[i] ?? most)))
    out.push({ ...band, id: `least ${id}`, ...pairs(series, series.Min, zone.local) })
    out.push({
      ...band,
      id: `most ${id}`,
      areaStyle: { color: colour, opacity: Number(token('--band')) || 0.16 },
      ...pairs(series, height, zone.local),
    })
  }
  const few = series.At.length < 3
  out.push({
    ...line,
    id,
    z: 3,
    color: colour,
    showSymbol: few,
    symbol: 'circle',
    symbolSize: 4,
    lineStyle: { width: 1.5, color: colour },
    // Keeps the least and the most of what falls on one pixel.
    ...(series.BucketMs === 0 && { sampling: 'minmax' }),
    ...pairs(series, series.Value, zone.local),
    labelLayout: { moveOverlap: 'shiftY' },
    endLabel: {
      show: !narrow && series.At.length > 0,
      color: colour,
      fontSize: labelSize(token),
      width: 84,
      overflow: 'truncate',
      formatter: beside > 1 && chosen.point.phase ? chosen.point.phase : chosen.placed.line.LineName,
    },
  })
  return out
}

/**
 * Time and value in turns, in one block of memory: a hundred thousand samples as pairs of their own cost more than drawing them. A bucket
 * stands in its middle; where data is missing stands NaN. Such a block has no shape of its own: the picture is told that two make a pair.
 */
function pairs(
  { At, BucketMs }: Drawn['series'],
  values: readonly (number | null)[],
  local: (at: number) => number,
): { dimensions: readonly string[]; data: Float64Array } {
  const out = new Float64Array(At.length * 2)
  for (let i = 0; i < At.length; i++) {
    out[2 * i] = local((At[i] ?? 0) + BucketMs / 2)
    out[2 * i + 1] = values[i] ?? Number.NaN
  }
  return { dimensions: ['at', 'value'], data: out }
}

/** Limits far beyond the values would press them flat. */
function shownLimits(panel: Panel): Panel['limits'] {
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
function topOf(panel: Panel): number | undefined {
  const limit = Math.max(...shownLimits(panel).map(({ value }) => value), Number.NEGATIVE_INFINITY)
  const highest = highestOf(panel)
  if (limit < highest) return undefined
  const step = 10 ** Math.floor(Math.log10(Math.max(1, limit * 1.08)))
  return Math.ceil((limit * 1.08 * 10) / step) * (step / 10)
}
