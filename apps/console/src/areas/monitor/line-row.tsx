import type { LineState } from '@linewarden/contract'
import type { KeyboardEvent } from 'react'
import { memo } from 'react'
import { useConnected } from '../../app/net/live-link.ts'
import { Age } from '../../plant/age.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import type { LineCondition } from '../../plant/line-condition.ts'
import { conditionOf, conditionWord, pointSeverity, severityOf } from '../../plant/line-condition.ts'
import { useDeviceLink, useLine } from '../../plant/live-store.ts'
import { useIsOld } from '../../plant/old-values.ts'
import { StateValue } from '../../plant/state-value.tsx'
import { StateWord } from '../../plant/state-word.tsx'
import { TagMark } from '../../plant/tag-mark.tsx'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { ResidualBar } from '../../ui/residual-bar.tsx'
import { ValueCell } from '../../ui/value-cell.tsx'
import { detectorPoints } from '../equipment/detector-points.ts'
import type { ColumnGroup } from './columns.ts'
import { DetectorTile } from './detector-tile.tsx'
import { LevelBar } from './level-bar.tsx'
import { LineCard } from './line-card.tsx'
import { moveAmongRows } from './move-among-rows.ts'
import type { View } from './view.tsx'

interface RowProps {
  readonly lineRef: LineRef
  readonly groups: readonly ColumnGroup[]
  /** Whether the row says which gateway it belongs to. */
  readonly named: boolean
  readonly chosen: boolean
  readonly view: View
  readonly onOpen: (lineRef: LineRef) => void
}

/** One line, or one detector: a row of the table, or a card. */
export const LineRow = memo(function LineRow({ lineRef, groups, named, chosen, view, onOpen }: RowProps) {
  const { line, device, family } = lineRef
  const state = useLine(line.LineID)
  const link = useDeviceLink(device.ControllerID)?.Link
  const connected = useConnected()
  const condition = conditionOf(state, link, family)
  const severity = severityOf(state)
  const open = () => onOpen(lineRef)
  const byKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter') open()
    else moveAmongRows(event)
  }
  const isOld = useIsOld(line.LineID, family)
  const current = link === 'online' && connected && !isOld
  const className = ['trow', 'line', severity ?? '', chosen ? 'chosen' : '', current ? '' : 'stale'].join(' ')
  const cells = { lineRef, state, condition, named }
  const isDetector = family?.level === 'device'
  const Shown = isDetector ? DetectorTile : LineCard
  const body =
    view === 'cards' ? (
      <Shown {...cells} current={current} />
    ) : isDetector ? (
      <DeviceCells {...cells} />
    ) : (
      <Cells {...cells} groups={groups} />
    )
  return (
    <div className={className} role="row" aria-label={line.LineName} tabIndex={0} onClick={open} onKeyDown={byKey}>
      {body}
      {view === 'table' && (
        <span role="cell" className="num edge">
          <Age state={state} current={current} />
        </span>
      )}
    </div>
  )
})

interface CellsProps {
  readonly lineRef: LineRef
  readonly state: LineState | undefined
  readonly condition: LineCondition
  readonly named: boolean
}

function NameCells({ lineRef, state, condition, named }: CellsProps) {
  const { line, gateway } = lineRef
  const tags = state?.Tags ?? 0
  return (
    <>
      <span role="cell" className={tags > 0 ? 'name tagged' : 'name'} title={line.LineName}>
        <span className="no">{line.LineNo === 0 ? '' : line.LineNo}</span>
        <bdi>{line.LineName}</bdi> <TagMark count={tags} /> {named && <bdi className="mute">{gateway.GatewayName}</bdi>}
      </span>
      <span role="cell">
        <StateWord
          condition={condition}
          switched={lineRef.family?.level !== 'device'}
          word={conditionWord(condition, state, lineRef.family)}
        />
      </span>
    </>
  )
}

function Cells(props: CellsProps & { groups: readonly ColumnGroup[] }) {
  const { lineRef, state, groups } = props
  return (
    <>
      <NameCells {...props} />
      {groups.flatMap(({ columns }) =>
        columns.map(({ key }, at) => {
          const index = lineRef.family?.points.findIndex((point) => point.key === key) ?? -1
          const point = lineRef.family?.points[index]
          const edge = at === 0 ? 'edge' : ''
          // A phase the line does not have is an empty cell; a phase that said nothing is a dash.
          if (!point) return <span key={key} role="cell" className={`plain ${edge}`} />
          const value = state?.Values[index] ?? null
          const severity = pointSeverity(state, key)
          if (key === 'residual')
            return (
              <span key={key} role="cell" className={`num ${edge}`}>
                <ResidualBar valueMa={value} tripMa={lineRef.line.LeakageTripMa} severity={severity} />
              </span>
            )
          const text = figure(value, point.precision)
          // Nearly all cells: no more than their text, for hundreds are laid out and painted with every letter of a search.
          return (
            <span key={key} role="cell" className={`plain ${edge}`}>
              {severity === null ? text : <ValueCell text={text} severity={severity} />}
            </span>
          )
        }),
      )}
    </>
  )
}

/** A detector has other points than a line: they stand in words, in the width of the phases. */
function DeviceCells(props: CellsProps) {
  const { lineRef, state } = props
  return (
    <>
      <NameCells {...props} />
      <span role="cell" className="wide edge">
        <Points lineRef={lineRef} state={state} />
      </span>
    </>
  )
}

/** What it senses against its level, how well it can be reached, and its first state. */
function Points({ lineRef: { line, family }, state }: { lineRef: LineRef; state: LineState | undefined }) {
  if (!family) return null
  const { sensed, upkeep } = detectorPoints(family, line, state)
  return (
    <>
      {[...sensed, ...upkeep].map(({ point, value, level }) => {
        const severity = pointSeverity(state, point.key)
        return (
          <span key={point.key} className="point">
            <span className="mute">{localised(point.label)}</span>
            <ValueCell text={figure(value, point.precision)} severity={severity} />
            <span className="unit">{point.unit}</span>
            {level?.kind === 'alarm' && (
              <LevelBar value={value} level={level.value} side={level.side} severity={severity} precision={point.precision} />
            )}
          </span>
        )
      })}
      {family.states.slice(0, 1).map((each) => (
        <span key={each.key} className="point">
          <span className="mute">{localised(each.label)}</span>
          <StateValue point={each} family={family} state={state} />
        </span>
      ))}
    </>
  )
}
