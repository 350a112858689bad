import type { AlarmSeries } from '@linewarden/rules/alarm'
import { continuesSeries, isDanger, isRaiseAnnounced, seriesAfterRaise } from '@linewarden/rules/alarm'
import type pg from 'pg'
import { prepared } from '../core/prepared.ts'
import type { EventDraft } from '../ingest/batch.ts'
import { dateOf } from './step.ts'

/** What a raise makes of the series of its alarm. */
export interface Raised {
  readonly after: AlarmSeries
  /** Whether it calls for somebody, unless it is silent for another reason. */
  readonly isAnnounced: boolean
  /** The first event of the series that it goes on with, and the newest before; null: it begins one. */
  readonly series: { readonly id: string; readonly newest: string } | null
}

const placeOf = ({ gateway, device, line, key, point }: EventDraft) => [
  line?.id ?? 0,
  gateway.id,
  device?.id ?? 0,
  key,
  point ?? '',
]

/** Reads the series of an alarm, and says what a raise makes of it. `lastRaisedAt`: of its event that is open; null: none is. */
export async function raisedInSeries(client: pg.ClientBase, draft: EventDraft, lastRaisedAt: number | null): Promise<Raised> {
  const { rows } = await prepared<SeriesRow>(
    client,
    'alarm series',
    `select series_id, event_id, occurrences, raises, returned_at, announced_at, chatter_since, chatter_at from alarm_series
     where line_id = $1 and gateway_id = $2 and device_id = $3 and key = $4 and point = $5`,
    placeOf(draft),
  )
  const [row] = rows
  const before = row ? seriesOf(row) : null
  const after = seriesAfterRaise(before, draft.at)
  const { priority, key, at } = draft
  return {
    after,
    isAnnounced: isRaiseAnnounced(after, { priority, isDanger: isDanger(key), at, lastRaisedAt }),
    series: row && before && continuesSeries(before, at) ? { id: row.series_id, newest: row.event_id } : null,
  }
}

/** Stores what a raise has made of its series, and that its event is the newest of it. */
export async function saveRaise(
  client: pg.ClientBase,
  draft: EventDraft,
  { after, series }: Raised,
  eventId: string,
  isAnnounced: boolean,
): Promise<void> {
  await prepared(
    client,
    'alarm series raised',
    `with former as (
       update event set superseded = true where event_id = $14::bigint and event_id <> $7::bigint
     )
     insert into alarm_series (line_id, gateway_id, device_id, key, point, series_id, event_id, occurrences, raises, returned_at,
       announced_at, chatter_since, chatter_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (line_id, gateway_id, device_id, key, point) do update set series_id = excluded.series_id, event_id = excluded.event_id,
       occurrences = excluded.occurrences, raises = excluded.raises, returned_at = excluded.returned_at,
       announced_at = excluded.announced_at, chatter_since = excluded.chatter_since, chatter_at = excluded.chatter_at`,
    [
      ...placeOf(draft),
      series?.id ?? eventId,
      eventId,
      after.occurrences,
      after.raises.map((at) => new Date(at)),
      dateOf(after.returnedAt),
      dateOf(isAnnounced ? draft.at : after.announcedAt),
      dateOf(after.chatterSince),
      dateOf(after.chatterAt),
      series?.newest ?? null,
    ],
  )
}

/** Stores that the alarm of a series returned. */
export async function saveReturn(client: pg.ClientBase, draft: EventDraft): Promise<void> {
  await prepared(
    client,
    'alarm series returned',
    'update alarm_series set returned_at = $6 where line_id = $1 and gateway_id = $2 and device_id = $3 and key = $4 and point = $5',
    [...placeOf(draft), new Date(draft.at)],
  )
}

interface SeriesRow {
  series_id: string
  event_id: string
  occurrences: number
  raises: Date[]
  returned_at: Date | null
  announced_at: Date | null
  chatter_since: Date | null
  chatter_at: Date | null
}

const seriesOf = (row: SeriesRow): AlarmSeries => ({
  occurrences: row.occurrences,
  raises: row.raises.map((at) => at.getTime()),
  returnedAt: row.returned_at?.getTime() ?? null,
  announcedAt: row.announced_at?.getTime() ?? null,
  chatterSince: row.chatter_since?.getTime() ?? null,
  chatterAt: row.chatter_at?.getTime() ?? null,
})
