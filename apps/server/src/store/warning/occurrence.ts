import type pg from 'pg'

/** A gateway, a device behind one (`deviceId`), or a line. */
export interface OccurrencePlace {
  readonly gatewayId: number
  readonly deviceId: number | null
  readonly lineId: number | null
}

/** When something happened at a place, Unix ms. */
export interface Occurrences extends OccurrencePlace {
  readonly at: readonly number[]
}

interface Row {
  gateway_id: number
  device_id: number | null
  line_id: number | null
  at: Date[]
}

const occurrencesOf = (rows: readonly Row[]): readonly Occurrences[] =>
  rows.map(({ gateway_id, device_id, line_id, at }) => ({
    gatewayId: gateway_id,
    deviceId: device_id,
    lineId: line_id,
    at: at.map((each) => each.getTime()),
  }))

/** The protective trips of each line since then. */
export async function tripsSince(client: pg.ClientBase, since: number): Promise<readonly Occurrences[]> {
  const { rows } = await client.query<Row>(
    `select gateway_id, null::int as device_id, line_id, array_agg(raised_at) as at from event_occurrence
     where raised_at >= $1 and key like 'trip.%' and kind = 'alarm' and line_id is not null and not historical
     group by gateway_id, line_id`,
    [new Date(since)],
  )
  return occurrencesOf(rows)
}

const losses = "('gateway.stale', 'gateway.offline', 'device.stale', 'device.offline')"
/** One that fell silent first and was then given up was lost once. Of rows called `lost`. */
const isLoss = `(key like '%.stale' or not exists (
  select from event_transition returned join event silent using (event_id)
  where returned.at = lost.raised_at and act = 'return' and silent.gateway_id = lost.gateway_id
    and silent.device_id is not distinct from lost.device_id and silent.key like '%.stale'))`

/** How often each gateway and device was lost since then. */
export async function lossesSince(client: pg.ClientBase, since: number): Promise<readonly Occurrences[]> {
  const { rows } = await client.query<Row>(
    `with lost as (
       select gateway_id, device_id, key, raised_at from event_occurrence
       where raised_at >= $1 and key in ${losses} and gateway_id is not null
     )
     select gateway_id, device_id, null::int as line_id, array_agg(raised_at) as at from lost
     where ${isLoss}
     group by gateway_id, device_id`,
    [new Date(since)],
  )
  return occurrencesOf(rows)
}

/** Where findings of a detector are open. */
export async function openPlaces(client: pg.ClientBase, key: string): Promise<readonly OccurrencePlace[]> {
  const { rows } = await client.query<Omit<Row, 'at'>>(
    `select gateway_id, device_id, line_id from event join warning_evidence using (event_id)
     where key = $1 and state in ('active', 'acknowledged') and not historical and gateway_id is not null`,
    [key],
  )
  return rows.map(({ gateway_id, device_id, line_id }) => ({ gatewayId: gateway_id, deviceId: device_id, lineId: line_id }))
}

/** Whether a gateway, or a device behind it, is away by what the database has: another server may have heard of it. */
export async function isAwayStored(client: pg.ClientBase, { gatewayId, deviceId }: OccurrencePlace): Promise<boolean> {
  const { rows } = await client.query<{ away: boolean }>(
    `select coalesce(device.link, gateway.link) in ('stale', 'offline') as away from gateway left join device
       on device.gateway_id = gateway.gateway_id and device_id = $2 where gateway.gateway_id = $1`,
    [gatewayId, deviceId],
  )
  return rows[0]?.away === true
}

/** Where findings of a detector were ended by a person since then, as explained, and when last, Unix ms; not where that was taken back. */
export async function explainedSince(
  client: pg.ClientBase,
  key: string,
  since: number,
): Promise<readonly (OccurrencePlace & { readonly at: number })[]> {
  const { rows } = await client.query<Omit<Row, 'at'> & { at: Date }>(
    `select gateway_id, device_id, line_id, max(ended.at) as at from event join event_transition ended using (event_id)
     where key = $1 and event.returned_at >= $2 and ended.act = 'return' and ended.actor is not null and gateway_id is not null
       and not exists (select from warning_baseline own where own.event_id = event.event_id and undone_at is not null)
     group by gateway_id, device_id, line_id`,
    [key, new Date(since)],
  )
  return rows.map((row) => ({ gatewayId: row.gateway_id, deviceId: row.device_id, lineId: row.line_id, at: row.at.getTime() }))
}

/** Whether somebody has explained that a gateway, or a device behind it, is away, and it has not been lost again since. */
export async function isAbsenceExplained(
  client: pg.ClientBase,
  key: string,
  { gatewayId, deviceId }: OccurrencePlace,
): Promise<boolean> {
  const { rows } = await client.query<{ explained: boolean }>(
    `with explained as (
       select max(ended.at) as at from event join event_transition ended using (event_id)
       where key = $1 and gateway_id = $2 and device_id is not distinct from $3::int and ended.act = 'return' and ended.actor is not null
     )
     select explained.at is not null and not exists (
       select from event_occurrence lost where gateway_id = $2 and device_id is not distinct from $3::int and key in ${losses}
         and raised_at > explained.at and ${isLoss}) as explained
     from explained`,
    [key, gatewayId, deviceId],
  )
  return rows[0]?.explained === true
}
