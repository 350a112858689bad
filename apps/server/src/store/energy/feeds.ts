import type { SupplySpan } from '@linewarden/rules/energy'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** A line that ever counted energy. */
export interface MeteredLine {
  readonly lineId: number
  readonly name: string
  readonly gatewayId: number
  readonly gatewayName: string
  /** Its first quarter, Unix ms. */
  readonly since: number
  /** Since when its gateway is taken out; null: it is there. */
  readonly removedAt: number | null
  /** How finely its register counts, Wh; null: not known. */
  readonly stepWh: number | null
  /** The widest class of its meters in that time, per cent; null: none is entered. */
  readonly accuracyPercent: number | null
}

/** Who measures energy in a project, and what fed what between two instants, Unix ms. Whoever shows any of it asks who may see it. */
export async function readFeeds({ general }: Database, projectId: number, from: number, to: number) {
  const [lines, spans] = await Promise.all([
    sql<MeteredRow>`
      select line_id, line.name, gateway_id, gateway.name as gateway_name, since, removed_at, step_wh,
        (select max(accuracy_pct) from meter_span where meter_span.line_id = line.line_id and starts < ${new Date(to)} and (ends is null or ends > ${new Date(from)})) as accuracy_pct
      from energy_line join line using (line_id) join device using (device_id) join gateway using (gateway_id)
      where project_id = ${projectId} and since < ${new Date(to)} and (removed_at is null or removed_at > ${new Date(from)})
      order by line.line_id`.execute(general),
    sql<SpanRow>`
      select feed_span.line_id, feed_span.fed_by, (extract(epoch from starts) * 1000)::float8 as starts, (extract(epoch from ends) * 1000)::float8 as ends
      from feed_span join line using (line_id) join device using (device_id) join gateway using (gateway_id)
      where project_id = ${projectId} and starts < ${new Date(to)} and (ends is null or ends > ${new Date(from)})`.execute(
      general,
    ),
  ])
  return { lines: lines.rows.map(lineOf), spans: spans.rows.map(spanOf) }
}

/** What fed what of a project at any time since an instant, Unix ms. */
export async function feedsFrom(db: Kysely<Schema>, projectId: number, from: number): Promise<readonly SupplySpan[]> {
  const { rows } = await sql<SpanRow>`
    select feed_span.line_id, feed_span.fed_by, (extract(epoch from starts) * 1000)::float8 as starts, (extract(epoch from ends) * 1000)::float8 as ends
    from feed_span join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where project_id = ${projectId} and (ends is null or ends > ${new Date(from)})`.execute(db)
  return rows.map(spanOf)
}

/**
 * What feeds a line has fed it since an instant, Unix ms, whatever was known of that time; null: nothing has. The days of its project since then are
 * summed again.
 */
export async function feedSince(db: Kysely<Schema>, lineId: number, upstreamId: number | null, since: number): Promise<void> {
  const at = new Date(since)
  await sql`delete from feed_span where line_id = ${lineId} and starts >= ${at}`.execute(db)
  await sql`update feed_span set ends = ${at} where line_id = ${lineId} and (ends is null or ends > ${at})`.execute(db)
  if (upstreamId !== null)
    await sql`insert into feed_span (line_id, fed_by, starts) values (${lineId}, ${upstreamId}, ${at})`.execute(db)
  await sql`
    insert into energy_profile_due (project_id, day)
    select project_id, day from energy_profile
    where kind = 'p' and id in (select project_id from line join device using (device_id) join gateway using (gateway_id) where line_id = ${lineId})
      and day >= (select (${at}::timestamptz at time zone time_zone)::date from project where project.project_id = id)
    except select project_id, day from energy_profile_due`.execute(db)
}

/** What feeds these lines has fed them ever since they are there: whoever brings in a past brings it with what fed what. */
export async function feedsSinceEver({ general }: Database, lineIds: readonly number[]): Promise<void> {
  await sql`update feed_span set starts = '-infinity' where line_id = any (${[...lineIds]}) and ends is null`.execute(general)
}

interface MeteredRow {
  readonly line_id: number
  readonly name: string
  readonly gateway_id: number
  readonly gateway_name: string
  readonly since: Date
  readonly removed_at: Date | null
  readonly step_wh: number | null
  readonly accuracy_pct: number | null
}

const lineOf = (row: MeteredRow): MeteredLine => ({
  ...{ lineId: row.line_id, name: row.name, gatewayId: row.gateway_id, gatewayName: row.gateway_name },
  ...{ since: row.since.getTime(), removedAt: row.removed_at?.getTime() ?? null, stepWh: row.step_wh },
  accuracyPercent: row.accuracy_pct,
})

interface SpanRow {
  readonly line_id: number
  readonly fed_by: number
  readonly starts: number
  readonly ends: number | null
}

const spanOf = ({ line_id, fed_by, starts, ends }: SpanRow): SupplySpan => ({
  lineId: line_id,
  upstreamId: fed_by,
  from: starts,
  to: ends,
})
