import { sparkPicture } from './spark-picture.ts'
import './charts.css'

const size = { width: 128, height: 28 }

/** The days of a finding in one line of a list: its baseline as a band, the limit dashed, and where it stands now. */
export function Spark({
  values,
  limit,
  baseline,
  spread,
  label,
}: {
  /** A day each, the oldest first; null: the day is not known. */
  values: readonly (number | null)[]
  limit: number | null
  baseline: number | null
  spread: number | null
  label: string
}) {
  const { path, limitY, band, end } = sparkPicture({ values, limit, baseline, spread }, size)
  return (
    <svg className="warning-spark" viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label} {...size}>
      {band && <rect className="band" x={0} y={band.top} width={size.width} height={band.height} />}
      {limitY !== null && <path className="limit" d={`M0 ${limitY}H${size.width}`} />}
      <path className="value" d={path} />
      {end && <circle className="end" cx={end.x} cy={end.y} r={2.5} />}
    </svg>
  )
}
