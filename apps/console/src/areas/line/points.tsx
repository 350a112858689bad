import type { LineState } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { pointSeverity } from '../../plant/line-condition.ts'
import { StateValue } from '../../plant/state-value.tsx'
import { clockTime, figure, span } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { useNow } from '../../ui/use-now.ts'
import { ValueCell } from '../../ui/value-cell.tsx'
import './line-drawer.css'

/** Everything the family reports, in its words and units, and how far it can be trusted. */
export function Points({
  family,
  state,
  current,
}: {
  family: Family
  state: LineState | undefined
  /** Whether its gateway and the server are there: without them the values are the last known ones. */
  current: boolean
}) {
  const { t } = useTranslation('monitor')
  return (
    <section className="part" aria-label={t('values')}>
      <h3>{t('values')}</h3>
      <Provenance state={state} current={current} />
      <dl className="pairs">
        {family.states.map((each) => (
          <div key={each.key}>
            <dt>{localised(each.label)}</dt>
            <dd className="state-text">
              <StateValue point={each} family={family} state={state} />
            </dd>
          </div>
        ))}
        {family.points.map((point, index) => (
          <div key={point.key}>
            <dt>{localised(point.label)}</dt>
            <dd>
              <ValueCell text={figure(state?.Values[index], point.precision)} severity={pointSeverity(state, point.key)} />
              <span className="unit">{point.unit}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** When the values were measured and received, and what their quality is. */
function Provenance({ state, current }: { state: LineState | undefined; current: boolean }) {
  const { t } = useTranslation('monitor')
  const now = useNow()
  if (!state?.ReceivedAt) return <p className="provenance">{t('neverReported')}</p>
  const skew = state.At === null ? 0 : state.ReceivedAt - state.At
  return (
    <p className="provenance">
      <span>{t('receivedAgo', { age: span(now - state.ReceivedAt) })}</span>
      {state.At !== null && <span>{t('deviceTime', { time: clockTime(state.At) })}</span>}
      {!current && (
        <span>
          <i className="quality">{t('staleMark')}</i> {t('lastKnown')}
        </span>
      )}
      {state.Quality === 'clock' && (
        <span>
          <i className="quality">{t('clockMark')}</i> {t('clockOff', { skew: span(Math.abs(skew)) })}
        </span>
      )}
      {current && state.Quality === 'good' && <span>{t('qualityGood')}</span>}
    </p>
  )
}
