import type { LineState } from '@linewarden/contract'
import type { KeyboardEvent } from 'react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLiveLink } from '../../app/live-link.ts'
import { figure, span } from '../../ui/format.ts'
import { ResidualBar } from '../../ui/residual-bar.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ValueCell } from '../../ui/value-cell.tsx'
import type { ColumnGroup } from './columns.ts'
import type { PlacedLine } from './equipment.ts'
import type { LineCondition } from './line-condition.ts'
import { conditionOf, pointSeverity, severityOf } from './line-condition.ts'
import { live, useLine, useLink } from './live-store.ts'
import { moveAmongRows } from './move-among-rows.ts'
import { StateWord } from './state-word.tsx'

interface RowProps {
  readonly placed: PlacedLine
  readonly groups: readonly ColumnGroup[]
  /** Whether the row says which gateway it belongs to. */
  readonly named: boolean
  readonly chosen: boolean
  readonly narrow: boolean
  readonly onOpen: (placed: PlacedLine) => void
}

/** One line. */
export const LineRow = memo(function LineRow({ placed, groups, named, chosen, narrow, onOpen }: RowProps) {
  const { line, gateway, family } = placed
  const state = useLine(line.LineID)
  const link = useLink(gateway.DeviceID)?.Link
  // Without the server nothing here is known to be true any more: it is the last known, and looks so.
  const connected = useLiveLink(({ link: server, everOpen }) => server === 'open' || !everOpen)
  const condition = conditionOf(state, link, family)
  const severity = severityOf(state)
  const open = () => onOpen(placed)
  const byKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter') open()
    else moveAmongRows(event)
  }
  const className = ['trow', 'line', severity ?? '', chosen ? 'chosen' : '', link === 'online' && connected ? '' : 'stale'].join(
    ' ',
  )
  const body = narrow ? (
    <Card placed={placed} state={state} condition={condition} named={named} />
  ) : family?.level === 'device' ? (
    <DeviceCells placed={placed} state={state} condition={condition} named={named} />
  ) : (
    <Cells placed={placed} state={state} condition={condition} named={named} groups={groups} />
  )
  return (
    <div className={className} role="row" aria-label={line.LineName} tabIndex={0} onClick={open} onKeyDown={byKey}>
      {body}
      {!narrow && (
        <span role="cell" className="num edge">
          <Age state={state} current={link === 'online' && connected} />
        </span>
      )}
    </div>
  )
})

interface CellsProps {
  readonly placed: PlacedLine
  readonly state: LineState | undefined
  readonly condition: LineCondition
  readonly named: boolean
}

function NameCells({ placed, condition, named }: CellsProps) {
  const { line, gateway } = placed
  return (
    <>
      <span role="cell" className="name" title={line.LineName}>
        <span className="no">{line.LineNo === 0 ? '' : line.LineNo}</span>
        {line.LineName}
        {named && <span className="mute"> {gateway.GatewayName}</span>}
      </span>
      <span role="cell">
        <StateWord condition={condition} />
      </span>
    </>
  )
}

function Cells(props: CellsProps & { groups: readonly ColumnGroup[] }) {
  const { placed, state, groups } = props
  return (
    <>
      <NameCells {...props} />
      {groups.flatMap(({ columns }) =>
        columns.map(({ key }, at) => {
          const index = placed.family?.points.findIndex((point) => point.key === key) ?? -1
          const point = placed.family?.points[index]
          const edge = at === 0 ? 'num edge' : 'num'
          // A phase the line does not have is an empty cell; a phase that said nothing is a dash.
          if (!point) return <span key={key} role="cell" className={edge} />
          const value = state?.Values[index] ?? null
          const severity = pointSeverity(state, key)
          return (
            <span key={key} role="cell" className={edge}>
              {key === 'residual' ? (
                <ResidualBar valueMa={value} tripMa={placed.line.LeakageTripMa} severity={severity} />
              ) : (
                <ValueCell text={figure(value, point.precision)} severity={severity} />
              )}
            </span>
          )
        }),
      )}
    </>
  )
}

/** A detector has other points than a line: they stand in words, in the width of the phases. */
function DeviceCells(props: CellsProps) {
  const { placed, state } = props
  return (
    <>
      <NameCells {...props} />
      <span role="cell" className="wide edge">
        <Points placed={placed} state={state} />
      </span>
    </>
  )
}

function Points({ placed, state }: { placed: PlacedLine; state: LineState | undefined }) {
  const { i18n } = useTranslation()
  const english = i18n.language === 'en-US'
  return (placed.family?.points ?? []).map((point, index) => (
    <span key={point.key} className="point">
      <span className="mute">{english ? point.label.en : point.label.zh}</span>
      <ValueCell text={figure(state?.Values[index], point.precision)} severity={pointSeverity(state, point.key)} />
      <span className="unit">{point.unit}</span>
    </span>
  ))
}

/** A line on a phone: its name and state, then the figures that matter. */
function Card({ placed, state, condition, named }: CellsProps) {
  const { line, family, gateway } = placed
  const { i18n } = useTranslation()
  const english = i18n.language === 'en-US'
  const wanted =
    family?.level === 'device'
      ? family.points
      : (family?.points.filter(({ key }) =>
          ['current.a', 'voltage.a', 'power.total', 'residual', 'temperature.a'].includes(key),
        ) ?? [])
  return (
    <span role="cell" className="card">
      <span className="card-head">
        <b title={line.LineName}>{line.LineName}</b>
        {named && <span className="mute">{gateway.GatewayName}</span>}
        <StateWord condition={condition} />
        <span className="grow" />
        <Age state={state} current={live.link(gateway.DeviceID)?.Link === 'online'} />
      </span>
      <span className="card-points">
        {wanted.map((point) => (
          <span key={point.key} className="point">
            <span className="mute">{english ? point.label.en : point.label.zh}</span>
            <span>
              <ValueCell
                text={figure(state?.Values[family?.points.indexOf(point) ?? -1], point.precision)}
                severity={pointSeverity(state, point.key)}
              />
              <span className="unit">{point.unit}</span>
            </span>
          </span>
        ))}
      </span>
    </span>
  )
}

/** How old the newest values are; its quality stands to the left of it. */
function Age({ state, current }: { state: LineState | undefined; current: boolean }) {
  const { t } = useTranslation('monitor')
  const now = useNow()
  if (!state?.ReceivedAt) return <span className="mute">–</span>
  return (
    <span className="age">
      {!current && <i className="quality">{t('staleMark')}</i>}
      {state.Quality === 'clock' && <i className="quality">{t('clockMark')}</i>}
      <span className="mute">{span(now - state.ReceivedAt)}</span>
    </span>
  )
}
