import { placeNames } from '@linewarden/contract'
import { isUnacknowledged } from '@linewarden/rules/alarm'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayEdit } from '../../../app/session/use-may.ts'
import { clockTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { drawnKind } from '../../../ui/mark.tsx'
import { isolated, Place } from '../../../ui/place.tsx'
import { acknowledge } from '../unacknowledged.ts'
import type { EventRowProps } from './alarm-row.tsx'
import { Lasting, PriorityChip, ValueAgainstLimit } from './event-cells.tsx'
import { StateMark, useWaits } from './state-mark.tsx'

/** One alarm on a phone. */
export const AlarmCard = memo(function AlarmCard({ ref, index, start, event, chosen, open, onChoose, onOpen }: EventRowProps) {
  const { t } = useTranslation('alarmList')
  const mayEdit = useMayEdit()
  const waits = useWaits(event)
  const where = placeNames(event.Where)
  const what = localised(event.Label)
  const name = `${what} ${isolated(where)}`
  return (
    <div
      role="row"
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      className={`alarm-card ${drawnKind(event.Kind)} ${waits ? 'waits' : ''}${open ? ' opened' : ''}`}
      style={{ transform: `translateY(${start}px)` }}
    >
      <div role="cell" className="face">
        <label className="tick">
          <input type="checkbox" aria-label={t('choose', { name })} checked={chosen} onChange={() => onChoose(event)} />
        </label>
        <button type="button" className="about" aria-label={t('openEvent', { name })} onClick={() => onOpen(event)}>
          <span className="first">
            <PriorityChip event={event} />
            <b className="what">{what}</b>
          </span>
          <span className="mute place">
            <Place names={where} between=" › " />
          </span>
          <span className="second">
            <StateMark event={event} />
            {event.Value !== null && (
              <span>
                <ValueAgainstLimit event={event} />
              </span>
            )}
          </span>
          <span className="second mute">
            <span>{clockTime(event.RaisedAt)}</span>
            <span>
              <Lasting event={event} />
            </span>
            {event.Raises > 1 && <span>× {event.Raises}</span>}
            {event.AcknowledgedBy !== null && <span>{event.AcknowledgedBy}</span>}
          </span>
        </button>
        {mayEdit && isUnacknowledged(event.State) && (
          <button
            type="button"
            className="btn acknowledge"
            aria-label={t('acknowledgeName', { name })}
            onClick={() => void acknowledge([event])}
          >
            {t('acknowledge')}
          </button>
        )}
      </div>
    </div>
  )
})
