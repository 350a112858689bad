import type { EventRecord } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { localised } from '../../../ui/i18n.ts'
import { drawnKind } from '../../../ui/mark.tsx'
import { isolated } from '../../../ui/place.tsx'
import type { EventRow } from './rows.ts'
import { useWaits } from './state-mark.tsx'

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

/** What an alarm is called, and the frame of its row or its card. */
export function useAlarmHead({ ref, index, start, row, chosen, open }: EventRowProps, className: string) {
  const { event } = row
  const waits = useWaits(event)
  const where = placeNames(event.Where)
  const what = localised(event.Label)
  const marks = [waits && 'waits', open && 'opened', row.isChild && 'child'].filter(Boolean)
  return {
    where,
    what,
    name: `${what} ${isolated(where)}`,
    frame: {
      ref,
      'data-index': index,
      'aria-rowindex': index + 2,
      'aria-selected': chosen,
      className: [className, drawnKind(event.Kind), ...marks].join(' '),
      style: { transform: `translateY(${start}px)` },
    },
  }
}

/** Chooses an alarm for what is done with several. */
export function ChooseBox({
  row,
  name,
  chosen,
  onChoose,
}: Pick<EventRowProps, 'row' | 'chosen' | 'onChoose'> & { name: string }) {
  const { t } = useTranslation('alarmList')
  return (
    <label className="tick">
      <input type="checkbox" aria-label={t('choose', { name })} checked={chosen} onChange={() => onChoose(row.event)} />
    </label>
  )
}
