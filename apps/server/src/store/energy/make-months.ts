import { dayMs } from '@linewarden/equipment'
import { civilZone, dateText, parseDate } from '@linewarden/rules/automation'
import { nextMonthStart, quarterMs, startOfDay } from '@linewarden/rules/energy'
import type pg from 'pg'
import { inTurn } from './due.ts'
import { zoneOf } from './make-profiles.ts'

/**
 * Makes the months of projects that are noted as due, the latest first, until it is done or `until` says that it is enough: those that are over, and of
 * which no quarter is still to be made. Answers how many.
 */
export async function makeDueMonths(client: pg.ClientBase, now: number, until: () => boolean = () => false): Promise<number> {
  let count = 0
  const next = async () => {
    const { rows } = await client.query<{ project_id: number; month: string }>(
      `with next as (
         select project_id, month from energy_month_due
         where month + interval '1 month 1 day' < $1::timestamptz and not exists (
           select from energy_due where starts < month + interval '1 month 1 day' and ends > month - interval '1 day')
         order by month desc, project_id limit 1
       )
       delete from energy_month_due as due using next where due.project_id = next.project_id and due.month = next.month
       returning due.project_id, due.month::text`,
      [new Date(now)],
    )
    const [row] = rows
    if (!row) return false
    count += 1
    await makeMonths(client, row.project_id, parseDate(row.month) ?? 0)
    return true
  }
  while (!until() && (await inTurn(client, next)));
  return count
}

async function makeMonths(client: pg.ClientBase, projectId: number, month: number): Promise<void> {
  const timeZone = await zoneOf(client, projectId)
  if (timeZone === null) return
  const zone = civilZone(timeZone)
  const end = nextMonthStart(month)
  await client.query(
    `insert into energy_month (kind, id, month, project_id, gateway_id, used, spread_used, estimated_used, entered_used, known, complete, lines, fed)
     select kind, id, $2, $1, min(gateway_id), sum(used), sum(spread_used), sum(estimated_used), sum(entered_used),
       sum(cardinality(wh) - unknown), sum(cardinality(wh) - lacking), max(lines), bool_or(fed)
     from (select 'p'::"char" as kind, $1::int as id union all select 'g', gateway_id from gateway where project_id = $1) as own
       join energy_profile using (kind, id) where day >= $2::date and day < $3::date group by kind, id
     on conflict do nothing`,
    [projectId, dateText(month), dateText(end)],
  )
  const [from, to] = [startOfDay(zone, month), startOfDay(zone, end)]
  await client.query(
    `insert into energy_month (kind, id, month, project_id, gateway_id, used, spread_used, estimated_used, entered_used, known, complete, lines, fed)
     select 'l', line_id, $2, $1, gateway_id, sum(each), coalesce(sum(each) filter (where mark = 1), 0),
       coalesce(sum(each) filter (where mark = 2), 0), coalesce(sum(each) filter (where mark = 3), 0), count(*), count(*), 1, false
     from line join device using (device_id) join gateway using (gateway_id) join energy_quarter using (line_id)
       cross join lateral (
         select (day - $3::date) * 96 + number::int - 1 as place, each, get_byte(how, number::int - 1) as mark
         from unnest(wh) with ordinality as own (each, number)
       ) as quarter
     where project_id = $1 and day >= $3::date and day <= $4::date and each is not null and place >= $5 and place < $6
       and not exists (select from energy_month as made where kind = 'l' and id = line_id and month = $2)
     group by line_id, gateway_id
     on conflict do nothing`,
    [
      projectId,
      dateText(month),
      dateText(Math.floor(from / dayMs)),
      dateText(Math.floor(to / dayMs)),
      placeOf(from, from),
      placeOf(from, to),
    ],
  )
}

/** Which quarter an instant begins, from the first one of the day of UTC in which `from` lies. */
const placeOf = (from: number, at: number): number => (at - Math.floor(from / dayMs) * dayMs) / quarterMs
