import type { Warning } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../plant/tag-mark.tsx'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Place } from '../../ui/place.tsx'
import { Spark } from './charts/spark.tsx'
import { ForecastText } from './forecast-text.tsx'
import { LevelTag } from './level-tag.tsx'
import { WarningState } from './warning-state.tsx'
import { WarningValue } from './warning-value.tsx'
import './warning-list.css'

/** The findings, worst first. With one of them open the list narrows to what it is, how far, and when; the rest stands in the drawer. */
export function WarningList({
  warnings,
  isWaiting,
  open,
  onOpen,
}: {
  warnings: readonly Warning[]
  /** They are those of the former question, until the answer to the present one is there. */
  isWaiting: boolean
  /** The event whose details are shown; null: none. */
  open: string | null
  onOpen: (eventId: string) => void
}) {
  const { t } = useTranslation('warning')
  return (
    <table className={isWaiting ? 'list-table warning-list waiting' : 'list-table warning-list'} aria-label={t('title')}>
      <thead>
        <tr>
          <th>{t('level')}</th>
          <th>{t('whatAndWhere')}</th>
          <th className="end">{t('valueAndLimit')}</th>
          <th className="spark-column">{t('sparkHead')}</th>
          <th>{t('timeToLimit')}</th>
          <th className="alone end">{t('firstSeen')}</th>
          <th className="alone end">{t('times')}</th>
          <th className="alone">{t('state')}</th>
          <th className="alone do">{t('whatToDo')}</th>
        </tr>
      </thead>
      <tbody>
        {warnings.map((warning) => (
          <Row
            key={warning.Event.EventID}
            warning={warning}
            isOpen={warning.Event.EventID === open}
            onOpen={() => onOpen(warning.Event.EventID)}
          />
        ))}
      </tbody>
    </table>
  )
}

function Row({ warning, isOpen, onOpen }: { warning: Warning; isOpen: boolean; onOpen: () => void }) {
  const { t } = useTranslation('warning')
  const { Event, Level, Spark: spark } = warning
  const waits = Event.State === 'active' || Event.State === 'returned'
  const label = localised(Event.Label)
  return (
    // The button in it does the same by keys; the row is only a larger place to press.
    <tr className={`opens ${Level}${isOpen ? ' chosen' : ''}${Event.Shelved ? ' shelved' : ''}`} onClick={onOpen}>
      <td>
        <LevelTag level={Level} />
      </td>
      <td className="what">
        <span className="two-lines">
          <button type="button" className={waits ? 'waits' : undefined} aria-expanded={isOpen}>
            {label}
          </button>
          <small>
            <LineTag lineId={Event.LineID} /> <Place names={placeNames(Event.Where)} between=" › " />
          </small>
        </span>
      </td>
      <td className="end value">
        <WarningValue warning={warning} />
      </td>
      <td className="spark-column">
        {spark ? (
          <Spark
            values={spark.Values}
            limit={spark.Limit}
            baseline={spark.Baseline}
            spread={spark.Spread}
            label={t('sparkOf', { name: label })}
          />
        ) : (
          <span className="mute">–</span>
        )}
      </td>
      <td className="forecast">
        <ForecastText warning={warning} />
      </td>
      <td className="alone end">{shortTime(Event.RaisedAt)}</td>
      <td className="alone end">{Event.Raises}</td>
      <td className="alone">
        <WarningState event={Event} />
      </td>
      <td className="alone do">{localised(warning.Advice)}</td>
    </tr>
  )
}

/** The minute of today, or the day. */
const shortTime = (at: number): string => clockTime(at).slice(0, 5)
