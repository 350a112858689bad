import { dayMs, hourMs } from '@linewarden/equipment'
import { How, quarterMs } from '@linewarden/rules/energy'
import type pg from 'pg'
import { storeQuarters } from './make-quarters.ts'
import type { Cells, Stretch } from './quarter-cells.ts'
import { cellsOf } from './quarter-cells.ts'

const quartersOfHour = hourMs / quarterMs

/** An hour that was counted, and what is known of its quarters. */
interface HourRow {
  readonly line_id: number
  /** Unix ms. */
  readonly at: number
  readonly used: number
  readonly wh: readonly (number | null)[] | null
  readonly how: Buffer | null
  /** Where the silence began that ended in it, of which nothing is known; null: there was none. */
  readonly silent: number | null
}

/**
 * Hours whose readings are gone, or that were brought in without them, become four even quarters marked spread. Quarters that are known stay as they
 * are, and what is left of their hour is spread over the others. An hour in which a silence ended counts what was used since it began: it is spread over
 * all of that. Whoever calls holds `energyLock` and a transaction.
 */
export async function makeOfHours(client: pg.ClientBase, stretches: readonly Stretch[], now: number): Promise<void> {
  const made = (await hoursWithoutReadings(client, stretches, now)).map((row) => ({
    ...{ lineId: row.line_id, from: row.silent ?? row.at, to: row.at + hourMs },
    cells: row.silent === null ? [cellsOfHour(row)] : cellsOfSilence(row.used, row.silent, row.at + hourMs),
  }))
  await storeQuarters(client, joined(made), now)
}

/** Of an hour that readings are left of, only those quarters are filled that lie towards hours of which none are. */
async function hoursWithoutReadings(
  client: pg.ClientBase,
  stretches: readonly Stretch[],
  now: number,
): Promise<readonly HourRow[]> {
  const isLost = (hour: string) =>
    `(exists (select from reading_hour where line_id = wanted.id and hour = ${hour} and counter_used is not null)
      and not exists (select from reading where line_id = wanted.id and at >= ${hour} and at < ${hour} + interval '1 hour' and counter is not null))`
  const { rows } = await client.query<HourRow>(
    `select wanted.id as line_id, (extract(epoch from own.hour) * 1000)::float8 as at, counter_used * coalesce(multiplier, 1) as used, known.wh, known.how,
       case when own.hour - before > interval '1 hour' and coalesce(cardinality(array_remove(known.wh, null)), 0) = 0 and ${isLost('own.hour')}
         and not exists (select from reading where line_id = wanted.id and at >= before + interval '1 hour' and at < own.hour and counter is not null)
         and not exists (
           select from energy_quarter as made, unnest(made.wh) with ordinality as quarter (each, number)
           where made.line_id = wanted.id and day >= (before at time zone 'UTC')::date and day <= (own.hour at time zone 'UTC')::date and each is not null
             and day + number * interval '15 minutes' > (before + interval '1 hour') at time zone 'UTC' and day + number * interval '15 minutes' <= own.hour at time zone 'UTC')
       then (extract(epoch from before) * 1000)::float8 + ${hourMs} end as silent
     from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as wanted (id, starts, stops)
       join reading_hour as own on own.line_id = wanted.id and own.hour >= starts and own.hour < stops
         and own.hour <= $4::timestamptz - interval '1 hour' and counter_used is not null
       left join lateral (
         select made.wh[place + 1:place + 4] as wh, substring(how from place + 1 for 4) as how
         from energy_quarter as made, lateral (select 4 * extract(hour from own.hour at time zone 'UTC')::int as place) as first
         where made.line_id = wanted.id and day = (own.hour at time zone 'UTC')::date
       ) as known on true
       left join lateral (
         select hour as before from reading_hour as earlier where earlier.line_id = wanted.id and earlier.hour < own.hour
           and earlier.hour >= own.hour - interval '400 days' and counter_used is not null order by earlier.hour desc limit 1
       ) as last on true
       left join meter_span as meter on meter.line_id = wanted.id and meter.starts <= own.hour and (meter.ends is null or meter.ends > own.hour)
     where (known.wh is null or array_position(known.wh, null) is not null)
       and (${isLost('own.hour')} or ${isLost("own.hour - interval '1 hour'")} or ${isLost("own.hour + interval '1 hour'")})
     order by wanted.id, own.hour`,
    [
      stretches.map(({ lineId }) => lineId),
      stretches.map(({ from }) => new Date(from)),
      stretches.map(({ to }) => new Date(to)),
      new Date(now),
    ],
  )
  return rows
}

function cellsOfHour({ at, used, wh, how }: HourRow): Cells {
  const known = Array.from({ length: quartersOfHour }, (_, index) => wh?.[index] ?? null)
  const open = known.filter((each) => each === null).length
  const rest = Math.max(0, Math.round(used * 1_000) - known.reduce<number>((sum, each) => sum + (each ?? 0), 0))
  let filled = 0
  // The parts are rounded so that they add up to what is left.
  const share = () => Math.floor((rest * ++filled) / open) - Math.floor((rest * (filled - 1)) / open)
  const day = Math.floor(at / dayMs) * dayMs
  return {
    ...{ day, first: (at - day) / quarterMs },
    wh: known.map((each) => each ?? share()),
    how: Uint8Array.from(known, (each, index) => (each === null ? How.spread : (how?.[index] ?? How.missing))),
  }
}

/** A silence, and the hour that it ended in, evenly. */
function cellsOfSilence(used: number, from: number, to: number): readonly Cells[] {
  const count = (to - from) / quarterMs
  const rest = Math.max(0, Math.round(used * 1_000))
  const upTo = (index: number) => Math.floor((rest * index) / count)
  const wh = Array.from({ length: count }, (_, index) => upTo(index + 1) - upTo(index))
  return cellsOf({ wh, how: new Uint8Array(count).fill(How.spread) }, from)
}

type MadeHour = Stretch & { readonly cells: readonly Cells[] }

/** Hours of a line that meet within one row are written at once. */
function joined(hours: readonly MadeHour[]): readonly MadeHour[] {
  const made: MadeHour[] = []
  for (const hour of hours) {
    const last = made.at(-1)
    const [before, own] = [last?.cells[0], hour.cells[0]]
    if (last?.lineId !== hour.lineId || last.to !== hour.from || !before || !own || before.day !== own.day) made.push(hour)
    else
      made[made.length - 1] = {
        ...{ lineId: last.lineId, from: last.from, to: hour.to },
        cells: [{ ...before, wh: [...before.wh, ...own.wh], how: Uint8Array.of(...before.how, ...own.how) }],
      }
  }
  return made
}
