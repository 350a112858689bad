import type { BudgetCourse } from '@linewarden/contract'
import { useRef } from 'react'
import { useWidth } from '../../ui/use-width.ts'
import { shownValue, valueText } from './budget-values.ts'
import { grouped, scaleOf } from './figures.ts'

const height = 240
const margin = { top: 12, right: 8, bottom: 24, left: 64 }
const labelWidth = 72

/** What was used day by day, what is expected and within what, and the budget as a line over it. */
export function BudgetChart({ course, label, unit }: { course: BudgetCourse; label: string; unit: string }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  return (
    <div className="energy-chart" ref={box}>
      {width > 0 && <Drawn course={course} label={label} unit={unit} width={width} />}
    </div>
  )
}

function Drawn({ course, label, unit, width }: { course: BudgetCourse; label: string; unit: string; width: number }) {
  const { Days, Budget, Expected } = course
  const most = Math.max(Budget.Amount, ...Days.map(({ High, Used }) => Math.max(Expected ? High : 0, Used ?? 0)))
  const { top, step } = scaleOf(shownValue(course, most))
  const inner = { width: Math.max(1, width - margin.left - margin.right), height: height - margin.top - margin.bottom }
  const y = (value: number) => margin.top + inner.height * (1 - shownValue(course, value) / top)
  const x = (index: number) => margin.left + (inner.width * (index + 1)) / Math.max(1, Days.length)
  const path = (points: readonly (readonly [number, number])[]) =>
    points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${px} ${py}`).join('')
  const used = Days.flatMap(({ Used }, index) => (Used === null ? [] : [[x(index), y(Used)] as const]))
  const from = Math.max(0, used.length - 1)
  const ahead = Days.slice(from)
  const band = Expected
    ? `${path(ahead.map(({ High }, index) => [x(from + index), y(High)]))}${ahead
        .map(({ Low }, index) => [x(from + index), y(Low)] as const)
        .toReversed()
        .map(([px, py]) => `L${px} ${py}`)
        .join('')}Z`
    : null
  const steps = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  const every = Math.max(1, Math.ceil((labelWidth * Days.length) / inner.width))
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <text className="energy-axis" x={margin.left - 8} y={margin.top - 2} textAnchor="end">
        {unit}
      </text>
      {steps.map((value) => {
        const at = margin.top + inner.height * (1 - value / top)
        return (
          <g key={value}>
            <path className="energy-grid" d={`M${margin.left} ${at}H${width - margin.right}`} />
            {value < top && (
              <text className="energy-axis" x={margin.left - 8} y={at + 4} textAnchor="end">
                {grouped(value, step < 1 ? 2 : 0)}
              </text>
            )}
          </g>
        )
      })}
      {band && <path className="budget-band" d={band} />}
      {Expected && <path className="budget-expected" d={path(ahead.map(({ Mid }, index) => [x(from + index), y(Mid)]))} />}
      <path className="budget-line" d={`M${margin.left} ${y(Budget.Amount)}H${width - margin.right}`}>
        <title>{valueText(course, Budget.Amount)}</title>
      </path>
      <path className="budget-used" d={path([[margin.left, y(0)], ...used])} />
      {Days.map(
        ({ Date: date }, index) =>
          index % every === 0 && (
            <text
              key={date}
              className="energy-axis"
              x={x(index)}
              y={height - 6}
              textAnchor={index === Days.length - 1 ? 'end' : 'middle'}
            >
              {date.slice(5)}
            </text>
          ),
      )}
    </svg>
  )
}
