import type pg from 'pg'
import type { Tally, TallyPlace } from './tally.ts'
import { dayFigures } from './tally.ts'

/** The columns of `dayFigures`. */
const dayColumns = ['raised', 'announced', 'folded', 'bursts', 'fleeting', 'unjustified', 'over_day', 'active_ms'] as const

/** Adds what was tallied. `isSummed`: to the sums of everything, too. */
export async function addTally(client: pg.ClientBase, tally: Tally, { isSummed }: { readonly isSummed: boolean }): Promise<void> {
  if (tally.places.length === 0) return
  const numbers = await numbersOf(client, tally.places)
  await addDays(client, tally, numbers, isSummed)
  await addTens(client, tally, numbers, isSummed)
  await addAcks(client, tally, numbers, isSummed)
  await noteCounted(client, tally, numbers)
}

/** A column for a set of rows: as the text of an array, which neither side takes apart value by value more than once. */
const column = (values: Iterable<number | string>): string => `{${[...values].join(',')}}`

/** The numbers of these places in their order; what is new gets one. One connection counts at a time. */
async function numbersOf(client: pg.ClientBase, places: readonly TallyPlace[]): Promise<readonly number[]> {
  const { rows } = await client.query<{ nth: number; place_id: number }>(
    `with given as (
       select * from jsonb_to_recordset($1::jsonb) as given (nth int, gateway_id int, project_id int, device_id int, line_id int, key text,
         kind text, priority text)
     ), made as (
       insert into event_place (gateway_id, project_id, device_id, line_id, key, kind, priority)
       select gateway_id, project_id, device_id, line_id, key, kind, priority from given
       where not exists (select from event_place
         where (event_place.gateway_id, event_place.project_id, event_place.device_id, event_place.line_id, event_place.key, event_place.kind,
           event_place.priority) = (given.gateway_id, given.project_id, given.device_id, given.line_id, given.key, given.kind, given.priority))
       returning *
     )
     select nth, place_id from given join event_place using (gateway_id, project_id, device_id, line_id, key, kind, priority)
     union all select nth, place_id from given join made using (gateway_id, project_id, device_id, line_id, key, kind, priority)`,
    [JSON.stringify(places.map((place, nth) => ({ nth, ...place })))],
  )
  const numbers: number[] = []
  for (const { nth, place_id } of rows) numbers[nth] = place_id
  return numbers
}

async function addDays(client: pg.ClientBase, tally: Tally, numbers: readonly number[], isSummed: boolean): Promise<void> {
  const rows = [...tally.days.values()]
  const figures = dayFigures.map((_, i) => column(rows.map(({ counts }) => counts[i] ?? 0)))
  const values = [...placeColumns(tally, numbers, rows), column(rows.map(({ day }) => day)), ...figures]
  const added = `unnest($1::int[], $2::int[], $3::int[], $4::int[], ${dayColumns.map((name, i) => `$${i + 5}::${name === 'active_ms' ? 'bigint' : 'int'}[]`)})
    as added (place_id, gateway_id, project_id, day, ${dayColumns})`
  await client.query(
    `insert into event_day as present (place_id, gateway_id, project_id, day, ${dayColumns}) select * from ${added}
     on conflict (gateway_id, day, place_id) do update set ${dayColumns.map(plus)}`,
    values,
  )
  if (!isSummed) return
  const summed = dayColumns.filter((name) => name !== 'active_ms')
  await client.query(
    `insert into event_day_sum as present (day, key, kind, priority, ${summed})
     select day, key, kind, priority, ${summed.map((name) => `sum(${name})`)} from ${added} join event_place using (place_id)
     group by day, key, kind, priority on conflict (day, key, kind, priority) do update set ${summed.map(plus)}`,
    values,
  )
}

async function addTens(client: pg.ClientBase, tally: Tally, numbers: readonly number[], isSummed: boolean): Promise<void> {
  const rows = [...tally.tens.values()]
  if (rows.length === 0) return
  const values = [
    ...placeColumns(tally, numbers, rows),
    ...(['ten', 'announced', 'folded'] as const).map((name) => column(rows.map((row) => row[name]))),
  ]
  const added = `unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[])
    as added (place_id, gateway_id, project_id, ten, announced, folded)`
  const figures = ['announced', 'folded'].map(plus)
  await client.query(
    `insert into event_ten as present (place_id, gateway_id, project_id, ten, announced, folded) select * from ${added}
     on conflict (gateway_id, ten, place_id) do update set ${figures}`,
    values,
  )
  if (!isSummed) return
  await client.query(
    `insert into event_ten_sum as present (ten, kind, priority, announced, folded)
     select ten, kind, priority, sum(announced), sum(folded) from ${added} join event_place using (place_id) group by ten, kind, priority
     on conflict (ten, kind, priority) do update set ${figures}`,
    values,
  )
}

async function addAcks(client: pg.ClientBase, tally: Tally, numbers: readonly number[], isSummed: boolean): Promise<void> {
  const rows = [...tally.acks.values()]
  if (rows.length === 0) return
  const values = [
    ...placeColumns(tally, numbers, rows),
    ...(['day', 'seconds', 'times'] as const).map((name) => column(rows.map((row) => row[name]))),
  ]
  const added = `unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[])
    as added (place_id, gateway_id, project_id, day, seconds, times)`
  await client.query(
    `insert into event_ack as present (place_id, gateway_id, project_id, day, seconds, times) select * from ${added}
     on conflict (gateway_id, day, place_id, seconds) do update set ${plus('times')}`,
    values,
  )
  if (!isSummed) return
  await client.query(
    `insert into event_ack_sum as present (day, kind, priority, seconds, times)
     select day, kind, priority, seconds, sum(times) from ${added} join event_place using (place_id) group by day, kind, priority, seconds
     on conflict (day, kind, priority, seconds) do update set ${plus('times')}`,
    values,
  )
}

const plus = (name: string): string => `${name} = present.${name} + excluded.${name}`

/** `place_id`, `gateway_id` and `project_id` of rows. */
const placeColumns = ({ places }: Tally, numbers: readonly number[], rows: readonly { readonly place: number }[]): string[] => [
  column(rows.map(({ place }) => numbers[place] ?? 0)),
  column(rows.map(({ place }) => places[place]?.gateway_id ?? 0)),
  column(rows.map(({ place }) => places[place]?.project_id ?? 0)),
]

/** Keeps which steps were counted as what: the list behind a figure. */
async function noteCounted(client: pg.ClientBase, tally: Tally, numbers: readonly number[]): Promise<void> {
  const { steps } = tally
  if (steps.length === 0) return
  await client.query(
    `insert into event_counted (place_id, gateway_id, project_id, event_id, step_id, at, day, priority, counted, since)
     select place_id, gateway_id, project_id, event_id, step_id, timestamptz 'epoch' + at_ms * interval '1 ms', day, priority, counted,
       timestamptz 'epoch' + since_ms * interval '1 ms'
     from unnest($1::int[], $2::int[], $3::int[], $4::bigint[], $5::bigint[], $6::bigint[], $7::int[], $8::text[], $9::smallint[], $10::bigint[])
       as added (place_id, gateway_id, project_id, event_id, step_id, at_ms, day, priority, counted, since_ms)
     on conflict (event_id, step_id) do update set at = excluded.at, day = excluded.day, gateway_id = excluded.gateway_id,
       project_id = excluded.project_id, place_id = excluded.place_id, counted = excluded.counted, since = excluded.since`,
    [
      ...placeColumns(tally, numbers, steps),
      column(steps.map(({ event_id }) => event_id)),
      column(steps.map(({ step_id }) => step_id)),
      column(steps.map(({ at }) => at)),
      column(steps.map(({ day }) => day)),
      column(steps.map(({ priority }) => priority)),
      column(steps.map(({ counted }) => counted)),
      column(steps.map(({ since }) => since ?? 'null')),
    ],
  )
}

/** Makes the sums of everything from the counts of places. */
export async function sumAnew(client: pg.ClientBase): Promise<void> {
  await client.query('delete from event_recount where gateway_id = 0 and project_id = 0')
  await client.query(`set local work_mem = '96MB'`)
  for (const table of ['event_ten_sum', 'event_day_sum', 'event_ack_sum']) await client.query(`delete from ${table}`)
  await client.query(`insert into event_ten_sum (ten, kind, priority, announced, folded)
    select ten, kind, priority, sum(announced), sum(folded) from event_ten join event_place using (place_id) group by ten, kind, priority`)
  await client.query(`insert into event_day_sum (day, key, kind, priority, raised, announced, folded, bursts, fleeting, unjustified, over_day)
    select day, key, kind, priority, sum(raised), sum(announced), sum(folded), sum(bursts), sum(fleeting), sum(unjustified), sum(over_day)
    from event_day join event_place using (place_id) group by day, key, kind, priority`)
  await client.query(`insert into event_ack_sum (day, kind, priority, seconds, times)
    select day, kind, priority, seconds, sum(times) from event_ack join event_place using (place_id) group by day, kind, priority, seconds`)
}
