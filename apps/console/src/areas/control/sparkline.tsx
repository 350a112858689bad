import { barsHeight, QualityBars } from '../../plant/quality-bars.tsx'
import type { QualityMarks } from '../../plant/quality-marks.ts'

const width = 160
const height = 28

/** A value over a short time, with a mark where something happened and bars over what is uncertain. A missing value is a gap. */
export function Sparkline({
  values,
  qualityMarks,
  mark,
  label,
}: {
  values: readonly (readonly [at: number, value: number | null])[]
  qualityMarks: QualityMarks
  mark: number
  label: string
}) {
  const known = values.flatMap(([, value]) => (value === null ? [] : [value]))
  const [from, to] = [values[0]?.[0] ?? 0, values.at(-1)?.[0] ?? 1]
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const x = (at: number) => ((at - from) / Math.max(1, to - from)) * width
  const y = (value: number) => height - 2 - ((value - low) / (high - low || 1)) * (height - 4)
  const path = values
    .map(([at, value], index) =>
      value === null
        ? ''
        : `${index === 0 || values[index - 1]?.[1] === null ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join('')
  const bars = barsHeight(qualityMarks)
  const at = Math.min(width, Math.max(0, x(mark)))
  return (
    <svg
      className="sparkline"
      viewBox={`0 ${-bars} ${width} ${height + bars}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <QualityBars qualityMarks={qualityMarks} x={x} />
      <path className="mark" d={`M${at.toFixed(1)} 0V${height}`} />
      <path d={path} />
    </svg>
  )
}
