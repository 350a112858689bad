import type { EnergyPicture, EnergyRunning } from '@linewarden/contract'
import { useId, useRef } from 'react'
import { useWidth } from '../../ui/use-width.ts'
import { axisOf, grouped } from './figures.ts'

const height = 240
const margin = { top: 12, right: 8, bottom: 24, left: 56 }
/** Labels below stand no closer than this, px. */
const labelWidth = 44

type Bar = EnergyPicture['Bars'][number]

/** A part of a bar, from the ground up. */
export interface BarPart {
  readonly wh: number
  readonly className: string
}

/** What a bar is made of, where it is not drawn as one. */
type PartsOf = (bar: Bar) => readonly BarPart[]

/** Bars of a period; the compared one as a tick over each. What is not known is hatched over its whole height, and is no bar of nought. */
export function EnergyChart(props: { bars: readonly Bar[]; running?: EnergyRunning | null; label: string; partsOf?: PartsOf }) {
  const { bars, running = null, label, partsOf } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  return (
    <div className="energy-chart" ref={box}>
      {width > 0 && <Drawn {...{ bars, running, label, width, partsOf }} />}
    </div>
  )
}

interface DrawnProps {
  bars: readonly Bar[]
  running: EnergyRunning | null
  label: string
  width: number
  partsOf: PartsOf | undefined
}

function Drawn({ bars, running, label, width, partsOf }: DrawnProps) {
  const hatch = useId()
  const runningWh = (bar: Bar) => runningIn(bar, running)
  const { top, step } = axisOf(bars, runningWh)
  const inner = { width: Math.max(1, width - margin.left - margin.right), height: height - margin.top - margin.bottom }
  const yOf = (wh: number) => margin.top + inner.height * (1 - wh / top)
  const slot = inner.width / Math.max(1, bars.length)
  const every = Math.max(1, Math.ceil(labelWidth / slot))
  const steps = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  const places = step % 1_000 === 0 ? 0 : step % 100 === 0 ? 1 : 2
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="energy-gap-ground" width="6" height="6" />
          <path className="energy-gap-line" d="M0 0V6" />
        </pattern>
        <pattern id={`${hatch}-typed`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="energy-bar" width="6" height="6" />
          <path className="energy-typed-line" d="M0 0V6" />
        </pattern>
      </defs>
      <text className="energy-axis" x={margin.left - 8} y={margin.top - 2} textAnchor="end">
        kWh
      </text>
      {steps.map((wh) => (
        <g key={wh}>
          <path className="energy-grid" d={`M${margin.left} ${yOf(wh)}H${width - margin.right}`} />
          {wh < top && (
            <text className="energy-axis" x={margin.left - 8} y={yOf(wh) + 4} textAnchor="end">
              {grouped(wh / 1_000, places)}
            </text>
          )}
        </g>
      ))}
      {bars.map((bar, index) => (
        <Column
          key={`${bar.Civil} ${bar.Clock}`}
          bar={bar}
          x={margin.left + index * slot}
          width={slot}
          yOf={yOf}
          hatch={`url(#${hatch})`}
          typedHatch={`url(#${hatch}-typed)`}
          parts={partsOf?.(bar)}
          running={runningWh(bar)}
        />
      ))}
      {bars.map(
        (bar, index) =>
          index % every === 0 && (
            <text
              className="energy-axis"
              key={`${bar.Civil} ${bar.Clock}`}
              x={margin.left + (index + 0.5) * slot}
              y={height - 8}
              textAnchor="middle"
            >
              {shortName(bar.Civil)}
            </text>
          ),
      )}
    </svg>
  )
}

/** What is used since the last quarter, in the bar in which it is used. */
const runningIn = ({ Start, End }: Bar, running: EnergyRunning | null): number =>
  running?.Since != null && Start <= running.Since && running.Since < End ? (running.Wh ?? 0) : 0

/** The hour, the day of the month, the month, or the year. */
const shortName = (civil: string): string =>
  civil.length > 10 ? civil.slice(11, 13) : civil.length > 4 ? civil.slice(-2) : civil

interface ColumnProps {
  bar: Bar
  x: number
  width: number
  yOf: (wh: number) => number
  hatch: string
  typedHatch: string
  parts: readonly BarPart[] | undefined
  /** On top of it what is not over, Wh. */
  running: number
}

function Column({ bar, x, width, yOf, hatch, typedHatch, parts, running }: ColumnProps) {
  const gap = Math.min(4, width * 0.15)
  const [left, wide] = [x + gap / 2, Math.max(1, width - gap)]
  const [ground, ceiling] = [yOf(0), margin.top]
  const [used, spread, typed] = [bar.Wh ?? 0, bar.Spread, bar.Entered + bar.Estimated]
  return (
    <g>
      {bar.LackingS > 0 && <rect x={left} y={ceiling} width={wide} height={Math.max(0, ground - ceiling)} fill={hatch} />}
      {parts && <Stack parts={parts} x={left} width={wide} yOf={yOf} />}
      {!parts && used > 0 && <rect className="energy-bar" x={left} y={yOf(used)} width={wide} height={ground - yOf(used)} />}
      {!parts && spread > 0 && (
        <rect className="energy-bar spread" x={left} y={yOf(used)} width={wide} height={yOf(used - spread) - yOf(used)} />
      )}
      {!parts && typed > 0 && (
        <rect
          fill={typedHatch}
          x={left}
          y={yOf(used - spread)}
          width={wide}
          height={yOf(Math.max(0, used - spread - typed)) - yOf(used - spread)}
        />
      )}
      {running > 0 && (
        <rect className="energy-running" x={left} y={yOf(used + running)} width={wide} height={yOf(used) - yOf(used + running)} />
      )}
      {bar.Compared?.Wh != null && <path className="energy-other" d={`M${left} ${yOf(bar.Compared.Wh)}h${wide}`} />}
    </g>
  )
}

function Stack({ parts, x, width, yOf }: { parts: readonly BarPart[]; x: number; width: number; yOf: (wh: number) => number }) {
  let below = 0
  return parts.map(({ wh, className }) => {
    if (wh <= 0) return null
    const from = below
    below += wh
    return <rect key={className} className={className} x={x} y={yOf(below)} width={width} height={yOf(from) - yOf(below)} />
  })
}
