import type { LineDetails } from '@linewarden/contract'
import type { Family, Quantity } from '@linewarden/equipment'
import { levelsOf } from '@linewarden/rules/alarm'
import type { Stretch } from '@linewarden/rules/history'
import { Quality } from '@linewarden/rules/monitor'
import { effectiveIn } from '../../plant/effective.ts'
import type { QualityMarks } from '../../plant/quality-marks.ts'
import { barSpan } from '../../plant/quality-marks.ts'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'

export type Sample = readonly [at: number, values: readonly (number | null)[], quality: number]

const colours: Readonly<Record<string, string>> = { A: '--ph-a', B: '--ph-b', C: '--ph-c', N: '--neutral' }
/** Longer without a value, and the line is broken: a gap is a gap. */
const gapMs = 30_000

interface Picture {
  readonly family: Family
  readonly quantity: Quantity
  readonly settings: LineDetails['Settings']
  readonly samples: readonly Sample[]
  readonly qualityMarks: QualityMarks
  /** What back-filled and an uncertain clock are called. */
  readonly words: Readonly<Record<keyof QualityMarks, string>>
  /** The value of a colour token. */
  readonly token: (name: string) => string
  /** What the picture spans, Unix ms. */
  readonly from: number
  readonly to: number
}

const pointsOf = (family: Family, quantity: Quantity) =>
  family.points.map((point, index) => ({ point, index })).filter(({ point }) => point.quantity === quantity)

/** Whether a sample has a value of this quantity. */
export function speaksOf(family: Family, quantity: Quantity): (sample: Sample) => boolean {
  const points = pointsOf(family, quantity)
  return ([, values]) => points.some(({ index }) => values[index] != null)
}

/** The picture of one quantity for ECharts. */
export function optionOf(picture: Picture) {
  const { family, quantity, settings, samples, token, from, to } = picture
  const points = pointsOf(family, quantity)
  const unit = points[0]?.point.unit ?? ''
  const limits = levelsOf(family, effectiveIn(settings))
    .filter((level) => points.some(({ point }) => level.points.includes(point.key)))
    .map(({ value, kind, label }) => ({
      value,
      colour: token(kind === 'alarm' ? '--alarm' : '--warn-edge'),
      name: localised(label),
    }))
  const values = samples
    .flatMap(([, row]) => points.map(({ index }) => row[index]))
    .filter((value): value is number => typeof value === 'number')
  const highest = values.length > 0 ? Math.max(...values) : 1
  const lowest = values.length > 0 ? Math.min(...values) : 0
  const fromZero = quantity !== 'voltage' && quantity !== 'temperature'
  const top = topOf(
    highest,
    limits.map(({ value }) => value),
  )
  const axis = {
    axisLine: { lineStyle: { color: token('--line-2') } },
    axisLabel: { color: token('--ink-3'), fontSize: 11 },
    splitLine: { lineStyle: { color: token('--line') } },
  }
  return {
    animation: false,
    grid: { left: 44, right: points.length > 1 ? 20 : 12, top: 12, bottom: 22 },
    tooltip: {
      trigger: 'axis',
      backgroundColor: token('--raised'),
      borderColor: token('--line-2'),
      textStyle: { color: token('--ink'), fontSize: 12 },
      formatter: tooltipOf(picture, unit),
    },
    xAxis: { type: 'time', min: from, max: to, ...axis, splitLine: { show: false } },
    // Voltage and temperature do not start at zero; a limit near the values is kept in sight.
    yAxis: {
      type: 'value',
      ...axis,
      ...ticksOf(fromZero ? Math.min(0, lowest) : lowest, top),
    },
    series: [
      ...points.map(({ point, index }, at) => ({
        type: 'line',
        name: localised(point.label),
        showSymbol: samples.length < 3,
        symbolSize: 3,
        lineStyle: { width: 1.5 },
        color: token(colours[point.phase ?? ''] ?? '--ink-2'),
        data: withGaps(samples, index),
        labelLayout: { moveOverlap: 'shiftY' },
        endLabel: {
          show: points.length > 1,
          formatter: point.phase ?? 'Σ',
          color: token(colours[point.phase ?? ''] ?? '--ink-2'),
        },
        ...(at === 0 && {
          markLine: {
            silent: true,
            symbol: 'none',
            data: limits
              .filter(({ value }) => value <= top)
              .map(({ value, colour, name }, each) => ({
                yAxis: value,
                lineStyle: { color: colour, type: 'dashed' },
                // By turns at either end: limits that lie close together keep their names apart.
                label: {
                  formatter: name,
                  color: colour,
                  fontSize: 11,
                  position: each % 2 === 0 ? 'insideStartTop' : 'insideEndTop',
                  textBorderColor: token('--raised'),
                  textBorderWidth: 2,
                },
              })),
          },
        }),
      })),
      barsOf(picture),
    ],
  }
}

/** A bar above what is uncertain: dotted where it was back-filled, dashed where the clock was off. */
function barsOf({ qualityMarks, token, ...span }: Picture) {
  const bars = (stretches: readonly Stretch[], y: number, colour: string, type: readonly number[]) =>
    stretches
      .map((stretch) => barSpan(stretch, span))
      .map(([from, to]) => [
        { xAxis: from, y, lineStyle: { color: token(colour), type } },
        { xAxis: to, y },
      ])
  return {
    type: 'line',
    id: 'doubts',
    silent: true,
    data: [],
    markLine: {
      silent: true,
      symbol: 'none',
      animation: false,
      label: { show: false },
      lineStyle: { width: 3, cap: 'butt' },
      data: [...bars(qualityMarks.late, 3, '--ink-2', [2, 2]), ...bars(qualityMarks.clock, 8, '--ink-3', [6, 3])],
    },
  }
}

type Shown = { readonly marker: string; readonly seriesName: string; readonly value: readonly [number, number | null] }

/** The moment, what was measured at it, and what is to be known of that. */
function tooltipOf({ samples, words }: Picture, unit: string) {
  return (shown: readonly Shown[]): string => {
    const at = shown[0]?.value[0] ?? 0
    const quality = samples.find(([time]) => time === at)?.[2] ?? 0
    const values = shown.map(
      ({ marker, seriesName, value: [, value] }) => `${marker}${seriesName} <b>${value === null ? '–' : `${value} ${unit}`}</b>`,
    )
    const qualityMarks = [quality & Quality.historical ? words.late : '', quality & Quality.clock ? words.clock : ''].filter(
      Boolean,
    )
    return [clockTime(at), ...values, ...qualityMarks].join('<br>')
  }
}

/** Room for the nearest limit above, unless it is far away. */
function topOf(highest: number, limits: readonly number[]): number {
  const next = Math.min(...limits.filter((limit) => limit >= highest), Number.POSITIVE_INFINITY)
  return next < highest * 2 + 10 ? next * 1.08 : highest * 1.15
}

/** Round figures at even distances, the first and the last of them at the ends of the axis: none is written over another. */
export function ticksOf(
  lowest: number,
  highest: number,
): { readonly min: number; readonly max: number; readonly interval: number } {
  const top = Math.max(highest, lowest + 1e-3)
  const span = top - lowest
  const decade = 10 ** Math.floor(Math.log10(span / 5))
  const interval = [1, 2, 2.5, 5, 10].map((each) => each * decade).find((each) => span / each <= 5.5) ?? 10 * decade
  // Without the digits that only binary fractions have.
  const round = (value: number) => Number((value * interval).toPrecision(12))
  return { min: round(Math.floor(lowest / interval + 1e-9)), max: round(Math.ceil(top / interval - 1e-9)), interval }
}

function withGaps(samples: readonly Sample[], index: number): [number, number | null][] {
  const out: [number, number | null][] = []
  let before = 0
  for (const [at, row] of samples) {
    if (before > 0 && at - before > gapMs) out.push([before + 1, null])
    const value = row[index]
    // A message that did not speak of this point is no gap.
    if (value !== null && value !== undefined) {
      out.push([at, value])
      before = at
    }
  }
  return out
}
