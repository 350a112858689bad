import type { LineState } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Age } from '../../plant/age.tsx'
import { conditionWord, pointSeverity } from '../../plant/line-condition.ts'
import { StateValue } from '../../plant/state-value.tsx'
import { StateWord } from '../../plant/state-word.tsx'
import { TagMark } from '../../plant/tag-mark.tsx'
import { FamilyIcon } from '../../ui/family-icon.tsx'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { ValueCell } from '../../ui/value-cell.tsx'
import type { DetectorPoint } from '../equipment/detector-points.ts'
import { detectorPoints } from '../equipment/detector-points.ts'
import { LevelBar } from './level-bar.tsx'
import type { CardProps } from './line-card.tsx'
import { Worst } from './line-card.tsx'

/** A detector as a tile: how it stands, what it senses against its level, when it was last heard of, its battery and signal. */
export function DetectorTile({ lineRef, state, condition, named, current }: CardProps) {
  const { t } = useTranslation('monitor')
  const { line, family, gateway } = lineRef
  if (!family) return null
  const { sensed, upkeep } = detectorPoints(family, line, state)
  return (
    <span role="cell" className="card tile">
      <span className="card-head">
        <FamilyIcon icon={family.icon} />
        <b title={line.LineName}>
          <bdi>{line.LineName}</bdi>
        </b>
        <TagMark count={state?.Tags ?? 0} />
        {named && <bdi className="mute place">{gateway.GatewayName}</bdi>}
        <span className="grow" />
        <StateWord condition={condition} switched={false} word={conditionWord(condition, state, family)} />
      </span>
      <Worst family={family} state={state} />
      <span className="tile-points">
        {sensed.map((each) => (
          <TilePoint key={each.point.key} {...each} state={state} />
        ))}
        {sensed.every(({ point }) => point.quantity === 'temperature') &&
          family.states.slice(0, 1).map((each) => (
            <span key={each.key}>
              <span className="mute">{localised(each.label)}</span>
              <StateValue point={each} family={family} state={state} />
            </span>
          ))}
      </span>
      <span className="card-line tile-foot">
        <span>
          <span className="mute">{t('lastSeen')}</span>
          <Age state={state} current={current} />
        </span>
        {upkeep.map(({ point, value }) => (
          <span key={point.key}>
            <span className="mute">{localised(point.label)}</span>
            <ValueCell text={figure(value, point.precision)} severity={pointSeverity(state, point.key)} />
            <span className="unit">{point.unit}</span>
          </span>
        ))}
      </span>
    </span>
  )
}

function TilePoint({ point, value, level, state }: DetectorPoint & { state: LineState | undefined }) {
  const severity = pointSeverity(state, point.key)
  return (
    <span>
      <span className="mute">{localised(point.label)}</span>
      <span>
        <ValueCell text={figure(value, point.precision)} severity={severity} />
        <span className="unit">{point.unit}</span>
        {level && (
          <LevelBar value={value} level={level.value} side={level.side} severity={severity} precision={point.precision} />
        )}
      </span>
    </span>
  )
}
