import type { Reply, Warning, warningDetails } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { dayOf } from '../../ui/format.ts'
import { HourlyChart } from './charts/hourly-chart.tsx'
import { LeakageChart } from './charts/leakage-chart.tsx'
import { leakageFacts } from './leakage-facts.ts'

/** Why a leakage is called grown: the daily floors against those of the weeks before, and the hours in which it happened. */
export function LeakagePart({
  leakage,
  warning,
}: {
  leakage: NonNullable<Reply<typeof warningDetails>['Leakage']>
  warning: Warning
}) {
  const { t } = useTranslation('warning')
  const facts = leakageFacts(leakage, warning.Evidence.Value, dayOf(new Date(leakage.RaisedAt)))
  const excluded = facts?.days.filter(({ floorMa }) => floorMa === null).length ?? 0
  const nameOf = (reason: string) => t(`notEvaluatedReasons.${reason}` as 'notEvaluatedReasons.open')
  return (
    <>
      <section className="part" aria-label={t('leakageFloors')}>
        <h3>
          {t('leakageFloors')} <small>{t('floorMeaning')}</small>
          <span className="chart-keys">
            {facts?.baseline && (
              <span className="chart-key">
                <i className="square" />
                {t('baselineAndSpread')}
              </span>
            )}
            {excluded > 0 && (
              <span className="chart-key">
                <i className="square hatch" />
                {t('daysExcluded', { count: excluded })}
              </span>
            )}
          </span>
        </h3>
        {facts ? <LeakageChart facts={facts} nameOf={nameOf} /> : <p className="mute">{t('tripUnknown')}</p>}
      </section>
      {leakage.Hours.length > 1 && (
        <section className="part" aria-label={t('whenItHappened')}>
          <h3>
            {t('whenItHappened')} <small>{t('hourlyMeans')}</small>
            <span className="chart-keys">
              <span className="chart-key">
                <i className="dash" />
                {t('hoursAlike')}
              </span>
            </span>
          </h3>
          <HourlyChart
            label={t('whenItHappened')}
            unit="mA"
            hours={leakage.Hours.map(({ At, Ma, UsualMa }) => ({ at: At, value: Ma, usual: UsualMa }))}
            raisedAt={leakage.RaisedAt}
          />
        </section>
      )}
    </>
  )
}
