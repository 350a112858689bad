import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { clockTime } from '../../../ui/format.ts'
import { isolated, Place } from '../../../ui/place.tsx'
import type { EventRowProps } from './alarm-head.tsx'
import { ChooseBox, useAlarmHead } from './alarm-head.tsx'
import { Lasting, PriorityChip, ValueAgainstLimit } from './event-cells.tsx'
import { EventMarks, RaisesInSeries } from './event-marks.tsx'
import { FoldButton } from './fold-button.tsx'
import { StateMark } from './state-mark.tsx'

/** One alarm on one line of the table. */
export const AlarmRow = memo(function AlarmRow(props: EventRowProps) {
  const { row, chosen, onChoose, onOpen, onUnfold } = props
  const { event } = row
  const { t } = useTranslation(['alarmList', 'app'])
  const { where, what, name, frame } = useAlarmHead(props, `arow ${event.State ?? ''}`)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button in it does the same by keys
    <div
      role="row"
      {...frame}
      onClick={(click) => {
        if (click.target instanceof Element && !click.target.closest('button, input, label')) onOpen(event)
      }}
    >
      <span role="cell" className="check">
        <ChooseBox row={row} name={name} chosen={chosen} onChoose={onChoose} />
      </span>
      <span role="cell">
        <StateMark event={event} />
      </span>
      <span role="cell">
        <PriorityChip event={event} />
      </span>
      <span role="cell" className="what">
        <button type="button" aria-label={t('openEvent', { name })} title={what} onClick={() => onOpen(event)}>
          {what}
        </button>
        <span className="marks">
          <LineTag lineId={event.LineID} />
          <EventMarks event={event} />
          {row.folded > 0 && <FoldButton row={row} onUnfold={onUnfold} />}
        </span>
        <span className="under mute">
          <Place names={where} between=" › " />
        </span>
      </span>
      <span role="cell" className="end value">
        <ValueAgainstLimit event={event} />
      </span>
      <span role="cell" className="where mute" title={isolated(where)}>
        <Place names={where} between=" › " />
      </span>
      <span role="cell">
        {clockTime(event.RaisedAt)}
        {event.Historical && <small className="mute"> {t('app:backFilled')}</small>}
      </span>
      <span role="cell" className="end">
        <Lasting event={event} />
      </span>
      <span role="cell" className="end">
        <RaisesInSeries event={event} />
      </span>
      <span role="cell" className="by mute" title={event.AcknowledgedBy ?? ''}>
        {event.AcknowledgedBy ?? '–'}
      </span>
    </div>
  )
})
