import type { EventRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { conditionOf } from '../../plant/line-condition.ts'
import { live, useLivePulse } from '../../plant/live-store.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import { textWidth } from './fit-text.ts'
import { useFrame } from './stage.tsx'
import { EventFigures, Unacknowledged } from './takeover-column.tsx'
import { usePlant } from './use-plant.ts'
import type { WallCalls } from './wall-calls.ts'
import { wallClock, wallTime } from './wall-clock.ts'
import { useIsSoundOn, useWallSound } from './wall-sound.ts'
import './takeover.css'

const largestPx = 152

/** Fire or gas: the whole screen, and where it is before all else. */
export function LifeSafety({ takeover, zone }: { takeover: NonNullable<WallCalls['takeover']>; zone: string }) {
  const { t } = useTranslation('screen')
  const { width } = useFrame()
  const now = useNow()
  const forbidden = useWallSound((sound) => sound.forbidden)
  const isSoundOn = useIsSoundOn()
  const { event, place, count } = takeover
  const { HouseName, GatewayName, LineName } = event.Where
  const where = LineName ?? GatewayName ?? HouseName ?? ''
  const { time, day } = wallClock(now, zone)
  return (
    <div className="life-safety" role="alert" aria-label={t('lifeSafety')}>
      <header>
        <Mark kind="alarm" size={84} />
        <div>
          <h2>
            {localised(event.Label)} · {t('lifeSafety')}
          </h2>
          <p>{wallTime(event.LastRaisedAt, zone)}</p>
        </div>
        <div className="clock">
          <b>{time}</b>
          <span>{day}</span>
        </div>
      </header>
      <p className="where" style={{ fontSize: Math.min(largestPx, (width - 160) / Math.max(1, textWidth(where, 1))) }}>
        {where}
      </p>
      <p className="within">
        {[HouseName, GatewayName, event.ControllerID].filter((name) => name !== where && name).join(' · ')}{' '}
        <LineTag lineId={event.LineID} />
      </p>
      <Around event={event} />
      <footer>
        <Unacknowledged event={event} />
        <span>{t('acknowledgeElsewhere')}</span>
        <em>
          {t('callOf', { place: place + 1, count })} ·{' '}
          {!isSoundOn ? t('soundOff') : forbidden ? t('soundForbidden') : t('soundEvery')}
        </em>
      </footer>
    </div>
  )
}

/** What is known of the place: what was measured, which detectors say the same, and whether it is still supplied. */
function Around({ event }: { event: EventRecord }) {
  const { t } = useTranslation('screen')
  const { plant } = usePlant(event.HouseID)
  useLivePulse()
  const around = (plant?.all ?? []).filter(({ gateway }) => gateway.DeviceID === event.DeviceID)
  const detectors = around.filter(({ family }) => family?.alarms.some(({ danger }) => danger !== undefined))
  const alarmed = detectors.filter(({ line, family }) =>
    live.line(line.LineID)?.Active.some(({ Key }) => family?.alarms.some(({ key, danger }) => key === Key && danger)),
  )
  const switched = around.filter(({ family }) => family?.states.some(({ key }) => key === 'position'))
  const closed = switched.filter(({ line, device, family }) => {
    const link = (live.deviceLink(device.ControllerID) ?? device.Link).Link
    return conditionOf(live.line(line.LineID), link, family) === 'closed'
  })
  return (
    <div className="cells">
      <div>
        <h3>{t('measuredValue')}</h3>
        {event.Value === null ? <p className="takeover-value">{t('noValue')}</p> : <EventFigures event={event} />}
      </div>
      <div>
        <h3>{t('detectorsAround')}</h3>
        <p className="takeover-value">
          <b>
            {alarmed.length} / {detectors.length}
          </b>
          <span>{t('inAlarm')}</span>
        </p>
      </div>
      <div>
        <h3>{t('switchesAround')}</h3>
        <p className="takeover-value">
          <b>
            {closed.length} / {switched.length}
          </b>
          <span>{t('closedAsReported')}</span>
        </p>
      </div>
    </div>
  )
}
