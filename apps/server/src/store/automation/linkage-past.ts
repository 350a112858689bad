import { COUNTER_SLOT } from '@linewarden/equipment'
import type { Comparison } from '@linewarden/rules/automation'
import type pg from 'pg'

/** Unix ms; the end is excluded. */
export interface PastStretch {
  readonly from: number
  readonly to: number
}

/** A point of a line against its limit. */
export interface WatchedPoint {
  readonly lineId: number
  readonly slot: number
  readonly op: Comparison
  readonly value: number
  readonly release: number
  /** Silent for longer than this, and the value is not known. */
  readonly silenceMs: number
}

/** A reading that stands otherwise to its limit than the one before, or comes after a gap, or is the last. */
export interface ChangedReading {
  /** Device time, Unix ms. */
  readonly at: number
  /** Of the reading before it in this stretch; null: there is none. */
  readonly before: number | null
  /** Null: its clock was off. */
  readonly value: number | null
}

/** How a value stands to the limit, $2 the limit and $3 where its release is. */
const bands: Readonly<Record<Comparison, string>> = {
  '>': 'when own > limited then 2 when own > released then 1',
  '>=': 'when own >= limited then 2 when own > released then 1',
  '<': 'when own < limited then 2 when own < released then 1',
  '<=': 'when own <= limited then 2 when own < released then 1',
  '=': 'when own = limited then 2',
  '!=': 'when own <> limited then 2',
}

/**
 * The readings of one point by which a linkage goes on, oldest first; what lies between two of them changes nothing. Back-filled readings were
 * never live, and are left out. Limits are compared in the precision in which readings are stored.
 */
export async function changedReadings(
  client: pg.ClientBase,
  { lineId, slot, op, value, release, silenceMs }: WatchedPoint,
  { from, to }: PastStretch,
): Promise<readonly ChangedReading[]> {
  const [column, type] = slot === COUNTER_SLOT ? ['counter', 'float8'] : [`v${slot}`, 'real']
  const released = op === '>' || op === '>=' ? value - release : value + release
  // Written out, so that the planner leaves the partitions of all other days alone.
  const written = (at: number) => `timestamptz '${new Date(at).toISOString()}'`
  const { rows } = await client.query({
    rowMode: 'array',
    text: `select at, before, own from (
        select at, own, band, lag(at) over times as before, lag(band) over times as was, lead(at) over times is null as last
        from (select (extract(epoch from at) * 1000)::float8 as at, own,
            case when own is null then -1 ${bands[op]} else 0 end as band
          from (select at, case when quality & 1 = 0 then ${column} end as own, $2::${type} as limited, $3::${type} as released
            from reading where line_id = $1 and at >= ${written(from)} and at < ${written(to)}
              and quality & 2 = 0 and ${column} is not null offset 0) as live) as banded
        window times as (order by at)) as seen
      where before is null or band <> was or at - before > $4 or last order by at`,
    values: [lineId, value, released, silenceMs],
  })
  return (rows as unknown as readonly (readonly [number, number | null, number | null])[]).map(([at, before, own]) => ({
    ...{ at, before, value: own },
  }))
}

/** What a point was last reported to be at each of these instants (Unix ms), at most `silenceMs` before; null: nothing. */
export async function readingsAt(
  client: pg.ClientBase,
  { lineId, slot, silenceMs }: Pick<WatchedPoint, 'lineId' | 'slot' | 'silenceMs'>,
  instants: readonly number[],
): Promise<readonly (number | null)[]> {
  const column = slot === COUNTER_SLOT ? 'counter' : `v${slot}`
  const { rows } = await client.query<{ value: number | null }>(
    `select value from unnest($2::timestamptz[]) with ordinality as wanted (instant, nth)
     left join lateral (select ${column} as value from reading where line_id = $1 and at <= instant
       and at >= instant - $3 * interval '1 millisecond' and quality & 3 = 0 and ${column} is not null order by at desc limit 1) as own on true
     order by nth`,
    [lineId, instants.map((at) => new Date(at)), silenceMs],
  )
  return rows.map(({ value }) => value)
}

/** An event began or ended; `eventId` tells several of one kind apart. */
export interface PastStep {
  readonly eventId: string
  /** Device time, Unix ms. */
  readonly at: number
  readonly isOpen: boolean
}

/** Alarms of one key on a line, of one point where one is named: those that were open in the stretch, as they began and ended. */
export const alarmSteps = (
  client: pg.ClientBase,
  { lineId, key, point }: { readonly lineId: number; readonly key: string; readonly point: string | null },
  stretch: PastStretch,
): Promise<readonly PastStep[]> =>
  steps(client, 'line_id = $3 and key = $4 and ($5::text is null or point = $5)', [lineId, key, point], stretch)

/** Losses of the link of a device, its own and that of its gateway. */
export const linkSteps = (
  client: pg.ClientBase,
  { gatewayId, deviceId }: { readonly gatewayId: number; readonly deviceId: number },
  stretch: PastStretch,
): Promise<readonly PastStep[]> =>
  steps(
    client,
    `gateway_id = $3 and (key = 'gateway.offline' or (key = 'device.offline' and device_id = $4))`,
    [gatewayId, deviceId],
    stretch,
  )

async function steps(
  client: pg.ClientBase,
  which: string,
  values: readonly unknown[],
  { from, to }: PastStretch,
): Promise<readonly PastStep[]> {
  const { rows } = await client.query<{ event_id: string; at: Date; act: 'raise' | 'return' }>(
    `select event_id::text, at, act from event_transition join event using (event_id)
     where ${which} and not historical and raised_at < $2 and (returned_at is null or returned_at >= $1)
       and act in ('raise', 'return') and at < $2 order by at, step_id`,
    [new Date(from), new Date(to), ...values],
  )
  return rows.map(({ event_id, at, act }) => ({ eventId: event_id, at: at.getTime(), isOpen: act === 'raise' }))
}
