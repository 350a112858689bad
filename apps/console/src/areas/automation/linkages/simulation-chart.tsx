import type { LinkageSimulation } from '@linewarden/contract'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { dayTime } from '../../../ui/format.ts'
import { useWidth } from '../../../ui/use-width.ts'
import type { Lane, LaneSubject, SimulationPicture } from './simulation-picture.ts'
import { simulationPicture, sizes } from './simulation-picture.ts'
import './simulation.css'

const radius = 5

/** One lane a condition, the limit dashed; full discs where it would have fired, rings where that was suppressed, each hairline through all lanes. */
export function SimulationChart({
  simulation,
  subjects,
  timeZone,
}: {
  simulation: LinkageSimulation
  subjects: readonly LaneSubject[]
  timeZone: string
}) {
  const { t } = useTranslation('linkages')
  const ref = useRef<HTMLDivElement>(null)
  const width = useWidth(ref)
  const picture = simulationPicture(simulation, subjects, width, timeZone)
  const label = t('pictureOf', {
    ...{ from: dayTime(simulation.From), to: dayTime(simulation.To) },
    ...{ fired: picture.fired.marks.length, suppressed: picture.suppressed.marks.length },
  })
  return (
    <div className="simulation-chart" ref={ref} style={{ height: picture.height }}>
      {width > 0 && (
        <svg width={width} height={picture.height} role="img" aria-label={label}>
          <Drawing picture={picture} />
        </svg>
      )}
    </div>
  )
}

function Drawing({ picture: { left, right, height, lanes, fired, suppressed, days } }: { picture: SimulationPicture }) {
  const { t } = useTranslation('linkages')
  const hatch = useId()
  const bottom = height - sizes.dates
  return (
    <>
      <defs>
        <pattern id={hatch} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className="hatch" d="M0 0V6" />
        </pattern>
      </defs>
      {days.map(({ x, text }) => (
        <g key={text}>
          <path className="grid" d={`M${x} 0V${bottom}`} />
          <text x={x} y={height - 4} textAnchor="middle">
            {text}
          </text>
        </g>
      ))}
      {lanes.map((lane) => (
        <LaneDrawing key={lane.top} lane={lane} left={left} right={right} hatch={hatch} />
      ))}
      <text x={0} y={fired.y + 4}>
        {t('laneFired')}
      </text>
      <text x={0} y={suppressed.y + 4}>
        {t('laneSuppressed')}
      </text>
      <path className="grid" d={`M${left} ${suppressed.y - sizes.marks / 2}H${right}M${left} ${bottom}H${right}`} />
      {fired.marks.map(({ at, x }) => (
        <g key={at}>
          <path className="hairline" d={`M${x} 0V${fired.y}`} />
          <circle className="fired" cx={x} cy={fired.y} r={radius} />
        </g>
      ))}
      {suppressed.marks.map(({ at, x, outcome }) => (
        <circle key={at} className="ring" cx={x} cy={suppressed.y} r={radius - 0.75}>
          <title>{t(`outcomes.${outcome}`)}</title>
        </circle>
      ))}
    </>
  )
}

function LaneDrawing({ lane, left, right, hatch }: { lane: Lane; left: number; right: number; hatch: string }) {
  const { name, top, bottom, curve, bands, limit, gaps } = lane
  const middle = (top + bottom) / 2
  return (
    <g>
      {gaps.map(({ x, width }) => (
        <g key={x}>
          <rect className="gap" x={x} y={top} width={width} height={bottom - top} />
          <rect fill={`url(#${hatch})`} x={x} y={top} width={width} height={bottom - top} />
        </g>
      ))}
      {bands.map(({ x, width }) => (
        <rect key={x} className="band" x={x} y={top + sizes.pad} width={width} height={bottom - top - 2 * sizes.pad} />
      ))}
      {curve !== '' && <path className="curve" d={curve} />}
      {limit && (
        <>
          <path className="limit" d={`M${left} ${limit.y}H${right}`} />
          <text className="limit-word" x={left - 6} y={limit.y + 4} textAnchor="end">
            {limit.value}
          </text>
        </>
      )}
      <path className="grid" d={`M${left} ${bottom}H${right}`} />
      <foreignObject x={0} y={limit && Math.abs(limit.y - middle) < 14 ? top : middle - 9} width={left - 8} height={18}>
        <div className="lane-name" title={name}>
          <bdi>{name}</bdi>
        </div>
      </foreignObject>
    </g>
  )
}
