import { quarterMs } from '@linewarden/rules/energy'
import type pg from 'pg'
import { forgetLineMonths } from './forget-months.ts'
import { forgetSupplyDays } from './forget-supply-days.ts'
import { noteProfiles } from './make-quarters.ts'
import type { Stretch } from './quarter-cells.ts'

/** A stretch that other meters count than did: so many times as much. */
export interface CountedOtherwise extends Stretch {
  readonly factor: number
}

/**
 * Takes away what is known of these stretches, where readings are left to make it anew. Where they are gone, each quarter stays as it is known, so many
 * times as much: a day sums to the Wh. Whoever calls holds `energyLock` and a transaction, and makes them.
 */
export async function countOtherwise(client: pg.ClientBase, stretches: readonly CountedOtherwise[], now: number): Promise<void> {
  if (stretches.length === 0) return
  // One after the other: two of one row leave alone what lies between them.
  for (const { lineId, from, to, factor } of stretches) {
    const { rows } = await client.query<{ at: Date }>(
      'select at from reading where line_id = $1 and counter is not null order by at limit 1',
      [lineId],
    )
    const first = Math.ceil((rows[0]?.at.getTime() ?? to) / quarterMs) * quarterMs
    await multiply(client, { lineId, from, to: Math.min(to, first) }, factor)
    await forget(client, { lineId, from: Math.max(from, first), to })
  }
  await forgetLineMonths(client, stretches)
  await forgetSupplyDays(client, stretches, now)
  await noteProfiles(client, stretches)
}

/** The rows of a stretch, each with its first quarter and the one after its last. */
const rowsOfStretch = `
  select day::date as day, greatest(0, floor(extract(epoch from $2::timestamptz - day at time zone 'UTC') / 900))::int as first,
    least(96, ceil(extract(epoch from $3::timestamptz - day at time zone 'UTC') / 900))::int as after
  from generate_series(date_trunc('day', $2::timestamptz at time zone 'UTC'), date_trunc('day', $3::timestamptz at time zone 'UTC'), interval '1 day') as day`

async function forget(client: pg.ClientBase, { lineId, from, to }: Stretch): Promise<void> {
  if (from >= to) return
  await client.query(
    `update energy_quarter as made set
       wh = made.wh[:first] || array_fill(null::int, array[after - first]) || made.wh[after + 1:],
       how = substring(made.how for first) || decode(repeat('04', after - first), 'hex') || substring(made.how from after + 1)
     from (${rowsOfStretch}) as own where made.line_id = $1 and made.day = own.day and first < after`,
    [lineId, new Date(from), new Date(to)],
  )
}

/** What a row can hold. */
const maxWh = 2 ** 31 - 1

async function multiply(client: pg.ClientBase, { lineId, from, to }: Stretch, factor: number): Promise<void> {
  if (from >= to || factor === 1) return
  // What a day has come to is rounded and not each quarter of it.
  await client.query(
    `update energy_quarter as made set wh = times.wh from (
       select own.day, array_agg(case when number <= first or number > after then each
           else nullif(least(round(upto * $4::float8) - round((upto - each) * $4::float8), ${maxWh + 1}), ${maxWh + 1})::int end order by number) as wh
       from (${rowsOfStretch}) as own join energy_quarter as old on old.line_id = $1 and old.day = own.day
         cross join lateral (
           select number, each, sum(each) filter (where number > first and number <= after) over (order by number)::float8 as upto
           from unnest(old.wh) with ordinality as quarter (each, number)
         ) as quarters
       where first < after group by own.day
     ) as times where made.line_id = $1 and made.day = times.day`,
    [lineId, new Date(from), new Date(to), factor],
  )
}
