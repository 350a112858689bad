import { useTranslation } from 'react-i18next'
import { ConfirmedAge } from '../../plant/confirmed-age.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { conditionOf, conditionWord } from '../../plant/line-condition.ts'
import { useDeviceLink, useLine } from '../../plant/live-store.ts'
import { positionSince } from '../../plant/position-since.ts'
import { StateWord } from '../../plant/state-word.tsx'
import { TagMark } from '../../plant/tag-mark.tsx'
import { localised } from '../../ui/i18n.ts'
import { Place } from '../../ui/place.tsx'
import { isOperable } from './drawer-tab.ts'
import { LineCode } from './line-code.tsx'
import { LineMenu } from './line-menu.tsx'
import { RenameButton } from './rename-button.tsx'

interface HeadProps {
  readonly lineRef: LineRef
  /** False: what is known of it is the last known. */
  readonly current: boolean
}

function useCondition({ line, device, family }: LineRef) {
  const state = useLine(line.LineID)
  const link = useDeviceLink(device.ControllerID) ?? device.Link
  return { state, condition: conditionOf(state, link.Link, family) }
}

/** Its name and how it stands. */
export function LineTitle({ lineRef, current }: HeadProps) {
  const { t } = useTranslation(['monitor', 'app'])
  const { line, family } = lineRef
  const { state, condition } = useCondition(lineRef)
  return (
    <>
      <h2 title={line.LineName}>{line.LineName}</h2>
      <RenameButton lineRef={lineRef} />
      <span role="status" aria-label={isOperable(family) ? t('switchState') : t('app:state')}>
        <StateWord
          condition={condition}
          plate
          switched={family?.level !== 'device'}
          word={conditionWord(condition, state, family)}
        />
        {!current && condition !== 'offline' && (
          <i className="quality" title={t('lastKnown')}>
            {t('staleMark')}
          </i>
        )}
      </span>
      <TagMark count={state?.Tags ?? 0} plate />
    </>
  )
}

/** What it is, since when it stands so, how long ago that was confirmed, and the ways from here to its other pages. */
export function LineSubtitle({ lineRef, current }: HeadProps) {
  const { t } = useTranslation('monitor')
  const { line, device, gateway, family } = lineRef
  const { state, condition } = useCondition(lineRef)
  return (
    <div className="under">
      <p className="mute">
        <Place
          names={[
            gateway.GatewayName,
            `${device.Model} ${device.ControllerID}${line.LineNo > 0 ? ` #${line.LineNo}` : ''}`,
            line.RatedCurrentA === null ? null : t('rated', { value: line.RatedCurrentA }),
            family ? localised(family.label) : null,
            positionSince(state, condition, { named: true }),
          ].filter((each) => each !== null)}
          between=" · "
        />{' '}
        ·{' '}
        <span className="confirmed">
          <ConfirmedAge state={state} current={current} />
        </span>
      </p>
      <LineMenu lineRef={lineRef} />
      <LineCode lineRef={lineRef} />
    </div>
  )
}
