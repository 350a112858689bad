import { isUnacknowledged } from '@linewarden/rules/alarm'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { useMayEdit } from '../../../app/session/use-may.ts'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { clockTime } from '../../../ui/format.ts'
import { Place } from '../../../ui/place.tsx'
import { acknowledgeAll } from './acts.ts'
import type { EventRowProps } from './alarm-head.tsx'
import { ChooseBox, useAlarmHead } from './alarm-head.tsx'
import { Lasting, PriorityChip, ValueAgainstLimit } from './event-cells.tsx'
import { EventMarks } from './event-marks.tsx'
import { FoldButton } from './fold-button.tsx'
import { acknowledgeSoon, takeBack, usePending } from './pending.ts'
import { StateMark } from './state-mark.tsx'
import { useSwipe } from './use-swipe.ts'

/** One alarm on a phone. */
export const AlarmCard = memo(function AlarmCard(props: EventRowProps) {
  const { row, chosen, onChoose, onOpen, onUnfold } = props
  const { t } = useTranslation(['alarmList', 'alarmMarks'])
  const { event } = row
  const mayEdit = useMayEdit()
  const isPending = usePending(({ pending }) => pending.has(event.EventID))
  const mayAcknowledge = mayEdit && isUnacknowledged(event.State)
  const swipe = useSwipe(mayAcknowledge, () => acknowledgeSoon(event))
  const { where, what, name, frame } = useAlarmHead(props, 'alarm-card')
  return (
    <div role="row" {...frame}>
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
        <ChooseBox row={row} name={name} chosen={chosen} onChoose={onChoose} />
        <button type="button" className="about" aria-label={t('openEvent', { name })} onClick={() => onOpen(event)}>
          <span className="first">
            <PriorityChip event={event} />
            <b className="what">{what}</b>
            <LineTag lineId={event.LineID} />
          </span>
          <span className="mute place">
            <Place names={where} between=" › " />
          </span>
          <span className="marks">
            <EventMarks event={event} />
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
            {event.Occurrences > event.Raises && <span>{t('alarmMarks:seriesTimes', { count: event.Occurrences })}</span>}
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
