import type { EventRecord } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import type { Ref } from 'react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { clockTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { drawnKind } from '../../../ui/mark.tsx'
import { isolated, Place } from '../../../ui/place.tsx'
import { Lasting, PriorityChip, ValueAgainstLimit } from './event-cells.tsx'
import { FoldButton } from './fold-button.tsx'
import type { EventRow } from './rows.ts'
import { StateMark, useWaits } from './state-mark.tsx'

export interface EventRowProps {
  readonly ref: Ref<HTMLDivElement>
  readonly index: number
  /** How far down it stands, in CSS pixels. */
  readonly start: number
  readonly row: EventRow
  readonly chosen: boolean
  readonly open: boolean
  /** The same from draw to draw, as is the next. */
  readonly onChoose: (event: EventRecord) => void
  readonly onOpen: (event: EventRecord) => void
  readonly onUnfold: (id: string) => void
}

/** One alarm on one line of the table. */
export const AlarmRow = memo(function AlarmRow({
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
  const { t } = useTranslation(['alarmList', 'app'])
  const { event } = row
  const where = placeNames(event.Where)
  const what = localised(event.Label)
  const name = `${what} ${isolated(where)}`
  const waits = useWaits(event)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button in it does the same by keys
    <div
      role="row"
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      className={`arow ${drawnKind(event.Kind)} ${event.State ?? ''}${waits ? ' waits' : ''}${open ? ' opened' : ''}${row.isChild ? ' child' : ''}`}
      style={{ transform: `translateY(${start}px)` }}
      onClick={(click) => {
        if (click.target instanceof Element && !click.target.closest('button, input, label')) onOpen(event)
      }}
    >
      <span role="cell" className="check">
        <label className="tick">
          <input type="checkbox" aria-label={t('choose', { name })} checked={chosen} onChange={() => onChoose(event)} />
        </label>
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
        {row.folded > 0 && <FoldButton row={row} onUnfold={onUnfold} />}
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
        {event.Raises}
      </span>
      <span role="cell" className="by mute" title={event.AcknowledgedBy ?? ''}>
        {event.AcknowledgedBy ?? '–'}
      </span>
    </div>
  )
})
