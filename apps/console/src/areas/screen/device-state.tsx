import { useTranslation } from 'react-i18next'
import { conditionText } from '../../plant/condition-text.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { conditionOf, conditionWord, isSwitchState, severityOf } from '../../plant/line-condition.ts'
import { useDeviceLink, useLine } from '../../plant/live-store.ts'
import { useIsOld } from '../../plant/old-values.ts'
import { TagMark } from '../../plant/tag-mark.tsx'
import { FamilyIcon } from '../../ui/family-icon.tsx'
import { figure, span } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import { useByNow } from '../../ui/use-now.ts'
import { toneOf } from './diagram-line.tsx'
import { causeOf } from './looks.ts'
import { readingOf } from './plant-state.ts'
import { wallTime } from './wall-clock.ts'

/** How a line stands: its switch where the equipment reported it, the word for it, since when, and who says so. */
export function DeviceState({ lineRef, isOfNow }: { lineRef: LineRef; isOfNow: boolean }) {
  const { t } = useTranslation(['monitor', 'app', 'screen'])
  const { line, device, project, family } = lineRef
  const state = useLine(line.LineID)
  const link = useDeviceLink(device.ControllerID) ?? device.Link
  const old = useIsOld(line.LineID, family)
  const condition = conditionOf(state, link.Link, family)
  const tone = toneOf(condition, severityOf(state))
  const word = conditionWord(condition, state, family)
  const age = useByNow((now) => (state?.ReceivedAt ? span(Math.max(0, now - state.ReceivedAt)) : ''))
  const since = state?.PositionSince
  const cause = condition === 'tripped' ? causeOf(state, lineRef) : ''
  const kw = condition === 'offline' || old ? null : readingOf(state, family, 'power.total')
  const hasPower = family?.points.some(({ key }) => key === 'power.total') === true
  const isAway = condition === 'offline'
  return (
    <>
      <div className={`device-sign ${tone}`}>
        {isSwitchState(condition) && family?.level === 'line' ? (
          <SwitchSymbol state={condition} />
        ) : (
          family && <FamilyIcon icon={family.icon} />
        )}
        <b>{word ? localised(word) : conditionText(condition, t)}</b>
      </div>
      <p className="device-cause">
        {cause !== '' && <strong>{cause}</strong>}
        {since && condition !== 'offline' ? <span>{t('since', { time: wallTime(since, project.TimeZone) })}</span> : null}
        {isAway && link.Since !== null && <span>{t('since', { time: wallTime(link.Since, project.TimeZone) })}</span>}
      </p>
      {state?.Active.map(({ EventID, Key, Kind }) => {
        const alarm = family?.alarms.find(({ key }) => key === Key)
        return (
          <p key={EventID} className={`device-alarm ${Kind}`}>
            <Mark kind={Kind} size={20} /> {alarm ? localised(alarm.label) : Key}
          </p>
        )
      })}
      {(state?.Tags ?? 0) > 0 && (
        <p className="device-tags">
          <TagMark count={state?.Tags ?? 0} plate /> {t('taggedHint', { count: state?.Tags ?? 0 })}
        </p>
      )}
      {hasPower && (
        <div className="hero">
          <span>{t('power')}</span>
          <b>
            {figure(kw, 1)} <small>kW</small>
          </b>
        </div>
      )}
      <p className="device-age">
        {age === '' ? t('neverReported') : t(isAway || old || !isOfNow ? 'lastKnownAgo' : 'receivedAgo', { age })}
        {state?.Quality === 'clock' && <i className="quality">{t('clockDoubtful')}</i>}
      </p>
    </>
  )
}
