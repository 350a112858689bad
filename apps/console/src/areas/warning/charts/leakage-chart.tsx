import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { figure } from '../../../ui/format.ts'
import { shapes } from '../../../ui/mark.tsx'
import { LimitLine, Picture, ValueAxis } from './axes.tsx'
import './charts.css'
import type { LeakageFacts } from './leakage-picture.ts'
import { leakagePicture, leakageShares } from './leakage-picture.ts'
import { brokenPath, dayText } from './scale.ts'

const height = 280
/** The newest days, which no baseline is made of. */
const recentDays = 7

/** The daily floors of a line against what they were made to be compared with, and against what its device trips at. */
export function LeakageChart({ facts, nameOf }: { facts: LeakageFacts; nameOf: (reason: string) => string }) {
  const { t } = useTranslation('warning')
  return (
    <Picture label={t('leakageFloors')} height={height}>
      {(width) => <LeakagePicture facts={facts} nameOf={nameOf} width={width} />}
    </Picture>
  )
}

function LeakagePicture({ facts, nameOf, width }: { facts: LeakageFacts; nameOf: (reason: string) => string; width: number }) {
  const hatch = useId()
  const { days, tripMa, baseline, raisedDay, presentMa } = facts
  const { left, right, top, bottom, x, y, excluded, dates } = leakagePicture(facts, width, height, nameOf)
  const last = days.at(-1)?.day ?? 0
  const change = baseline && presentMa - baseline.ma
  return (
    <>
      <Hatch id={hatch} />
      <text x={0} y={13}>
        mA
      </text>
      <ValueAxis scale={y} left={left} right={right} />
      {excluded.map((each) => (
        <g key={each.from}>
          <rect className="excluded" x={each.start} y={top} width={each.width} height={bottom - top} />
          <rect fill={`url(#${hatch})`} x={each.start} y={top} width={each.width} height={bottom - top} />
          {each.name && (
            <text x={each.middle} y={top - 6} textAnchor="middle">
              {each.name}
            </text>
          )}
        </g>
      ))}
      {baseline && <Baseline {...{ baseline, facts, left, right, bottom, x, y }} />}
      {(['warning', 'alarm'] as const).map((kind) => (
        <LimitLine
          key={kind}
          kind={kind}
          y={y.at(leakageShares[kind] * tripMa)}
          left={left}
          right={right}
          names={[`${leakageShares[kind]} IΔn`, `${figure(leakageShares[kind] * tripMa, 1)} mA`]}
        />
      ))}
      <path
        className="value"
        d={brokenPath(
          days,
          ({ day }) => x.at(day),
          ({ floorMa }) => (floorMa === null ? null : y.at(floorMa)),
        )}
      />
      {days.map(
        ({ day, floorMa }) =>
          floorMa !== null && (
            <circle
              key={day}
              className={day > last - recentDays ? 'day recent' : 'day'}
              cx={x.at(day)}
              cy={y.at(floorMa)}
              r={day > last - recentDays ? 2.5 : 1.8}
            />
          ),
      )}
      {raisedDay !== null && raisedDay >= (days[0]?.day ?? 0) && (
        // The night that raised it looked at the day before.
        <RaisedAt x={x.at(Math.min(raisedDay, last))} top={top} bottom={bottom} />
      )}
      {baseline && change !== null && Math.abs(y.at(baseline.ma) - y.at(presentMa)) > 8 && (
        <Change x={x.at(last - 3) - x.width / 2} from={y.at(baseline.ma)} to={y.at(presentMa)} text={`${signed(change)} mA`} />
      )}
      {dates.map((day) => (
        <text key={day} x={x.at(day)} y={bottom + 16} textAnchor="middle">
          {dayText(day)}
        </text>
      ))}
    </>
  )
}

type Placed = Pick<ReturnType<typeof leakagePicture>, 'left' | 'right' | 'bottom' | 'x' | 'y'>

/** Solid over the days that it was made of, dashed beyond; its spread is a band. */
function Baseline({
  baseline,
  facts,
  left,
  right,
  bottom,
  x,
  y,
}: Placed & { baseline: NonNullable<LeakageFacts['baseline']>; facts: LeakageFacts }) {
  const { t } = useTranslation('warning')
  const { from, to, ma, spreadMa } = baseline
  const start = Math.max(left, x.at(from) - x.width / 2)
  const end = Math.min(right, x.at(to) + x.width / 2)
  const counted = facts.days.filter(({ day, floorMa }) => floorMa !== null && day >= from && day <= to).length
  const [high, low] = [y.at(ma + spreadMa), y.at(Math.max(0, ma - spreadMa))]
  return (
    <>
      <rect className="band" x={start} y={high} width={Math.max(0, end - start)} height={Math.max(2, low - high)} />
      <path className="baseline" d={`M${start} ${y.at(ma)}H${end}`} />
      <path className="expected" d={`M${end} ${y.at(ma)}H${right}`} />
      <path className="span" d={`M${start} ${bottom + 22}H${end - 2}`} />
      <text x={(start + end) / 2} y={bottom + 37} textAnchor="middle">
        {t('baselineDays', { count: counted, value: figure(ma, 1) })}
      </text>
    </>
  )
}

/** The day on which it was raised. */
export function RaisedAt({ x, top, bottom }: { x: number; top: number; bottom: number }) {
  return (
    <>
      <path className="raised-at" d={`M${x} ${top - 2}V${bottom}`} />
      <path
        className="mark-at"
        fillRule="evenodd"
        d={shapes.warning}
        transform={`translate(${x - 6} ${top - 16}) scale(0.857)`}
      />
    </>
  )
}

/** By how much it differs, as a measure beside the days. */
function Change({ x, from, to, text }: { x: number; from: number; to: number; text: string }) {
  return (
    <>
      <path className="bracket" d={`M${x - 4} ${to}h8M${x - 4} ${from}h8M${x} ${from}V${to}`} />
      <text className="strong ground" x={x - 8} y={(from + to) / 2 + 4} textAnchor="end">
        {text}
      </text>
    </>
  )
}

/** Diagonal lines, as everything that is not known is drawn. */
export const Hatch = ({ id }: { id: string }) => (
  <defs>
    <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <path className="hatch-line" d="M0 0V6" />
    </pattern>
  </defs>
)

export const signed = (value: number, precision = 1): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${figure(Math.abs(value), precision)}`
