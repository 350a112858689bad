import type { AlarmTuning, EventRecord } from '@linewarden/contract'
import { alarmTuning, listTuningChanges, untuneAlarm } from '@linewarden/contract'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { change } from '../../../app/net/change.ts'
import { ChangeHistory, useChanges } from '../../../app/net/change-history.tsx'
import { errorTextOf } from '../../../app/net/error-text.ts'
import { refreshNow } from '../../../app/net/query-client.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { useMayEdit, useMayOpen } from '../../../app/session/use-may.ts'
import { paths, tuningMark } from '../../../paths.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { dayTime } from '../../../ui/format.ts'
import { addTexts } from '../../../ui/i18n.ts'
import { figures, figureText } from './figures.ts'
import { OfferPart } from './offer-part.tsx'
import { alarmTuningTexts } from './texts.ts'
import './tuning.css'

addTexts({ alarmTuning: alarmTuningTexts })

/** By which delays and dead band an alarm is evaluated on its line, and what it could be tuned to. Nothing of what passes no limit. */
export function TuningPart({ event }: { event: EventRecord }) {
  const { t } = useTranslation('alarmTuning')
  const params = { EventID: event.EventID }
  const query = useCall(alarmTuning, { params }, { staleTime: 0 })
  const mayEdit = useMayEdit()
  const mayRule = useMayOpen(paths.warningRules)
  const mayNot = !mayEdit ? t('mayNot.shared') : mayRule ? null : t('mayNot.rules')
  const { data } = query
  const part = useRef<HTMLElement>(null)
  const isAsked = useLocation().hash === tuningMark
  const isThere = data !== undefined
  useEffect(() => {
    if (isAsked && isThere) part.current?.scrollIntoView({ block: 'start' })
  }, [isAsked, isThere])
  if (data?.NotTunable === 'noLimit') return null
  return (
    <section ref={part} className="part alarm-tuning" aria-label={t('title')}>
      <h3>
        {t('title')} {data?.IsTuned && <span className="chip">{t('tuned')}</span>}
      </h3>
      <Unloaded query={query} />
      {data?.NotTunable && <p className="mute">{t(data.NotTunable)}</p>}
      {data?.InForce && data.Shipped && (
        <>
          <dl className="tuning-figures">
            {figures.map((figure) => (
              <div key={figure}>
                <dt>{t(figure)}</dt>
                <dd>
                  {data.InForce && figureText(t, figure, data.InForce)}
                  {data.Shipped && data.Shipped[figure] !== data.InForce?.[figure] && (
                    <small className="mute">{t('shipped', { value: figureText(t, figure, data.Shipped) })}</small>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          {data.IsTuned && <InForce tuning={data} eventId={event.EventID} mayNot={mayNot} />}
          <OfferPart event={event} tuning={data} mayNot={mayNot} />
          {data.Version > 0 && <Changes eventId={event.EventID} />}
        </>
      )}
    </section>
  )
}

/** Who tuned it, and how that is taken back. */
function InForce({ tuning, eventId, mayNot }: { tuning: AlarmTuning; eventId: string; mayNot: string | null }) {
  const { t } = useTranslation('alarmTuning')
  /** The version that was shown when it was asked for. */
  const [asked, setAsked] = useState<number | null>(null)
  return (
    <div className="tuning-line">
      <span className="mute">
        {tuning.ChangedAt !== null && dayTime(tuning.ChangedAt)} <bdi>{tuning.ChangedBy}</bdi>
      </span>
      <ReasonedButton className="btn small quiet" reason={mayNot} onClick={() => setAsked(tuning.Version)}>
        {t('restore')}
      </ReasonedButton>
      {asked !== null && (
        <ConfirmDialog
          title={t('restoreTitle')}
          what={t('restoreWhat')}
          submit={t('restoreSubmit')}
          reasons={t('restoreReasons').split('|')}
          onConfirm={async (Reason) => {
            const body = { Version: asked, Reason }
            const problem = await errorTextOf(change(untuneAlarm, { params: { EventID: eventId }, body }))
            if (problem !== null) await refreshNow({ shows: ['tunings'] })
            return problem
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  )
}

function Changes({ eventId }: { eventId: string }) {
  const { t } = useTranslation(['alarmTuning', 'app'])
  const { page, more, options } = useChanges()
  const query = useCall(listTuningChanges, { params: { EventID: eventId }, query: page }, options)
  return (
    <ChangeHistory
      query={query}
      more={more}
      words={{ title: t('history'), none: t('historyNone'), more: t('historyMore') }}
      className="tuning-history"
    >
      {({ Before, After, Restored, Proof }) => {
        const changed = figures
          .filter((figure) => Before[figure] !== After[figure])
          .map((figure) => `${t(figure)} ${figureText(t, figure, Before)} → ${figureText(t, figure, After)}`)
        return (
          <>
            <p>{[...(Restored ? [t('restored')] : []), ...changed].join(t('app:listComma'))}</p>
            {Proof && <p className="mute">{t('proof', { before: Proof.Before, after: Proof.After })}</p>}
          </>
        )
      }}
    </ChangeHistory>
  )
}
