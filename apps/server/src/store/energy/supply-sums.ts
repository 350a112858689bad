import { dateText, parseDate } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../core/database.ts'

/** Energy of a supply in a day or a month that is over, by band. */
export interface SupplySum {
  /** Its first date. */
  readonly start: number
  /** What it was made of: true only where the same counts now. */
  readonly madeOf: string
  readonly versionId: number | null
  readonly used: number
  readonly spread: number
  readonly estimated: number
  readonly entered: number
  readonly quarters: number
  readonly known: number
  /** Eight; those that its version does not have are nought. */
  readonly whByBand: readonly number[]
  /** What a series makes of them, in 10^-11; null: its version has none. */
  readonly seriesByBand: readonly bigint[] | null
  readonly priced: number
  readonly unpriced: number
  readonly unpricedWh: number
}

/** d: days, m: months. */
export type SupplyLevel = 'd' | 'm'

/** What is stored of a supply and begins in one of these periods, by its first date. */
export async function readSupplySums(
  { general }: Database,
  supplyId: number,
  level: SupplyLevel,
  periods: readonly CivilPeriod[],
): Promise<ReadonlyMap<number, SupplySum>> {
  if (periods.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select start - date '1970-01-01' as start, made_of, version_id, used, spread_used, estimated_used, entered_used, quarters, known,
      b0, b1, b2, b3, b4, b5, b6, b7, array[f0, f1, f2, f3, f4, f5, f6, f7]::text[] as series, priced, unpriced, unpriced_used
    from energy_supply where supply_id = ${supplyId} and level = ${level} and exists (
      select from unnest(${periods.map(({ first }) => dateText(first))}::date[], ${periods.map(({ end }) => dateText(end))}::date[])
        as period (first, last) where start >= first and start < last)`.execute(general)
  return new Map(rows.map((row) => [row.start, sumOf(row)]))
}

const sumOf = (row: Row): SupplySum => ({
  ...{ start: row.start, madeOf: row.made_of, versionId: row.version_id, used: row.used, spread: row.spread_used },
  ...{ estimated: row.estimated_used, entered: row.entered_used, quarters: row.quarters, known: row.known },
  whByBand: [row.b0, row.b1, row.b2, row.b3, row.b4, row.b5, row.b6, row.b7],
  ...{ priced: row.priced, unpriced: row.unpriced, unpricedWh: row.unpriced_used },
  seriesByBand: row.series[0] === null ? null : row.series.map((each) => BigInt(each ?? 0)),
})

interface Row {
  readonly start: number
  readonly made_of: string
  readonly version_id: number | null
  readonly used: number
  readonly spread_used: number
  readonly estimated_used: number
  readonly entered_used: number
  readonly quarters: number
  readonly known: number
  readonly b0: number
  readonly b1: number
  readonly b2: number
  readonly b3: number
  readonly b4: number
  readonly b5: number
  readonly b6: number
  readonly b7: number
  readonly series: readonly (string | null)[]
  readonly priced: number
  readonly unpriced: number
  readonly unpriced_used: number
}

/** Of what its days were made, without what they came to. */
export async function readMadeOf(client: pg.ClientBase, supplyId: number, { first, end }: CivilPeriod) {
  const { rows } = await client.query<{ start: number; made_of: string }>(
    `select start - date '1970-01-01' as start, made_of from energy_supply
     where supply_id = $1 and level = 'd' and start >= $2::date and start < $3::date`,
    [supplyId, dateText(first), dateText(end)],
  )
  return new Map(rows.map(({ start, made_of }) => [start, made_of]))
}

/** Writes days of a supply, and takes the months away that they lie in. Whoever calls holds `energyLock` and a transaction. */
export async function writeSupplyDays(
  client: pg.ClientBase,
  { supplyId, projectId }: { readonly supplyId: number; readonly projectId: number },
  days: readonly SupplySum[],
): Promise<void> {
  const rows = days.map(({ start, whByBand, seriesByBand, ...day }) => ({
    ...{ start: dateText(start), made_of: day.madeOf, version_id: day.versionId, used: day.used, spread_used: day.spread },
    ...{ estimated_used: day.estimated, entered_used: day.entered, quarters: day.quarters, known: day.known },
    ...Object.fromEntries(Array.from({ length: 8 }, (_, band) => [`b${band}`, whByBand[band] ?? 0])),
    ...Object.fromEntries(Array.from({ length: 8 }, (_, band) => [`f${band}`, seriesByBand && String(seriesByBand[band] ?? 0n)])),
    ...{ priced: day.priced, unpriced: day.unpriced, unpriced_used: day.unpricedWh },
  }))
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return
  const changing = columns.filter((column) => column !== 'start')
  await client.query(
    `insert into energy_supply (supply_id, level, project_id, ${columns.join(', ')})
     select $1, 'd', $2, ${columns.join(', ')} from jsonb_populate_recordset(null::energy_supply, $3::jsonb)
     on conflict (supply_id, level, start) do update set ${changing.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    [supplyId, projectId, JSON.stringify(rows)],
  )
  await client.query(
    `delete from energy_supply where supply_id = $1 and level = 'm' and start = any (select date_trunc('month', day)::date from unnest($2::date[]) as day)`,
    [supplyId, rows.map(({ start }) => start)],
  )
}

/** Sums the days of a month: all of them are there, of one version. Whoever calls has looked. */
export async function writeSupplyMonth(
  client: pg.ClientBase,
  supplyId: number,
  { first, end }: CivilPeriod,
  madeOf: string,
): Promise<void> {
  const sums = [
    ...['used', 'spread_used', 'estimated_used', 'entered_used', 'quarters', 'known', 'priced', 'unpriced', 'unpriced_used'],
    ...Array.from({ length: 8 }, (_, band) => `b${band}`),
    ...Array.from({ length: 8 }, (_, band) => `f${band}`),
  ]
  await client.query(
    `insert into energy_supply (supply_id, level, start, made_of, project_id, version_id, ${sums.join(', ')})
     select supply_id, 'm', $2::date, $4, min(project_id), min(version_id), ${sums.map((each) => `sum(${each})`).join(', ')}
     from energy_supply where supply_id = $1 and level = 'd' and start >= $2::date and start < $3::date group by supply_id
     on conflict do nothing`,
    [supplyId, dateText(first), dateText(end), madeOf],
  )
}

/** Takes the notes of the latest month in which a supply has days that ended before an instant, and answers them; null: there are none. */
export async function takeSupplyNotes(
  client: pg.ClientBase,
  before: number,
): Promise<{ readonly supplyId: number; readonly days: readonly number[] } | null> {
  const { rows } = await client.query<{ supply_id: number; day: string }>(
    `with next as (
       select supply_id, day from energy_supply_due join supply using (supply_id) join project using (project_id)
       where (day + 1)::timestamp at time zone time_zone <= $1 order by day desc, supply_id limit 1
     )
     delete from energy_supply_due as due using next
     where due.supply_id = next.supply_id and due.day >= date_trunc('month', next.day)::date and due.day <= next.day
     returning due.supply_id, due.day::text`,
    [new Date(before)],
  )
  const [row] = rows
  return row
    ? { supplyId: row.supply_id, days: [...new Set(rows.map(({ day }) => parseDate(day) ?? 0))].toSorted((a, b) => a - b) }
    : null
}

/** What supplies went by when their days were last looked through. */
export async function readLooks({ general }: Database): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ supply_id: number; went_by: string }>`select supply_id, went_by from energy_supply_look`.execute(
    general,
  )
  return new Map(rows.map((row) => [row.supply_id, row.went_by]))
}

/** Notes days of a supply, and what it goes by now. */
export async function noteSupply(
  client: pg.ClientBase,
  supplyId: number,
  { days, wentBy }: { readonly days: readonly number[]; readonly wentBy: string },
): Promise<void> {
  await client.query(
    `insert into energy_supply_due (supply_id, day) select $1, day from unnest($2::date[]) as day
     except select supply_id, day from energy_supply_due where supply_id = $1`,
    [supplyId, days.map(dateText)],
  )
  await client.query(
    `insert into energy_supply_look values ($1, $2) on conflict (supply_id) do update set went_by = excluded.went_by`,
    [supplyId, wentBy],
  )
}
