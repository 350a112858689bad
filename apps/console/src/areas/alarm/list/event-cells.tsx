import type { EventRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { span } from '../../../ui/format.ts'
import { drawnKind, Mark } from '../../../ui/mark.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { valueText } from '../event-parts.tsx'
import { useWaits } from './state-mark.tsx'

/** The priority in a word, with the mark of the kind; tinted while it waits for somebody. */
export function PriorityChip({ event }: { event: EventRecord }) {
  const { t } = useTranslation('alarmList')
  const kind = drawnKind(event.Kind)
  const waits = useWaits(event)
  const loud = waits && event.State === 'active' && event.Priority === 'critical'
  return (
    <span className={`priority ${kind} ${loud ? 'loud' : waits ? 'waits' : ''}`} title={t(`kinds.${event.Kind}`)}>
      <Mark kind={kind} />
      <span className="hidden-visually">{t(`kinds.${event.Kind}`)} </span>
      {t(`priorities.${event.Priority}`)}
    </span>
  )
}

/** The value that raised it against its limit, `34.2 / 30 mA`; a dash where nothing was measured. */
export function ValueAgainstLimit({ event }: { event: EventRecord }) {
  if (event.Value === null) return <span className="mute">–</span>
  return (
    <>
      <b>{valueText(event)}</b>
      <span className="unit">
        {event.Limit !== null && `/ ${Number(event.Limit.toFixed(1))} `}
        {event.Unit}
      </span>
    </>
  )
}

/** How long the condition has been there, or was. */
export function Lasting({ event: { RaisedAt, ReturnedAt, State } }: { event: EventRecord }) {
  const goesOn = ReturnedAt === null && (State === 'active' || State === 'acknowledged')
  return useByNow((now) => (goesOn ? span(now - RaisedAt) : ReturnedAt === null ? '–' : span(ReturnedAt - RaisedAt)))
}
