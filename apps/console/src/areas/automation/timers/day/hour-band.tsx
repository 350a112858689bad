import { useTranslation } from 'react-i18next'
import { offsetText } from '../../parts/civil-text.ts'
import type { DayItem } from './day-facts.ts'
import { countStates } from './day-facts.ts'
import type { DayHour } from './day-hours.ts'

const kinds = ['done', 'amiss', 'coming', 'troubled'] as const

/** Every hour of the day with how much happens in it, and where now is. A press goes to that hour of the list. */
export function HourBand({
  hours,
  now,
  onHour,
}: {
  hours: readonly (DayHour & { readonly items: readonly DayItem[] })[]
  now: number
  onHour: (from: number) => void
}) {
  const { t } = useTranslation('timerDay')
  const most = Math.max(1, ...hours.map(({ items }) => items.length))
  const [first, last] = [hours[0]?.from ?? 0, hours.at(-1)?.to ?? 1]
  const isToday = now >= first && now < last
  return (
    <div className="hour-band" role="group" aria-label={t('hours')}>
      <div className="hour-columns">
        {hours.map(({ from, to, label, offsetMs, items }, index) => {
          const counts = countStates(items)
          const shown = offsetMs !== null && (index === 0 || hours[index - 1]?.offsetMs !== offsetMs) ? offsetText(offsetMs) : ''
          const name = `${label} ${offsetMs === null ? '' : offsetText(offsetMs)}`.trim()
          const rest = { className: now >= to ? 'hour past' : 'hour', style: { flexGrow: to - from } }
          const column = (
            <>
              <span className="count">{items.length > 0 && items.length}</span>
              <span className="stack" aria-hidden="true">
                {kinds.map((kind) => (
                  <i key={kind} className={kind} style={{ height: `${(counts[kind] / most) * 100}%` }} />
                ))}
              </span>
              <span className="label">
                {label.slice(0, 2)}
                {shown !== '' && <small>{shown}</small>}
              </span>
            </>
          )
          if (items.length === 0)
            return (
              <span key={from} {...rest}>
                {column}
              </span>
            )
          return (
            <button
              type="button"
              key={from}
              {...rest}
              aria-label={t('hour', { hour: name, count: items.length })}
              onClick={() => onHour(from)}
            >
              {column}
            </button>
          )
        })}
        {isToday && <i className="now-line" style={{ left: `${((now - first) / (last - first)) * 100}%` }} aria-hidden="true" />}
      </div>
      <p className="band-keys" aria-hidden="true">
        {kinds.map((kind) => (
          <span key={kind}>
            <i className={kind} />
            {t(`keys.${kind}`)}
          </span>
        ))}
      </p>
    </div>
  )
}
