import { figure } from '../../../ui/format.ts'
import { LimitLine, Picture, ValueAxis } from './axes.tsx'
import './charts.css'
import { brokenPath, dayText } from './scale.ts'
import type { TrendFacts } from './trend-picture.ts'
import { trendPicture } from './trend-picture.ts'

const height = 164

/** A value from day to day, its limits, and when it will reach them: the fan is the interval of 90 %. */
export function TrendChart({ facts, label, when }: { facts: TrendFacts; label: string; when: string | null }) {
  return (
    <Picture label={label} height={height}>
      {(width) => <TrendPicture facts={facts} width={width} when={when} />}
    </Picture>
  )
}

function TrendPicture({ facts, width, when }: { facts: TrendFacts; width: number; when: string | null }) {
  const { days, unit, limits, baseline, spread } = facts
  const { left, right, top, bottom, x, y, today, fan, dates, future } = trendPicture(facts, width, height)
  const half = spread ?? 0
  return (
    <>
      <text x={0} y={12}>
        {unit}
      </text>
      <ValueAxis scale={y} left={left} right={right} />
      {baseline !== null && (
        <rect
          className="band"
          x={left}
          y={y.at(baseline + half)}
          width={Math.max(0, today.x - left)}
          height={Math.max(2, y.at(Math.max(0, baseline - half)) - y.at(baseline + half))}
        />
      )}
      {limits.map(({ kind, value }) => (
        <LimitLine
          key={`${kind} ${value}`}
          kind={kind}
          y={y.at(value)}
          left={left}
          right={right}
          names={[`${figure(value, value < 10 ? 1 : 0)} ${unit}`]}
        />
      ))}
      {fan && (
        <>
          <path
            className="band"
            d={`M${today.x} ${today.y}L${fan.lo.x} ${fan.lo.y}${fan.lo.isReached ? `L${fan.hi.x} ${fan.limitY}` : ''}L${fan.hi.x} ${fan.hi.y}Z`}
          />
          <path className="expected" d={`M${today.x} ${today.y}L${fan.mid.x} ${fan.mid.y}`} />
          {[fan.lo, fan.hi].map(
            (end) => end.isReached && <path key={end.x} className="usual" d={`M${end.x} ${fan.limitY - 4}v8`} />,
          )}
          {when && (
            <text
              className="strong ground"
              x={Math.min(right - 4, (fan.lo.x + fan.hi.x) / 2)}
              y={fan.limitY - 8}
              textAnchor="middle"
            >
              {when}
            </text>
          )}
        </>
      )}
      <path
        className="value"
        d={brokenPath(
          days,
          ({ day }) => x.at(day),
          // What lies below zero is noise about it.
          ({ value }) => (value === null ? null : y.at(Math.max(0, value))),
        )}
      />
      {days.map(
        ({ day, value }, index) =>
          value !== null &&
          days[index - 1]?.value == null &&
          days[index + 1]?.value == null && <circle key={day} className="day" cx={x.at(day)} cy={y.at(value)} r={2} />,
      )}
      {future > 0 && <path className="today" d={`M${today.x} ${top}V${bottom}`} />}
      {dates.map((day) => (
        <text key={day} x={x.at(day)} y={bottom + 16} textAnchor="middle">
          {dayText(day)}
        </text>
      ))}
      {future > 0 && right - today.x > 96 && (
        <text x={right} y={bottom + 16} textAnchor="end">
          {dayText(today.day + future)}
        </text>
      )}
    </>
  )
}
