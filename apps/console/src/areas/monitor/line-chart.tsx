import type { LineDetails } from '@linewarden/contract'
import type { Family, Quantity } from '@linewarden/equipment'
import { levelsOf } from '@linewarden/rules'
import { LineChart as Lines } from 'echarts/charts'
import { GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components'
import type { EChartsType } from 'echarts/core'
import * as echarts from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { said } from '../../texts/i18n.ts'
import { serverNow } from '../../ui/use-now.ts'
import type { PlacedLine } from './equipment.ts'
import { live } from './live-store.ts'
import { useLastReadings, windowMs } from './queries.ts'

echarts.use([Lines, GridComponent, MarkLineComponent, TooltipComponent, LabelLayout, CanvasRenderer])

type Sample = readonly [at: number, values: readonly (number | null)[]]

const colours: Readonly<Record<string, string>> = { A: '--ph-a', B: '--ph-b', C: '--ph-c', N: '--neutral' }
/** Longer without a value, and the line is broken: a gap is a gap. */
const gapMs = 30_000

/** The last fifteen minutes of one quantity: stored values, then what comes live. */
export function LineChart({
  placed,
  family,
  settings,
}: {
  placed: PlacedLine
  family: Family
  settings: LineDetails['Settings']
}) {
  const { t } = useTranslation('monitor')
  const { line, device } = placed
  const quantities = useMemo(
    () =>
      [...new Set(family.points.map(({ quantity }) => quantity))].filter((each) => each !== 'energy' && each !== 'powerFactor'),
    [family],
  )
  const [quantity, setQuantity] = useState<Quantity>(quantities[0] ?? 'current')
  const readings = useLastReadings(device.ControllerID, line.LineNo)
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  const fresh = useRef<Sample[]>([])

  useEffect(() => {
    if (!box.current) return
    const made = echarts.init(box.current)
    chart.current = made
    const resize = new ResizeObserver(() => made.resize())
    resize.observe(box.current)
    return () => {
      resize.disconnect()
      made.dispose()
      chart.current = null
    }
  }, [])

  useEffect(() => {
    const stored: Sample[] = readings.data?.Rows.map(([at, values]) => [at, values]) ?? []
    const draw = () => {
      const state = live.line(line.LineID)
      const newest = fresh.current.at(-1)?.[0] ?? stored.at(-1)?.[0] ?? 0
      if (state?.At && state.At > newest) fresh.current.push([state.At, state.Values])
      const since = serverNow() - windowMs
      fresh.current = fresh.current.filter(([at]) => at > since && at > (stored.at(-1)?.[0] ?? 0))
      chart.current?.setOption(optionOf(family, quantity, settings, [...stored, ...fresh.current]), {
        notMerge: true,
        lazyUpdate: true,
      })
    }
    draw()
    const themed = new MutationObserver(draw)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const leave = live.subscribeLine(line.LineID, draw)
    return () => {
      themed.disconnect()
      leave()
    }
  }, [readings.data, family, quantity, settings, line.LineID])

  const empty = readings.data?.Rows.length === 0 && fresh.current.length === 0
  return (
    <section className="part" aria-label={t('last15')}>
      <h3>
        {t('last15')}
        <span className="tabs" role="tablist">
          {quantities.map((each) => (
            <button type="button" role="tab" key={each} aria-selected={each === quantity} onClick={() => setQuantity(each)}>
              {quantityName(family, each)}
            </button>
          ))}
        </span>
      </h3>
      <div className="chart" ref={box} role="img" aria-label={`${t('last15')} ${quantityName(family, quantity)}`} />
      {empty && <p className="mute">{t('noReadings')}</p>}
    </section>
  )
}

/** The word for a quantity: its point's name without the phase. */
function quantityName(family: Family, quantity: Quantity): string {
  const point = family.points.find((each) => each.quantity === quantity)
  if (!point) return quantity
  return said(point.label)
    .replace(/^[ABCN][相线]/, '')
    .replace(/ [ABCN]$/, '')
}

function optionOf(family: Family, quantity: Quantity, settings: LineDetails['Settings'], samples: readonly Sample[]) {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const points = family.points.map((point, index) => ({ point, index })).filter(({ point }) => point.quantity === quantity)
  const unit = points[0]?.point.unit ?? ''
  const limits = levelsOf(family, (key) => settings.find(({ Key }) => Key === key)?.Effective ?? null)
    .filter((level) => points.some(({ point }) => level.points.includes(point.key)))
    .map(({ value, kind, label }) => ({
      value,
      colour: token(kind === 'alarm' ? '--alarm' : '--warn-edge'),
      name: said(label),
    }))
  const values = samples
    .flatMap(([, row]) => points.map(({ index }) => row[index]))
    .filter((value): value is number => typeof value === 'number')
  const highest = values.length > 0 ? Math.max(...values) : 1
  const lowest = values.length > 0 ? Math.min(...values) : 0
  const axis = {
    axisLine: { lineStyle: { color: token('--line-2') } },
    axisLabel: { color: token('--ink-3'), fontSize: 11 },
    splitLine: { lineStyle: { color: token('--line') } },
  }
  const now = serverNow()
  return {
    animation: false,
    grid: { left: 44, right: 64, top: 12, bottom: 22 },
    tooltip: {
      trigger: 'axis',
      backgroundColor: token('--raised'),
      borderColor: token('--line-2'),
      textStyle: { color: token('--ink'), fontSize: 12 },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? `${value} ${unit}` : '–'),
    },
    xAxis: { type: 'time', min: now - windowMs, max: now, ...axis, splitLine: { show: false } },
    // Voltage and temperature do not start at zero; a limit near the values is kept in sight.
    yAxis: {
      type: 'value',
      ...axis,
      scale: quantity === 'voltage' || quantity === 'temperature',
      min: quantity === 'voltage' ? Math.floor(lowest - 5) : undefined,
      max: topOf(
        highest,
        limits.map(({ value }) => value),
      ),
    },
    series: points.map(({ point, index }, at) => ({
      type: 'line',
      name: said(point.label),
      showSymbol: samples.length < 3,
      symbolSize: 3,
      lineStyle: { width: 1.5 },
      color: token(colours[point.phase ?? ''] ?? '--ink-2'),
      data: withGaps(samples, index),
      labelLayout: { moveOverlap: 'shiftY' },
      endLabel: { show: points.length > 1, formatter: point.phase ?? 'Σ', color: token(colours[point.phase ?? ''] ?? '--ink-2') },
      ...(at === 0 && {
        markLine: {
          silent: true,
          symbol: 'none',
          data: limits
            .filter(
              ({ value }) =>
                value <=
                topOf(
                  highest,
                  limits.map((each) => each.value),
                ),
            )
            .map(({ value, colour, name }) => ({
              yAxis: value,
              lineStyle: { color: colour, type: 'dashed' },
              label: { formatter: name, color: colour, fontSize: 10, position: 'end', width: 60, overflow: 'break' },
            })),
        },
      }),
    })),
  }
}

/** Room for the nearest limit above, unless it is far away. */
function topOf(highest: number, limits: readonly number[]): number {
  const next = Math.min(...limits.filter((limit) => limit >= highest), Number.POSITIVE_INFINITY)
  const top = next < highest * 2 + 10 ? next * 1.08 : highest * 1.15
  const step = 10 ** Math.floor(Math.log10(Math.max(1, top)))
  // In tenths of a step, without the digits that only binary fractions have.
  return Number((Math.ceil((top / step) * 10) * (step / 10)).toFixed(3))
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
