import type { Reply, warningDetails } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { amount, withUnit } from './amount.ts'
import { signed } from './charts/leakage-chart.tsx'
import { forecastText } from './forecast-text.tsx'
import { valueMeaning } from './value-meaning.ts'

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
  const { Value, Limit, Unit, Baseline, Spread, Slope } = Evidence
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
    { name: valueMeaning(t, Event.Key), value: amount(Value), more: `/ ${withUnit(Limit, Unit)}`, hot: true },
    Baseline === null
      ? null
      : {
          name: t(phase ? 'othersRise' : 'baseline'),
          value: amount(Baseline),
          more: Spread === null || phase ? Unit : `± ${withUnit(Spread, Unit)}`,
        },
    Baseline === null || phase
      ? null
      : {
          name: t('change'),
          value: signed(Value - Baseline, 1),
          more: changeUnit(t, Value - Baseline, Unit, Leakage?.TripMa ?? null),
        },
    Slope === null ? null : { name: t('slope'), value: signed(Slope, 2), more: t('perDay', { unit: Unit }) },
    { name: t('timeToLimit'), value: when, more: about, hot: (warning.Share ?? 0) >= 1 || Evidence.ToLimit !== null },
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

/** Of a leakage also as a share of the trip level, if that is known. */
const changeUnit = (t: TFunction<'warning'>, change: number, unit: string, tripMa: number | null): string =>
  tripMa === null ? unit : `${unit} · ${t('ofTrip', { share: amount(change / tripMa) })}`
