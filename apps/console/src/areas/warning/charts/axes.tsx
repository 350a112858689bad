import type { ReactNode } from 'react'
import { useRef } from 'react'
import { useWidth } from '../../../ui/use-width.ts'
import type { Scale } from './scale.ts'

/** A picture as wide as its place: drawn in its own pixels, so that no text is stretched. */
export function Picture({
  label,
  height,
  children,
}: {
  label: string
  height: number
  /** Draws in this many pixels. */
  children: (width: number) => ReactNode
}) {
  const ref = useRef<HTMLDivElement>(null)
  const width = useWidth(ref)
  return (
    <div className="warning-chart" ref={ref} style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
          {children(width)}
        </svg>
      )}
    </div>
  )
}

/** The value axis at the left: a line for each value that is written, the lowest stronger. */
export function ValueAxis({ scale, left, right }: { scale: Scale; left: number; right: number }) {
  return scale.ticks.map((tick, index) => (
    <g key={tick}>
      <path className={index === 0 ? 'axis' : 'grid'} d={`M${left} ${scale.at(tick)}H${right}`} />
      <text x={left - 6} y={scale.at(tick) + 4} textAnchor="end">
        {tick}
      </text>
    </g>
  ))
}

/** A limit across the picture, named at its end in the colour of what passing it means. */
export function LimitLine({
  kind,
  y,
  left,
  right,
  names,
}: {
  kind: 'alarm' | 'warning'
  y: number
  left: number
  right: number
  /** One line each. */
  names: readonly string[]
}) {
  return (
    <g className={`limit ${kind}`}>
      <path d={`M${left} ${y}H${right}`} />
      {names.map((name, index) => (
        <text key={name} x={right + 6} y={y + 4 + (index - (names.length - 1) / 2) * 14}>
          {name}
        </text>
      ))}
    </g>
  )
}
