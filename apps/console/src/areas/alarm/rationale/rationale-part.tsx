import type { EventRecord } from '@linewarden/contract'
import { rationaleOf } from '@linewarden/equipment/rationalisation'
import { useTranslation } from 'react-i18next'
import { addTexts, localised } from '../../../ui/i18n.ts'
import { alarmRationale } from './texts.ts'
import './rationale.css'

addTexts({ alarmRationale })

/** What to do about an alarm, how much time there is, and why it is there at all. Nothing where the sheet has no answer. */
export function RationalePart({ event }: { event: EventRecord }) {
  const { t } = useTranslation('alarmRationale')
  const found = rationaleOf(event.Key)
  if (!found) return null
  return (
    <section className="part rationale" aria-label={t('title')}>
      <h3>
        {t('title')} <small className="mute">{t('time', { time: localised(found.time) })}</small>
      </h3>
      <p>{localised(found.action)}</p>
      <details>
        <summary>{t('why')}</summary>
        <dl>
          {(['cause', 'consequence', 'priority', 'basis'] as const).map((field) => (
            <div key={field}>
              <dt>{t(field)}</dt>
              <dd>{localised(found[field])}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
