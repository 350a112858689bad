import { hourMs } from '@linewarden/equipment'
import type pg from 'pg'
import type { Stretch } from './quarter-cells.ts'

/** Days of supplies that ended before this instant are summed: what is reported in time has come by then. */
export const summedUntil = (now: number): number => now - 3 * hourMs
/** No day that holds a later quarter is summed yet, by whatever clock of two servers. */
const neverSummed = (now: number): number => now - 2 * hourMs

/** Days and months of supplies of whose lines something has changed are no longer true, and are to be made. */
export async function forgetSupplyDays(client: pg.ClientBase, changed: readonly Stretch[], now: number): Promise<void> {
  const past = changed.filter(({ from }) => from < neverSummed(now))
  if (past.length === 0) return
  // Two hours on either side: a clock that falls back over midnight gives its quarters to the later date.
  await client.query(
    `with touched as (
       select distinct supply_id, day::date
       from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as changed (id, starts, ends)
         join supply on members @> jsonb_build_array(jsonb_build_object('lineId', id)) join project using (project_id)
         cross join lateral generate_series(((starts - interval '2 hours') at time zone time_zone)::date,
           ((ends + interval '2 hours') at time zone time_zone)::date, interval '1 day') as day
     ), gone as (
       delete from energy_supply using touched
       where energy_supply.supply_id = touched.supply_id and ((level = 'd' and start = day) or (level = 'm' and start = date_trunc('month', day)::date))
     )
     insert into energy_supply_due (supply_id, day) select * from touched except select supply_id, day from energy_supply_due`,
    [past.map(({ lineId }) => lineId), past.map(({ from }) => new Date(from)), past.map(({ to }) => new Date(to))],
  )
}
