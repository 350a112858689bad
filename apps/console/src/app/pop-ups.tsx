import type { EventRecord } from '@linewarden/contract'
import { acknowledgeEvent } from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { create } from 'zustand'
import { onEvent } from '../areas/monitor/live-store.ts'
import { gatewayLive, lineDrawer, paths } from '../paths.ts'
import { said } from '../texts/i18n.ts'
import { clockTime, figure } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { isCovered } from '../ui/modals.ts'
import { isolated, Place, placeNames } from '../ui/place.tsx'
import { api } from './api.ts'
import { attempt } from './attempt.ts'
import type { PopUpState } from './pop-up-queue.ts'
import { noPopUps, withEvent, withoutPopUp } from './pop-up-queue.ts'
import { soundOf } from './sound-switch.ts'
import { toast, useToasts } from './toasts.tsx'
import { useMayEdit, useMayOpen } from './use-may.ts'
import './pop-ups.css'

/** What is open, and how many were closed because too many came. */
export const usePopUps = create<PopUpState>(() => noPopUps)

export const clearPopUps = (): void => usePopUps.setState(noPopUps)

const closePopUp = (id: string): void => usePopUps.setState((before) => withoutPopUp(before, id))

/** What has just happened, top right, until a person closes it. */
export function PopUps() {
  const { t } = useTranslation(['monitor', 'app'])
  const { open, pushedOut } = usePopUps()
  const mayEdit = useMayEdit()
  const mayView = useMayOpen(paths.realtime)
  useEffect(
    () =>
      onEvent((event, isNew) => {
        const before = usePopUps.getState()
        const after = withEvent(before, event, isNew)
        if (after.open.length > 0 && after.open[0] !== before.open[0] && isNew) {
          soundOf(event)
          sayWhenCovered(event)
        }
        usePopUps.setState(after)
      }),
    [],
  )
  return (
    <section className="pops" aria-label={t('pops')}>
      {open.map((event) => (
        <PopUp key={event.EventID} event={event} mayAcknowledge={mayEdit} mayView={mayView} />
      ))}
      {pushedOut > 0 && <p className="pushed-out">{t('pushedOut', { count: pushedOut })}</p>}
    </section>
  )
}

/** A pop-up stays behind a modal dialog until that closes: so it is said in the dialog. One at a time: a flood must not hide the dialog. */
function sayWhenCovered({ Label, Where }: EventRecord): void {
  if (!isCovered() || useToasts.getState().toasts.some(({ kind }) => kind === 'event')) return
  toast('event', `${said(Label)} ${isolated(placeNames(Where))}`)
}

export function PopUp({
  event,
  mayAcknowledge,
  mayView,
}: {
  event: EventRecord
  mayAcknowledge: boolean
  /** Whether the person has the page it leads to. */
  mayView: boolean
}) {
  const { t } = useTranslation(['monitor', 'app'])
  const navigate = useNavigate()
  const kind = event.Kind === 'journal' ? 'warning' : event.Kind
  const where = placeNames(event.Where)
  const acknowledge = async () => {
    const done = await attempt(api.call(acknowledgeEvent, { params: { EventID: event.EventID } }))
    if (!done) return
    const { reply } = done
    usePopUps.setState(({ open }) => ({ open: open.map((each) => (each.EventID === reply.EventID ? reply : each)) }))
  }
  return (
    <article className={`pop ${kind}`} role="alert">
      <div className="bar">
        <Mark kind={kind} size={20} />
        <span className="hidden-visually">{t(`kinds.${kind}`)}</span>
      </div>
      <div className="body">
        <h3>
          {said(event.Label)}
          <span className="unit">{clockTime(event.RaisedAt)}</span>
          <button type="button" aria-label={t('app:close')} onClick={() => closePopUp(event.EventID)}>
            <Icon name="close" />
          </button>
        </h3>
        {event.Value !== null && (
          <p>
            <b>
              {valueText(event)} {event.Unit}
            </b>{' '}
            {event.Limit !== null && (
              <span className="mute">{t('limitIs', { value: `${Number(event.Limit.toFixed(1))} ${event.Unit}` })}</span>
            )}
          </p>
        )}
        <p className="where" title={isolated(where)}>
          <Place names={where} />
        </p>
        <div className="act">
          {event.State === 'returned' || event.State === 'normal' ? <span>{t('returned')}</span> : null}
          {event.AcknowledgedAt !== null && (
            <span>
              {t('acknowledged')} {event.AcknowledgedBy}
            </span>
          )}
          {event.AcknowledgedAt === null && event.State !== null && mayAcknowledge && (
            <button type="button" className="btn small quiet" onClick={acknowledge}>
              {t('acknowledge')}
            </button>
          )}
          {mayView && (
            <button type="button" className="btn small" onClick={() => navigate(placeOf(event))}>
              {t('view')}
            </button>
          )}
        </div>
      </div>
    </article>
  )
}

/** Where it happened: on a line, or on a gateway with all that stands behind it. */
const placeOf = ({ HouseID, DeviceID, LineID }: EventRecord): string =>
  LineID === null ? gatewayLive(HouseID, DeviceID) : lineDrawer(HouseID, LineID)

/** With the precision of its point, whichever family has it. */
function valueText({ Value, Point }: EventRecord): string {
  const point = families.flatMap(({ points }) => points).find(({ key }) => key === Point)
  return figure(Value, point?.precision ?? 1)
}
