import type { EventRecord } from '@linewarden/contract'
import { eventRationale } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { addTexts, localised } from '../../../ui/i18n.ts'
import { alarmRationale } from './texts.ts'
import './rationale.css'

addTexts({ alarmRationale })

/** Whoever reads what to do while somebody rewrites it reads the new text this soon, whichever server it was written at. */
const readAgainMs = 10_000

/** What to do about an alarm where it was raised, how much time there is, and why it is there at all. Nothing where the sheet has no answer. */
export function RationalePart({ event }: { event: EventRecord }) {
  const { t } = useTranslation('alarmRationale')
  const query = useCall(eventRationale, { params: { EventID: event.EventID } }, { staleTime: 0, refetchInterval: readAgainMs })
  const { data } = query
  if (data?.Texts === null && !query.error) return null
  const found = data?.Texts
  return (
    <section className="part rationale" aria-label={t('title')}>
      <h3>
        {t('title')} {found && <small className="mute">{t('time', { time: localised(found.Time) })}</small>}
      </h3>
      <Unloaded query={query} />
      {found && (
        <>
          <p className="action">{localised(found.Action)}</p>
          <details>
            <summary>{t('why')}</summary>
            <dl>
              {(['Cause', 'Consequence', 'Priority', 'Basis'] as const).map((field) => (
                <div key={field}>
                  <dt>{t(field)}</dt>
                  <dd>{localised(found[field])}</dd>
                </div>
              ))}
            </dl>
          </details>
        </>
      )}
    </section>
  )
}
