import type { LineState } from '@linewarden/contract'
import type { Family, Quantity } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { Age } from '../../plant/age.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import type { LineCondition } from '../../plant/line-condition.ts'
import { pointSeverity, severityOf } from '../../plant/line-condition.ts'
import { StateWord } from '../../plant/state-word.tsx'
import { TagMark } from '../../plant/tag-mark.tsx'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { ResidualBar } from '../../ui/residual-bar.tsx'
import { ValueCell } from '../../ui/value-cell.tsx'

export interface CardProps {
  readonly lineRef: LineRef
  readonly state: LineState | undefined
  readonly condition: LineCondition
  /** Whether it says which gateway it belongs to. */
  readonly named: boolean
  /** Whether what it shows is true now. */
  readonly current: boolean
}

/** A line as a card: how it stands and why, then the figures that matter of those its family has. */
export function LineCard({ lineRef, state, condition, named, current }: CardProps) {
  const { line, family, gateway } = lineRef
  return (
    <span role="cell" className="card" data-phases={lineRef.project.Standard === 'IEC' ? 'iec' : undefined}>
      <span className="card-head">
        <StateWord condition={condition} />
        <b title={line.LineName}>
          <bdi>{line.LineName}</bdi>
        </b>
        <TagMark count={state?.Tags ?? 0} />
        {named && <bdi className="mute place">{gateway.GatewayName}</bdi>}
        <span className="grow" />
        <Age state={state} current={current} />
      </span>
      <Worst family={family} state={state} />
      {family && <Phases family={family} state={state} quantity="current" />}
      {family && <Phases family={family} state={state} quantity="voltage" />}
      <span className="card-line">
        {family?.points.some(({ key }) => key === 'residual') && <Residual lineRef={lineRef} state={state} />}
        {family && <Hottest family={family} state={state} />}
        {family && <Total family={family} state={state} />}
      </span>
    </span>
  )
}

/** What is wrong, in the family's own words. */
export function Worst({ family, state }: { family: Family | null; state: LineState | undefined }) {
  const severity = severityOf(state)
  if (!severity) return null
  const worst = state?.Active.find(({ Kind }) => Kind === severity)
  const label = family?.alarms.find(({ key }) => key === worst?.Key)?.label
  return (
    <span className={`card-worst ${severity}`}>
      <Mark kind={severity} />
      {label ? localised(label) : worst?.Key}
      {(state?.Active.length ?? 0) > 1 && <span className="mute">+{(state?.Active.length ?? 1) - 1}</span>}
    </span>
  )
}

/** One quantity, phase by phase. */
function Phases({
  family,
  state,
  quantity,
}: {
  family: Family
  state: LineState | undefined
  quantity: (Quantity & 'current') | 'voltage'
}) {
  const { t } = useTranslation('monitor')
  const points = family.points.map((point, index) => ({ point, index })).filter(({ point }) => point.quantity === quantity)
  if (points.length === 0) return null
  return (
    <span className="card-phases">
      <span className="mute">
        {t(quantity)} <i className="unit">{points[0]?.point.unit}</i>
      </span>
      {points.map(({ point, index }) => (
        <span key={point.key}>
          {points.length > 1 && <i className={`phase ${point.phase?.toLowerCase() ?? ''}`}>{point.phase}</i>}
          <ValueCell text={figure(state?.Values[index], point.precision)} severity={pointSeverity(state, point.key)} />
        </span>
      ))}
    </span>
  )
}

function Residual({ lineRef: { line, family }, state }: { lineRef: LineRef; state: LineState | undefined }) {
  const { t } = useTranslation('monitor')
  const index = family?.points.findIndex(({ key }) => key === 'residual') ?? -1
  return (
    <span>
      <span className="mute">{t('residual')}</span>
      <ResidualBar
        valueMa={state?.Values[index] ?? null}
        tripMa={line.LeakageTripMa}
        severity={pointSeverity(state, 'residual')}
      />
      <span className="unit">mA</span>
    </span>
  )
}

/** The hottest of its temperatures. */
function Hottest({ family, state }: { family: Family; state: LineState | undefined }) {
  const { t } = useTranslation('monitor')
  const points = family.points
    .map((point, index) => ({ point, value: state?.Values[index] ?? null }))
    .filter(({ point }) => point.quantity === 'temperature')
  const hottest = points.toSorted((a, b) => (b.value ?? -1e9) - (a.value ?? -1e9))[0]
  if (!hottest) return null
  return (
    <span>
      <span className="mute">{points.length > 1 ? t('hottest') : t('temperature')}</span>
      <ValueCell text={figure(hottest.value, hottest.point.precision)} severity={pointSeverity(state, hottest.point.key)} />
      <span className="unit">{hottest.point.unit}</span>
    </span>
  )
}

function Total({ family, state }: { family: Family; state: LineState | undefined }) {
  const { t } = useTranslation('monitor')
  const index = family.points.findIndex(({ key }) => key === 'power.total')
  const point = family.points[index]
  if (!point) return null
  return (
    <span>
      <span className="mute">{t('power')}</span>
      <ValueCell text={figure(state?.Values[index], point.precision)} severity={pointSeverity(state, point.key)} />
      <span className="unit">{point.unit}</span>
    </span>
  )
}
