import type { Reply, warningDetails } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { amount, withUnit } from './amount.ts'
import { signed } from './charts/leakage-chart.tsx'
import { forecastText } from './forecast-text.tsx'
import { valueMeaning } from './value-meaning.ts'
import { figuresOf } from './warning-value.tsx'

interface Fact {
  readonly name: string
  readonly value: string
  readonly more: string
  /** What makes it a finding. */
  readonly hot?: boolean
}

type Details = Reply<typeof warningDetails>

/** The finding in figures: what it is about against its limit, against what it was, and until when. */
export function WarningFacts({ details }: { details: Details }) {
  const { t } = useTranslation('warning')
  const { Warning: warning, Contact, Leakage } = details
  const { Evidence, Event } = warning
  const figures = figuresOf(warning)
  if (!figures) return null
  const { value, limit, unit } = figures
  const { when, about } = forecastText(t, warning)
  const phase = Contact?.Phases.find(({ Point }) => Point === Event.Point)
  const facts: readonly (Fact | null)[] = [
    phase?.ExcessK == null
      ? null
      : {
          name: t('excessAtRated'),
          value: amount(phase.ExcessK),
          more: phase.ErrorK === null ? 'K' : `± ${amount(phase.ErrorK)} K`,
        },
    {
      name: valueMeaning(t, Event.Key) ?? t('value'),
      value: limit === null ? withUnit(value, unit) : amount(value),
      more: limit === null ? '' : `/ ${withUnit(limit, unit)}`,
      hot: true,
    },
    Evidence?.Baseline == null
      ? null
      : {
          name: t(phase ? 'othersRise' : 'baseline'),
          value: amount(Evidence.Baseline),
          more: `${Evidence.Spread === null || phase ? '' : `± ${amount(Evidence.Spread)} `}${unit}`,
        },
    Evidence?.Baseline == null || phase
      ? null
      : {
          name: t('change'),
          value: signed(value - Evidence.Baseline, 1),
          more:
            Leakage?.TripMa == null
              ? unit
              : `${unit} · ${t('ofTrip', { share: amount((value - Evidence.Baseline) / Leakage.TripMa) })}`,
        },
    Leakage?.Sum == null || Event.Key !== 'leakage.step'
      ? null
      : { name: t('cumulatedSum'), value: amount(Leakage.Sum), more: '' },
    Evidence?.Slope == null ? null : { name: t('slope'), value: signed(Evidence.Slope, 2), more: t('perDay', { unit }) },
    Evidence
      ? { name: t('timeToLimit'), value: when, more: about, hot: (warning.Share ?? 0) >= 1 || Evidence.ToLimit !== null }
      : null,
  ]
  return (
    <dl className="warning-facts">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.name} className={fact.hot ? 'hot' : undefined}>
              <dt>{fact.name}</dt>
              <dd>
                {fact.value} <small>{fact.more}</small>
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
