import { dayMs } from '@linewarden/equipment'
import { civilZone, dateText, parseDate } from '@linewarden/rules/automation'
import { boundaryOf, quarterMs, quartersOfClock, slotsOfDay, startOfDay, upstreamAt } from '@linewarden/rules/energy'
import type pg from 'pg'
import { inTurn } from './due.ts'
import { forgetMonth } from './forget-months.ts'
import type { ScopeDay } from './profile-sums.ts'
import { profileOf, readSums } from './profile-sums.ts'

/**
 * Makes the days of projects that are noted as due, the latest first, until it is done or `until` says that it is enough. Answers how many.
 */
export async function makeDueProfiles(client: pg.ClientBase, now: number, until: () => boolean = () => false): Promise<number> {
  let count = 0
  const next = async () => {
    const { rows } = await client.query<{ project_id: number; day: string }>(
      `with next as (select project_id, day from energy_profile_due order by day desc, project_id limit 1)
       delete from energy_profile_due as due using next where due.project_id = next.project_id and due.day = next.day
       returning due.project_id, due.day::text`,
    )
    const [row] = rows
    if (!row) return false
    count += 1
    await makeProfiles(client, row.project_id, parseDate(row.day) ?? 0, now)
    return true
  }
  while (!until() && (await inTurn(client, next)));
  return count
}

interface LineOf {
  readonly line_id: number
  readonly gateway_id: number
  readonly since: Date
}

/** The day of a project and of each of its gateways. */
async function makeProfiles(client: pg.ClientBase, projectId: number, day: number, now: number): Promise<void> {
  const timeZone = await zoneOf(client, projectId)
  if (timeZone === null) return
  const zone = civilZone(timeZone)
  const slots = slotsOfDay(zone, day)
  const [from, to] = [startOfDay(zone, day), startOfDay(zone, day + 1)]
  const { rows: lines } = await client.query<LineOf>(
    `select line_id, gateway_id, since from energy_line join line using (line_id) join device using (device_id) join gateway using (gateway_id)
     where project_id = $1 and since < $2 and (removed_at is null or removed_at > $3)`,
    [projectId, new Date(to), new Date(from)],
  )
  if (slots.length === 0 || from >= now) return
  // Whoever made this day may not have seen that its last gateway was moved away meanwhile.
  if (lines.length === 0)
    return void (await client.query(`delete from energy_profile where kind = 'p' and id = $1 and day = $2`, [
      projectId,
      dateText(day),
    ]))
  // As it is at the end of the day: a line that is fed otherwise from some date on is counted so from that date on.
  const feeds = await feedsOf(client, projectId, Math.min(to, now))
  const scopes = scopesOf(projectId, lines, feeds)
  const days = utcDays(from, to)
  const sums = await readSums(client, scopes, days)
  const rows = scopes.map((scope) =>
    profileOf(scope, sums.get(scope) ?? [], slots, (slot) => (slot - (days[0] ?? 0)) / quarterMs),
  )
  await client.query(
    `insert into energy_profile (kind, id, day, project_id, gateway_id, wh, missing, spread, estimated, entered, lines, fed, used, spread_used,
       estimated_used, entered_used, lacking, unknown)
     select kind, id, $1::date, $2, gateway_id, wh::float8[], missing::int[], spread::float8[], estimated::float8[], entered::float8[], lines, fed,
       used, spread_used, estimated_used, entered_used, lacking, unknown
     from jsonb_to_recordset($3::jsonb) as row (kind "char", id int, gateway_id int, wh text, missing text, spread text, estimated text, entered text,
       lines int, fed boolean, used float8, spread_used float8, estimated_used float8, entered_used float8, lacking int, unknown int)
     on conflict (kind, id, day) do update set project_id = excluded.project_id, wh = excluded.wh, missing = excluded.missing,
       spread = excluded.spread, estimated = excluded.estimated, entered = excluded.entered, lines = excluded.lines, fed = excluded.fed,
       used = excluded.used, spread_used = excluded.spread_used, estimated_used = excluded.estimated_used,
       entered_used = excluded.entered_used, lacking = excluded.lacking, unknown = excluded.unknown`,
    [dateText(day), projectId, JSON.stringify(rows)],
  )
  await forgetMonth(client, projectId, day, scopes)
}

export async function zoneOf(client: pg.ClientBase, projectId: number): Promise<string | null> {
  const { rows } = await client.query<{ time_zone: string }>('select time_zone from project where project_id = $1', [projectId])
  return rows[0]?.time_zone ?? null
}

/** What fed which of the project's lines at an instant. */
async function feedsOf(client: pg.ClientBase, projectId: number, at: number): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ line_id: number; fed_by: number }>(
    `select line_id, feed_span.fed_by from feed_span join line using (line_id) join device using (device_id) join gateway using (gateway_id)
     where project_id = $1 and starts < $2 and (ends is null or ends >= $2)`,
    [projectId, new Date(at)],
  )
  return upstreamAt(
    rows.map(({ line_id, fed_by }) => ({ lineId: line_id, upstreamId: fed_by, from: Number.NEGATIVE_INFINITY, to: null })),
    at,
  )
}

/** The project and its gateways, each with the lines that nothing within it feeds. */
function scopesOf(projectId: number, lines: readonly LineOf[], feeds: ReadonlyMap<number, number>): readonly ScopeDay[] {
  const metered = new Set(lines.map(({ line_id }) => line_id))
  const since = new Map(lines.map((each) => [each.line_id, each.since.getTime()]))
  const scopeOf = (kind: ScopeDay['kind'], id: number, own: readonly LineOf[]): ScopeDay => {
    const ids = own.map(({ line_id }) => line_id)
    const counted = boundaryOf(new Set(ids), metered, feeds)
    return {
      ...{ kind, id, gatewayId: kind === 'g' ? id : null, isFed: counted.length < ids.length },
      lines: counted.map((lineId) => ({ lineId, since: since.get(lineId) ?? 0 })),
    }
  }
  const byGateway = new Map<number, LineOf[]>()
  for (const line of lines) byGateway.set(line.gateway_id, [...(byGateway.get(line.gateway_id) ?? []), line])
  return [scopeOf('p', projectId, lines), ...[...byGateway].map(([id, own]) => scopeOf('g', id, own))]
}

/** Midnights of UTC of the rows that hold a stretch. */
function utcDays(from: number, to: number): readonly number[] {
  const first = Math.floor(from / dayMs) * dayMs
  return Array.from({ length: Math.ceil((to - first) / (quartersOfClock * quarterMs)) }, (_, index) => first + index * dayMs)
}
