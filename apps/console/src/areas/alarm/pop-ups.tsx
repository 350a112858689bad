import type { EventRecord } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { useLiveLink } from '../../app/net/live-link.ts'
import { soundOf } from '../../app/notify/sound-switch.ts'
import { toast, useToasts } from '../../app/notify/toasts.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { alarmDetails, paths } from '../../paths.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { drawnKind, Mark } from '../../ui/mark.tsx'
import { isCovered } from '../../ui/modals.ts'
import { isolated, Place } from '../../ui/place.tsx'
import { EventValue, placeOf } from './event-parts.tsx'
import { useFlood } from './flood.ts'
import { onEvent } from './notified-events.ts'
import type { PopUpGroup } from './pop-up-queue.ts'
import { popsUpInFlood, popUpsOf } from './pop-up-queue.ts'
import { useEventPoll } from './queries.ts'
import { acknowledge, clearPopUps, closePopUp, takeEvent, useUnacknowledged, useUnacknowledgedList } from './unacknowledged.ts'
import './pop-ups.css'

/** What nobody has acknowledged, top right: the newest open, the others behind it, until a person puts them away or acknowledges them. */
export function PopUps() {
  const { t } = useTranslation('monitor')
  useEventPoll()
  useUnacknowledgedList(useLiveLink(({ link }) => link !== 'open'))
  const flood = useFlood()
  const isFlood = flood !== null
  const { shown, more } = popUpsOf(useUnacknowledged(), isFlood)
  const mayEdit = useMayEdit()
  const mayView = useMayOpen(paths.realtime)
  const mayList = useMayOpen(paths.alarms)
  // The alarm list has a strip of its own that says more.
  const isAtList = useLocation().pathname === paths.alarms
  const [unfolded, setUnfolded] = useState(false)
  useEffect(
    () =>
      onEvent((event, isNew) => {
        if (!takeEvent(event, isNew) || (isFlood && !popsUpInFlood(event))) return
        soundOf(event)
        toastWhenCovered(event)
      }),
    [isFlood],
  )
  const isStack = shown.length + more > 1
  const open = unfolded && isStack
  return (
    <section className={open ? 'pops unfolded' : 'pops'} aria-label={t('pops')}>
      {shown.slice(0, open ? shown.length : 1).map((group) => (
        <PopUp key={group.ramp} group={group} mayAcknowledge={mayEdit} mayView={mayView} onClose={() => closePopUp(group)} />
      ))}
      {flood && !isAtList && (
        <p className="pops-foot flood" role="status">
          {t('flood', { time: clockTime(flood.Since), count: flood.Announced })}
        </p>
      )}
      {isStack && (
        <div className="pops-foot">
          {shown.length > 1 && (
            <button type="button" className="btn small quiet" aria-expanded={open} onClick={() => setUnfolded(!open)}>
              <Icon name="down" />
              {open ? t('fewerPops') : t('morePops', { count: shown.length - 1 + more })}
            </button>
          )}
          {(open || shown.length === 1) && more > 0 && <span className="mute">{t('unlistedPops', { count: more })}</span>}
          <span className="grow" />
          {mayList && (
            <Link className="btn small quiet" to={paths.alarms}>
              {t('alarmList')}
            </Link>
          )}
          <button type="button" className="btn small quiet" onClick={clearPopUps}>
            {t('clearAll')}
          </button>
        </div>
      )}
    </section>
  )
}

/** A pop-up stays behind a modal dialog until that closes: so it is said in the dialog. One at a time: a flood must not hide the dialog. */
function toastWhenCovered({ Label, Where }: EventRecord): void {
  if (!isCovered() || useToasts.getState().toasts.some(({ kind }) => kind === 'event')) return
  toast('event', `${localised(Label)} ${isolated(placeNames(Where))}`)
}

export function PopUp({
  group: { head, events },
  mayAcknowledge,
  mayView,
  onClose,
}: {
  group: PopUpGroup
  mayAcknowledge: boolean
  /** Whether the person has the page it leads to. */
  mayView: boolean
  onClose: () => void
}) {
  const { t } = useTranslation(['monitor', 'app'])
  const navigate = useNavigate()
  const mayList = useMayOpen(paths.alarms)
  const isOrder = head.Kind === 'order'
  const kind = drawnKind(head.Kind)
  const where = placeNames(head.Where)
  // Of a ramp whose gravest step is over another may still be there.
  const isOver = events.every(({ State }) => State === 'returned')
  return (
    <article className={`pop ${kind}`} role="alert">
      <div className="bar">
        <Mark kind={kind} size={20} />
        <span className="hidden-visually">{t(`kinds.${kind}`)}</span>
      </div>
      <div className="body">
        <h3>
          {mayList && !isOrder ? (
            <Link className="what text-link" to={alarmDetails(head.EventID)}>
              {localised(head.Label)}
            </Link>
          ) : (
            <span className="what">{localised(head.Label)}</span>
          )}
          <span className="unit">{clockTime(head.LastRaisedAt)}</span>
          <button type="button" aria-label={t('app:close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </h3>
        <p className="state">
          <EventValue event={head} />
          {head.Raises > 1 && <span className="mute">{t('raisedTimes', { count: head.Raises })}</span>}
          {isOver && <span className="mute">{t('returned')}</span>}
        </p>
        <div className="act">
          <p className="where" title={isolated(where)}>
            <Place names={where} />
            {/* Somebody may be at work there: said where it is read first. */}
            <LineTag lineId={head.LineID} />
          </p>
          {head.State !== null && mayAcknowledge && (
            <button type="button" className="btn small quiet" onClick={() => acknowledge(events)}>
              {t('acknowledge')}
            </button>
          )}
          {(mayView || isOrder) && (
            <button
              type="button"
              className="btn small"
              onClick={() => {
                navigate(placeOf(head))
                // Opened it is seen; an alarm stays until somebody acknowledges it.
                if (isOrder) onClose()
              }}
            >
              {t('view')}
            </button>
          )}
        </div>
      </div>
    </article>
  )
}
