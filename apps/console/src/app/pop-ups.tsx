import type { EventRecord } from '@linewarden/contract'
import { acknowledgeEvent } from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { create } from 'zustand'
import { onEvent } from '../areas/monitor/live-store.ts'
import { lineDrawer } from '../paths.ts'
import { said } from '../texts/i18n.ts'
import { clockTime } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { api, messageOf } from './api.ts'
import { popUpsAfter } from './pop-up-queue.ts'
import { soundOf } from './sound-switch.ts'
import { toast } from './toasts.tsx'
import './pop-ups.css'

export const usePopUps = create<{ open: readonly EventRecord[] }>(() => ({ open: [] }))

export const clearPopUps = (): void => usePopUps.setState({ open: [] })

const closePopUp = (id: string): void =>
  usePopUps.setState(({ open }) => ({ open: open.filter(({ EventID }) => EventID !== id) }))

/** What has just happened, top right, until a person closes it. */
export function PopUps() {
  const { t } = useTranslation(['monitor', 'app'])
  const open = usePopUps((state) => state.open)
  useEffect(
    () =>
      onEvent((event, isNew) => {
        const before = usePopUps.getState().open
        const after = popUpsAfter(before, event, isNew)
        if (after.length > 0 && after[0] !== before[0] && isNew) soundOf(event)
        usePopUps.setState({ open: after })
      }),
    [],
  )
  return (
    <section className="pops" aria-label={t('pops')}>
      {open.map((event) => (
        <PopUp key={event.EventID} event={event} />
      ))}
    </section>
  )
}

function PopUp({ event }: { event: EventRecord }) {
  const { t } = useTranslation(['monitor', 'app'])
  const navigate = useNavigate()
  const kind = event.Kind === 'journal' ? 'warning' : event.Kind
  const acknowledge = async () => {
    try {
      const after = await api.call(acknowledgeEvent, { params: { EventID: event.EventID } })
      usePopUps.setState(({ open }) => ({ open: open.map((each) => (each.EventID === after.EventID ? after : each)) }))
    } catch (error) {
      toast('error', messageOf(error))
    }
  }
  return (
    <article className={`pop ${kind}`} role="alert">
      <div className="bar">
        <Mark kind={kind} size={20} />
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
        <p className="where" title={event.Where}>
          {event.Where}
        </p>
        <div className="act">
          {event.State === 'returned' || event.State === 'normal' ? <span>{t('returned')}</span> : null}
          {event.AcknowledgedAt === null ? (
            <button type="button" className="btn small quiet" onClick={acknowledge}>
              {t('acknowledge')}
            </button>
          ) : (
            <span>
              {t('acknowledged')} {event.AcknowledgedBy}
            </span>
          )}
          {event.LineID !== null && (
            <button type="button" className="btn small" onClick={() => navigate(lineDrawer(event.HouseID, event.LineID ?? 0))}>
              {t('view')}
            </button>
          )}
        </div>
      </div>
    </article>
  )
}

function valueText({ Value, Point }: EventRecord): string {
  const point = families.flatMap(({ points }) => points).find((each) => each.key === Point)
  return Value === null ? '–' : Value.toFixed(point?.precision ?? 1)
}
