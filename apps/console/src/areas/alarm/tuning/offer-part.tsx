import type { AlarmTuning, EventRecord, TuningOffer } from '@linewarden/contract'
import { offerAlarmTuning, tuneAlarm, tuningDays } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { refreshNow } from '../../../app/net/query-client.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { dayTime, span } from '../../../ui/format.ts'
import { figureText } from './figures.ts'

type Offer = NonNullable<TuningOffer['Offer']>

/** What the alarm could be tuned to, with its proof. Of one that chatters it is computed at once, of others when somebody asks. */
export function OfferPart({
  event,
  tuning,
  mayNot,
}: {
  event: EventRecord
  tuning: AlarmTuning
  /** Why nothing is applied here; null: it may be. */
  mayNot: string | null
}) {
  const { t } = useTranslation('alarmTuning')
  const [asked, setAsked] = useState(event.Chatter !== null)
  const params = { EventID: event.EventID }
  // It costs some reading: what was computed stays until something is tuned or somebody asks again.
  const query = useCall(offerAlarmTuning, { params }, { enabled: asked, staleTime: Number.POSITIVE_INFINITY })
  const { data } = query
  if (!asked)
    return (
      <button type="button" className="btn small" onClick={() => setAsked(true)}>
        {t('compute')}
      </button>
    )
  return (
    <div className="tuning-offer" aria-live="polite">
      {query.isFetching ? <p className="mute">{t('computing')}</p> : <Unloaded query={query} />}
      {data?.None && <p className="mute">{t(`noOffer.${data.None}`)}</p>}
      {data?.Offer && <Proof offer={data.Offer} found={data} tuning={tuning} />}
      {data && (
        <div className="tuning-acts">
          {data.Offer && <Apply offer={data.Offer} event={event} tuning={tuning} mayNot={mayNot} />}
          <button type="button" className="btn quiet" aria-busy={query.isFetching} onClick={() => void query.refetch()}>
            {t('again')}
          </button>
        </div>
      )}
    </div>
  )
}

function useWhat({ Changes, Timing }: Offer, { InForce }: AlarmTuning): string {
  const { t } = useTranslation('alarmTuning')
  const from = InForce ? figureText(t, Changes, InForce) : '–'
  return t('offer', { figure: t(Changes), from, to: figureText(t, Changes, Timing) })
}

/** What is offered, and what it would have done. */
function Proof({ offer, found: { From, To }, tuning }: { offer: Offer; found: TuningOffer; tuning: AlarmTuning }) {
  const { t } = useTranslation('alarmTuning')
  const what = useWhat(offer, tuning)
  const days = Math.max(1, Math.round((To - From) / dayMs))
  const { Before, After, LongestMissedMs, LongestDelayMs } = offer.Proof
  return (
    <>
      <p>
        <b>{what}</b>
      </p>
      <ul>
        <li>{t('raises', { days, before: Before, after: After })}</li>
        <li>{LongestMissedMs > 0 ? t('missed', { time: span(LongestMissedMs) }) : t('missedNone')}</li>
        <li>{LongestDelayMs > 0 ? t('late', { time: span(LongestDelayMs) }) : t('lateNone')}</li>
        {days < tuningDays && <li className="mute">{t('cut', { from: dayTime(From) })}</li>}
      </ul>
    </>
  )
}

function Apply({
  offer,
  event,
  tuning,
  mayNot,
}: {
  offer: Offer
  event: EventRecord
  tuning: AlarmTuning
  mayNot: string | null
}) {
  const { t } = useTranslation('alarmTuning')
  /** The version that was shown when it was asked for. */
  const [version, setVersion] = useState<number | null>(null)
  const what = useWhat(offer, tuning)
  const apply = async (Reason: string) => {
    try {
      const body = { Version: version ?? 0, Timing: offer.Timing, Reason }
      await change(tuneAlarm, { params: { EventID: event.EventID }, body })
      return null
    } catch (error) {
      const isMeanwhile = error instanceof Error && error.message === 'changed meanwhile'
      if (isMeanwhile) await refreshNow({ shows: ['tunings'] })
      return isMeanwhile ? t('changedMeanwhile') : messageOf(error)
    }
  }
  return (
    <>
      <ReasonedButton className="btn" reason={mayNot} onClick={() => setVersion(tuning.Version)}>
        {t('apply')}
      </ReasonedButton>
      {version !== null && (
        <ConfirmDialog
          title={t('applyTitle')}
          what={`${what}${t('sentenceEnd')}${t('applyWhat')}`}
          submit={t('applySubmit')}
          reasons={t('applyReasons').split('|')}
          onConfirm={apply}
          onClose={() => setVersion(null)}
        />
      )}
    </>
  )
}
