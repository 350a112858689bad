import type { Reply, Warning, warningDetails } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { ContactChart, ContactKey } from './charts/contact-chart.tsx'
import { signed } from './charts/leakage-chart.tsx'
import { TrendChart } from './charts/trend-chart.tsx'
import { contactFacts, contactTrend } from './contact-facts.ts'
import { forecastText } from './forecast-text.tsx'

/** Why a contact is called hot: it heats more than its neighbours at the same current, and the more each day. */
export function ContactPart({
  contact,
  warning,
  iec,
}: {
  contact: NonNullable<Reply<typeof warningDetails>['Contact']>
  warning: Warning
  iec: boolean
}) {
  const { t } = useTranslation('warning')
  const { Event, Evidence } = warning
  const facts = contactFacts(contact, Event.Point)
  const trend = contactTrend(contact, Event.Point, Evidence.NextLimit ?? Evidence.Limit)
  const hours = contact.Excluded.reduce((sum, { Hours }) => sum + Hours, contact.Counted)
  return (
    <>
      <section className="part" aria-label={t('riseOverSquare')}>
        <h3>
          {t('riseOverSquare')} <small>{t('hourlyAboveAir')}</small>
          {facts && (
            <span className="chart-keys">
              <ContactKey facts={facts} iec={iec} />
            </span>
          )}
        </h3>
        {facts ? <ContactChart facts={facts} iec={iec} /> : <p className="mute">{t('noFit')}</p>}
        <p className="not-evaluated">
          <span>
            {t('hoursCounted')} <b>{contact.Counted}</b> / {hours}
          </span>
          {contact.Excluded.map(({ Reason, Hours }) => (
            <span key={Reason}>
              {t(`excludedHours.${Reason}`)} <b>{Hours}</b>
            </span>
          ))}
        </p>
      </section>
      {trend && (
        <section className="part" aria-label={t('dailyExcess')}>
          <h3>
            {t('dailyExcess')}{' '}
            <small>{Evidence.Slope === null ? t('afterTenDays') : t('theilSen', { slope: signed(Evidence.Slope, 2) })}</small>
            <ForecastKey isThere={trend.forecast !== null} mid={trend.forecast?.mid ?? 0} />
          </h3>
          <TrendChart facts={trend} label={t('dailyExcess')} when={forecastText(t, warning).when} />
        </section>
      )}
    </>
  )
}

export function ForecastKey({ isThere, mid }: { isThere: boolean; mid: number }) {
  const { t } = useTranslation('warning')
  if (!isThere) return null
  return (
    <span className="chart-keys">
      <span className="chart-key">
        <i className="square" />
        {t('ninety')}
      </span>
      <span className="chart-key">
        <i className="dash" />
        {t('middle', { count: Math.round(mid) })}
      </span>
    </span>
  )
}
