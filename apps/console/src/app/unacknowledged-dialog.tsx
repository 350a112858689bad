import type { EventRecord } from '@linewarden/contract'
import { listUnacknowledged } from '@linewarden/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '../paths.ts'
import { said } from '../texts/i18n.ts'
import { CloseFoot, Dialog } from '../ui/dialog.tsx'
import { clockTime } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { isolated, Place, placeNames } from '../ui/place.tsx'
import { api } from './api.ts'
import { EventValue, placeOf } from './event-parts.tsx'
import { acknowledge, unacknowledgedKey } from './unacknowledged.ts'
import { Unloaded } from './unloaded.tsx'
import { useMayEdit, useMayOpen } from './use-may.ts'
import './unacknowledged-dialog.css'

/** All that nobody has acknowledged, the worst first: acknowledged one by one or together, and a way to where it is. */
export function UnacknowledgedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  const mayEdit = useMayEdit()
  const [busy, setBusy] = useState(false)
  const query = useInfiniteQuery({
    queryKey: [...unacknowledgedKey, 'list'],
    queryFn: ({ pageParam, signal }) =>
      api.call(listUnacknowledged, { body: pageParam === null ? {} : { After: pageParam } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ about }) => about.Next,
  })
  const events = query.data?.pages.flatMap(({ items }) => items) ?? []
  const total = query.data?.pages[0]?.total ?? 0
  const seen = async (which: readonly EventRecord[]) => {
    setBusy(true)
    await acknowledge(which)
    setBusy(false)
  }
  return (
    <Dialog label={t('unacknowledged')} wide onClose={onClose}>
      <h2>{query.data ? t('unacknowledgedCount', { count: total }) : t('unacknowledged')}</h2>
      <p className="mute">{t('unacknowledgedHint')}</p>
      {!query.data && <Unloaded query={query} />}
      {query.data && events.length === 0 && <p className="mute">{t('unacknowledgedNone')}</p>}
      <ul className="unacknowledged">
        {events.map((event) => (
          <EventRow
            key={event.EventID}
            event={event}
            busy={busy}
            onAcknowledge={mayEdit ? () => seen([event]) : null}
            onLeave={onClose}
          />
        ))}
      </ul>
      {query.hasNextPage && (
        <button type="button" className="btn" disabled={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {t('moreEvents')}
        </button>
      )}
      <CloseFoot onClose={onClose}>
        {mayEdit && events.length > 1 && (
          <button type="button" className="btn primary" disabled={busy} onClick={() => seen(events)}>
            {t('acknowledgeListed', { count: events.length })}
          </button>
        )}
      </CloseFoot>
    </Dialog>
  )
}

function EventRow({
  event,
  busy,
  onAcknowledge,
  onLeave,
}: {
  event: EventRecord
  busy: boolean
  /** Null: whoever only reads acknowledges nothing. */
  onAcknowledge: (() => void) | null
  onLeave: () => void
}) {
  const { t } = useTranslation('monitor')
  const navigate = useNavigate()
  const mayView = useMayOpen(paths.realtime)
  const kind = event.Kind === 'journal' ? 'warning' : event.Kind
  const where = placeNames(event.Where)
  const name = `${said(event.Label)} ${isolated(where)}`
  return (
    <li>
      <Mark kind={kind} size={16} />
      <span className="hidden-visually">{t(`kinds.${kind}`)}</span>
      <span className="about">
        <b>{said(event.Label)}</b> <EventValue event={event} />
        <span className="mute">
          <Place names={where} />
        </span>
      </span>
      <span className="since mute">
        {clockTime(event.RaisedAt)}
        {event.Raises > 1 && ` · ${t('raisedTimes', { count: event.Raises })}`}
        <span>{event.Historical ? t('backfilled') : event.State === 'returned' ? t('returned') : t('stillActive')}</span>
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
