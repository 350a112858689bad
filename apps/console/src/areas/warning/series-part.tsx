import type { Reply, Warning, warningDetails } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { localised } from '../../ui/i18n.ts'
import { dayNumber } from './amount.ts'
import { TrendChart } from './charts/trend-chart.tsx'
import type { TrendFacts } from './charts/trend-picture.ts'
import { ForecastKey } from './contact-part.tsx'
import { forecastText } from './forecast-text.tsx'

type Series = Reply<typeof warningDetails>['Series'][number]

/** What a detector looked at, day by day; with the forecast where the series is what it follows. */
export function seriesFacts({ Days, Unit, Limit }: Series, { Evidence }: Pick<Warning, 'Evidence'>): TrendFacts {
  const isFollowed = Evidence.Unit === Unit
  const toLimit = isFollowed ? Evidence.ToLimit : null
  return {
    days: Days.map(({ Day, Value }) => ({ day: dayNumber(Day), value: Value })),
    unit: Unit,
    limits: Limit === null ? [] : [{ kind: 'alarm', value: Limit }],
    baseline: isFollowed ? Evidence.Baseline : null,
    spread: isFollowed ? Evidence.Spread : null,
    forecast:
      toLimit && toLimit.Hi > 0 && Limit !== null ? { lo: toLimit.Lo, mid: toLimit.Mid, hi: toLimit.Hi, limit: Limit } : null,
  }
}

export function SeriesPart({ series, warning }: { series: Series; warning: Warning }) {
  const { t } = useTranslation('warning')
  const label = localised(series.Label)
  const facts = seriesFacts(series, warning)
  return (
    <section className="part" aria-label={label}>
      <h3>
        {label}
        <ForecastKey isThere={facts.forecast !== null} mid={facts.forecast?.mid ?? 0} />
      </h3>
      {facts.days.some(({ value }) => value !== null) ? (
        <TrendChart facts={facts} label={label} when={forecastText(t, warning).when} />
      ) : (
        <p className="mute">{t('noDays')}</p>
      )}
    </section>
  )
}
