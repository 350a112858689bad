import type { Evidence } from '@linewarden/contract'
import type { AlarmKind, Phase } from '@linewarden/equipment'
import { quantityLabels } from '@linewarden/equipment'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { clockTime, figure } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { shapes } from '../../../ui/mark.tsx'
import { useWidth } from '../../../ui/use-width.ts'
import type { Panel } from './panels.ts'
import { pathOf } from './panels.ts'

const [left, right, top, bottom] = [44, 8, 16, 6]
/** Lines closer than this have their names on either side. */
const textHeight = 13
const plot = 92
const axis = 18

const phaseClass: Readonly<Record<Phase, string>> = { A: 'phase-a', B: 'phase-b', C: 'phase-c', N: 'phase-n' }

/** The panels below each other on one time axis: two minutes, the alarm in the middle, hatched where nothing was reported. */
export function EvidenceChart({
  evidence,
  gaps,
  panels,
  kind,
}: {
  evidence: Pick<Evidence, 'At' | 'From' | 'To'>
  gaps: readonly (readonly [number, number])[]
  panels: readonly Panel[]
  kind: AlarmKind
}) {
  const box = useRef<HTMLDivElement>(null)
  const width = Math.max(240, useWidth(box))
  const inner = width - left - right
  const x = (at: number) => left + ((at - evidence.From) / (evidence.To - evidence.From)) * inner
  return (
    <div className="evidence-chart" ref={box}>
      {panels.map((panel, index) => (
        <PanelDrawn
          key={panel.quantity}
          panel={panel}
          at={evidence.At}
          gaps={gaps}
          kind={kind}
          x={x}
          width={width}
          isLast={index === panels.length - 1}
        />
      ))}
    </div>
  )
}

function PanelDrawn({
  panel,
  at,
  gaps,
  kind,
  x,
  width,
  isLast,
}: {
  panel: Panel
  at: number
  gaps: readonly (readonly [number, number])[]
  kind: AlarmKind
  x: (at: number) => number
  width: number
  isLast: boolean
}) {
  const { t } = useTranslation('alarmEvidence')
  const hatch = useId()
  const { low, high, unit, precision, traces, levels, quantity } = panel
  const y = (value: number) => top + plot - ((value - low) / (high - low || 1)) * plot
  const height = top + plot + bottom + (isLast ? axis : 0)
  const middle = (low + high) / 2
  const falling = levels.toSorted((a, b) => b.Value - a.Value)
  const isClose = (index: number) => index > 0 && y(falling[index]?.Value ?? 0) - y(falling[index - 1]?.Value ?? 0) < textHeight
  const what = localised(quantityLabels[quantity])
  return (
    <figure>
      <figcaption>
        <b>{what}</b> <span className="unit">{unit}</span>
        <span className="grow" />
        {traces.length > 1 &&
          traces.map(({ point }) => (
            <span key={point.key} className={`key ${point.phase ? phaseClass[point.phase] : ''}`}>
              <i />
              {point.phase ?? localised(point.label)}
            </span>
          ))}
      </figcaption>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('chart', { what })}>
        <defs>
          <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path className="hatch" d="M0 0V6" />
          </pattern>
        </defs>
        {[low, middle, high].map((value) => (
          <g key={value}>
            <path className="grid" d={`M${left} ${y(value)}H${width - right}`} />
            <text x={left - 6} y={y(value) + 4} textAnchor="end">
              {figure(value, high - low < 10 ? Math.max(1, Math.min(precision, 2)) : 0)}
            </text>
          </g>
        ))}
        {gaps.map(([from, to]) => (
          <rect key={from} x={x(from)} y={top} width={Math.max(0, x(to) - x(from))} height={plot} fill={`url(#${hatch})`}>
            <title>{t('gap')}</title>
          </rect>
        ))}
        {falling.map(({ Key, Label, Kind, Value }, index) => (
          <g key={Key} className={`level ${Kind}`}>
            <path d={`M${left} ${y(Value)}H${width - right}`} />
            <text x={width - right} y={y(Value) + (isClose(index) ? 11 : -3)} textAnchor="end">
              {t('limit', { label: localised(Label), value: Number(Value.toFixed(2)), unit })}
            </text>
          </g>
        ))}
        <g className={`event ${kind}`}>
          <path d={`M${x(at)} ${top}V${top + plot}`} />
          <path className="sign" fillRule="evenodd" d={shapes[kind]} transform={`translate(${x(at) - 6} 1) scale(0.857)`} />
        </g>
        {traces.map((trace) => (
          <path
            key={trace.point.key}
            className={`trace ${trace.point.phase ? phaseClass[trace.point.phase] : ''}`}
            d={pathOf(
              trace,
              gaps.map(([from, to]) => [from, to]),
              { x, y },
            )}
          />
        ))}
        {isLast && (
          <g>
            <text x={x(at - 60_000)} y={height - 4}>
              −60 s
            </text>
            <text x={x(at)} y={height - 4} textAnchor="middle">
              {clockTime(at)}
            </text>
            <text x={x(at + 60_000)} y={height - 4} textAnchor="end">
              +60 s
            </text>
          </g>
        )}
      </svg>
    </figure>
  )
}
