import { placeNames } from '@linewarden/contract'
import { isUnacknowledged } from '@linewarden/rules/alarm'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { useMayEdit } from '../../../app/session/use-may.ts'
import { clockTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { drawnKind } from '../../../ui/mark.tsx'
import { isolated, Place } from '../../../ui/place.tsx'
import { acknowledgeAll } from './acts.ts'
import type { EventRowProps } from './alarm-row.tsx'
import { Lasting, PriorityChip, ValueAgainstLimit } from './event-cells.tsx'
import { FoldButton } from './fold-button.tsx'
import { acknowledgeSoon, takeBack, usePending } from './pending.ts'
import { StateMark, useWaits } from './state-mark.tsx'
import { useSwipe } from './use-swipe.ts'

/** One alarm on a phone. */
export const AlarmCard = memo(function AlarmCard({
  ref,
  index,
  start,
  row,
  chosen,
  open,
  onChoose,
  onOpen,
  onUnfold,
}: EventRowProps) {
  const { t } = useTranslation('alarmList')
  const { event } = row
  const mayEdit = useMayEdit()
  const waits = useWaits(event)
  const isPending = usePending(({ pending }) => pending.has(event.EventID))
  const mayAcknowledge = mayEdit && isUnacknowledged(event.State)
  const swipe = useSwipe(mayAcknowledge, () => acknowledgeSoon(event))
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
      className={`alarm-card ${drawnKind(event.Kind)} ${waits ? 'waits' : ''}${open ? ' opened' : ''}${row.isChild ? ' child' : ''}`}
      style={{ transform: `translateY(${start}px)` }}
    >
      {isPending && <Taken eventId={event.EventID} name={what} />}
      {mayAcknowledge && swipe.drawn !== 0 && (
        <span className={swipe.isEnough ? 'behind enough' : 'behind'} aria-hidden="true">
          {t('acknowledge')}
        </span>
      )}
      <div
        role="cell"
        className="face"
        hidden={isPending}
        style={swipe.drawn === 0 ? undefined : { transform: `translateX(${swipe.drawn}px)` }}
        {...swipe.handlers}
      >
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
        {row.folded > 0 && <FoldButton row={row} onUnfold={onUnfold} />}
        {mayAcknowledge && (
          <button
            type="button"
            className="btn acknowledge"
            aria-label={t('acknowledgeName', { name })}
            onClick={() => void callWithToast(acknowledgeAll([event]))}
          >
            {t('acknowledge')}
          </button>
        )}
      </div>
    </div>
  )
})

/** In the place of a card that was swiped away, until it is sent. */
function Taken({ eventId, name }: { eventId: string; name: string }) {
  const { t } = useTranslation('alarmList')
  return (
    <div role="cell" className="taken" aria-live="polite">
      <span>{t('swiped', { name })}</span>
      <button
        type="button"
        className="btn"
        onClick={() => takeBack(eventId)}
        // Of a tap soon after a quick swipe browsers make no click; of one that is answered here they make none either.
        onTouchEnd={(touch) => {
          touch.preventDefault()
          takeBack(eventId)
        }}
      >
        {t('undo')}
      </button>
    </div>
  )
}
