import { clockMinute } from '../../../ui/format.ts'
import { Picture, ValueAxis } from './axes.tsx'
import './charts.css'
import { RaisedAt } from './leakage-chart.tsx'
import { brokenPath, scaleUpTo } from './scale.ts'

const height = 124
/** Half as wide as a day and time are written. */
const halfLabel = 36
const margin = { left: 30, right: 12, top: 20, bottom: 22 }

export interface HourFact {
  /** Unix ms. */
  readonly at: number
  readonly value: number | null
  /** Median of the hours alike; null: there are too few. */
  readonly usual: number | null
}

/** Hours around the time when it was raised, beside what hours alike usually have. */
export function HourlyChart({
  label,
  unit,
  hours,
  raisedAt,
}: {
  label: string
  unit: string
  hours: readonly HourFact[]
  raisedAt: number
}) {
  return (
    <Picture label={label} height={height}>
      {(width) => <HourlyPicture unit={unit} hours={hours} raisedAt={raisedAt} width={width} />}
    </Picture>
  )
}

function HourlyPicture({
  unit,
  hours,
  raisedAt,
  width,
}: {
  unit: string
  hours: readonly HourFact[]
  raisedAt: number
  width: number
}) {
  const [left, right, bottom] = [margin.left, width - margin.right, height - margin.bottom]
  const [from, to] = [hours[0]?.at ?? 0, hours.at(-1)?.at ?? 1]
  const x = (at: number) => left + ((at - from) / Math.max(1, to - from)) * (right - left)
  const known = hours.flatMap(({ value, usual }) => [value, usual].filter((each) => each !== null))
  const y = scaleUpTo(Math.max(1e-6, ...known) * 1.05, bottom, margin.top, 3)
  const path = (of: (hour: HourFact) => number | null) =>
    brokenPath(
      hours,
      ({ at }) => x(at),
      (hour) => {
        const value = of(hour)
        return value === null ? null : y.at(value)
      },
    )
  const written = hours.filter(
    (_, index) => index % Math.max(1, Math.ceil(hours.length / Math.max(2, (right - left) / 110))) === 0,
  )
  return (
    <>
      <text x={0} y={12}>
        {unit}
      </text>
      <ValueAxis scale={y} left={left} right={right} />
      <path className="expected" d={path(({ usual }) => usual)} />
      <path className="value" d={path(({ value }) => value)} />
      {raisedAt >= from && raisedAt <= to && <RaisedAt x={x(raisedAt)} top={margin.top} bottom={bottom} />}
      {written.map(({ at }, index) => (
        <text
          key={at}
          x={x(at)}
          y={bottom + 16}
          textAnchor={index === 0 ? 'start' : x(at) > right - halfLabel ? 'end' : 'middle'}
        >
          {clockMinute(at, 0)}
        </text>
      ))}
    </>
  )
}
