import type { EventRecord } from '@linewarden/contract'
import { listUnacknowledged, placeNames } from '@linewarden/contract'
import { isUnacknowledged } from '@linewarden/rules/alarm'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { CSSProperties, Ref } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { Segments } from '../../ui/fields.tsx'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { drawnKind, Mark } from '../../ui/mark.tsx'
import { isolated, Place } from '../../ui/place.tsx'
import { EventValue, placeOf } from './event-parts.tsx'
import { acknowledge } from './unacknowledged.ts'
import './unacknowledged-dialog.css'

const pageSize = 200
/** So many rows before the end the next page is asked for. */
const prefetch = 20

/** The events that still need somebody, the worst first: acknowledged one by one or together, and a way to where each is. */
export function UnacknowledgedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  const mayEdit = useMayEdit()
  const mayList = useMayOpen(paths.alarms)
  const [busy, setBusy] = useState(false)
  const [which, setWhich] = useState<'unacknowledged' | 'open'>('unacknowledged')
  const query = useInfiniteQuery({
    queryKey: [...keyOf(listUnacknowledged), 'pages', which],
    queryFn: ({ pageParam, signal }) =>
      api.call(
        listUnacknowledged,
        { body: { Acknowledged: which === 'open', Size: pageSize, ...(pageParam !== null && { After: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ about }) => about.Next,
  })
  const events = query.data?.pages.flatMap(({ items }) => items) ?? []
  const pending = events.filter(({ State }) => isUnacknowledged(State))
  const total = query.data?.pages[0]?.total ?? 0
  const seen = async (events: readonly EventRecord[]) => {
    setBusy(true)
    await acknowledge(events)
    setBusy(false)
  }
  const heading = which === 'open' ? 'openCount' : 'unacknowledgedCount'
  return (
    <Dialog label={t('unacknowledged')} wide onClose={onClose}>
      <h2>{query.data ? t(heading, { count: total }) : t('unacknowledged')}</h2>
      <div className="which">
        <Segments
          label={t('whichEvents')}
          value={which}
          options={[
            { value: 'unacknowledged', label: t('unacknowledged') },
            { value: 'open', label: t('openEvents') },
          ]}
          onChange={setWhich}
        />
      </div>
      <p className="mute">{t(which === 'open' ? 'openHint' : 'unacknowledgedHint')}</p>
      {!query.data && <Unloaded query={query} />}
      {query.data && events.length === 0 && <p className="mute">{t(which === 'open' ? 'openNone' : 'unacknowledgedNone')}</p>}
      <EventList
        events={events}
        total={total}
        busy={busy}
        onNeedMore={query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : null}
        onAcknowledge={mayEdit ? (event) => seen([event]) : null}
        onLeave={onClose}
      />
      <CloseFoot onClose={onClose}>
        {mayList && (
          <Link className="btn" to={paths.alarms} onClick={onClose}>
            {t('alarmList')}
          </Link>
        )}
        {mayEdit && pending.length > 1 && (
          <button type="button" className="btn primary" disabled={busy} onClick={() => seen(pending)}>
            {t('acknowledgeListed', { count: pending.length })}
          </button>
        )}
      </CloseFoot>
    </Dialog>
  )
}

/** Of a flood of thousands only the rows in sight are drawn. */
function EventList({
  events,
  total,
  busy,
  onNeedMore,
  onAcknowledge,
  onLeave,
}: {
  events: readonly EventRecord[]
  total: number
  busy: boolean
  /** Null: there is no more, or it is on its way. */
  onNeedMore: (() => void) | null
  /** Null: whoever only reads acknowledges nothing. */
  onAcknowledge: ((event: EventRecord) => void) | null
  onLeave: () => void
}) {
  const { t } = useTranslation('monitor')
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => events[index]?.EventID ?? index,
    estimateSize: () => 56,
    overscan: 8,
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => {
    if (events.length > 0 && last >= events.length - prefetch) onNeedMore?.()
  }, [events.length, last, onNeedMore])
  if (events.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <div className="event-scroller" ref={scroller} tabIndex={0} role="region" aria-label={t('whichEvents')}>
      <ul className="unacknowledged" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, key, start }) => {
          const event = events[index]
          return (
            event && (
              <EventRow
                key={key}
                ref={virtual.measureElement}
                index={index}
                total={total}
                style={{ transform: `translateY(${start}px)` }}
                event={event}
                busy={busy}
                onAcknowledge={onAcknowledge && isUnacknowledged(event.State) ? () => onAcknowledge(event) : null}
                onLeave={onLeave}
              />
            )
          )
        })}
      </ul>
    </div>
  )
}

function EventRow({
  ref,
  index,
  total,
  style,
  event,
  busy,
  onAcknowledge,
  onLeave,
}: {
  ref: Ref<HTMLLIElement>
  index: number
  total: number
  style: CSSProperties
  event: EventRecord
  busy: boolean
  /** Null: there is nothing to acknowledge, or not for this person. */
  onAcknowledge: (() => void) | null
  onLeave: () => void
}) {
  const { t } = useTranslation(['monitor', 'app'])
  const navigate = useNavigate()
  const mayView = useMayOpen(paths.realtime)
  const kind = drawnKind(event.Kind)
  const where = placeNames(event.Where)
  const name = `${localised(event.Label)} ${isolated(where)}`
  return (
    <li ref={ref} data-index={index} style={style} aria-posinset={index + 1} aria-setsize={total}>
      <Mark kind={kind} size={16} />
      <span className="hidden-visually">{t(`kinds.${kind}`)}</span>
      <span className="about">
        <b>{localised(event.Label)}</b> <EventValue event={event} /> <LineTag lineId={event.LineID} />
        <span className="mute">
          <Place names={where} />
        </span>
      </span>
      <span className="since mute">
        {clockTime(event.RaisedAt)}
        {event.Raises > 1 && ` · ${t('raisedTimes', { count: event.Raises })}`}
        <span>{event.Historical ? t('app:backFilled') : event.State === 'returned' ? t('returned') : t('stillActive')}</span>
        {event.AcknowledgedAt !== null && (
          <span>{t('acknowledgedBy', { name: event.AcknowledgedBy ?? '', time: clockTime(event.AcknowledgedAt) })}</span>
        )}
      </span>
      <span className="act">
        {onAcknowledge && (
          <button
            type="button"
            className="btn small quiet"
            disabled={busy}
            aria-label={`${t('acknowledge')} ${name}`}
            onClick={onAcknowledge}
          >
            {t('acknowledge')}
          </button>
        )}
        {mayView && (
          <button
            type="button"
            className="btn small"
            aria-label={`${t('view')} ${name}`}
            onClick={() => {
              onLeave()
              navigate(placeOf(event))
            }}
          >
            {t('view')}
          </button>
        )}
      </span>
    </li>
  )
}
