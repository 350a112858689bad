import { dayMs, hourMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import type { Knot, RegisterReading } from '@linewarden/rules/energy'
import { quarterMs, quarterOf, quartersOf, registerOf } from '@linewarden/rules/energy'
import { orderedAfterMs } from '@linewarden/rules/history'
import type pg from 'pg'
import { forgetLineMonths } from './forget-months.ts'
import { forgetSupplyDays } from './forget-supply-days.ts'
import { withoutLost } from './lost-readings.ts'
import { inParts, periodsOf } from './parts.ts'
import type { Cells, Stretch } from './quarter-cells.ts'
import { arrayText, cellsOf, storable } from './quarter-cells.ts'

/** A stretch with what its quarters are made from. */
interface Read extends Stretch {
  readonly periodMs: number
  readonly ratedCurrentA: number | null
  readonly readings: RegisterReading[]
}

/** What was made of a line: quarters from `from` to before `to`, Unix ms. */
interface Made extends Stretch {
  readonly cells: readonly Cells[]
}

/** Silences of which nobody knows the usual course are spread evenly. */
const evenly = () => null

/**
 * Makes the quarters of these stretches, and of the silences they lie in or end. Doing it again gives the same, and where the readings are gone what
 * is known stays. Whoever calls holds `energyLock` and a transaction.
 */
export async function makeQuarters(client: pg.ClientBase, stretches: readonly Stretch[], now: number): Promise<void> {
  for (const part of inParts(stretches, await periodsOf(client, stretches))) await makePart(client, part, now)
}

async function makePart(client: pg.ClientBase, stretches: readonly Stretch[], now: number): Promise<void> {
  const reads = (await readingsOf(client, stretches, now)).map((read) => ({
    ...read,
    knots: registerOf(read.readings, [], read.ratedCurrentA),
  }))
  const made: Made[] = []
  for (const { lineId, from, to, periodMs, pieces } of await withoutLost(client, reads))
    for (const knots of pieces) {
      const within = withinKnots(knots, { lineId, from, to: Math.min(to, quarterOf(now)) })
      if (within === null) continue
      const slots = Array.from({ length: (within.to - within.from) / quarterMs }, (_, index) => within.from + index * quarterMs)
      made.push({ ...within, cells: cellsOf(quartersOf(knots, slots, { now, periodMs, usual: evenly }), within.from) })
    }
  await storeQuarters(client, made, now)
}

/** The whole quarters of a stretch that the register covers: beyond them it says nothing, and what was known of them stays known. */
function withinKnots(knots: readonly Knot[], { lineId, from, to }: Stretch): Stretch | null {
  const [first, last] = [knots[0]?.at ?? to, knots.at(-1)?.at ?? from]
  const own = { lineId, from: Math.max(from, Math.ceil(first / quarterMs) * quarterMs), to: Math.min(to, quarterOf(last)) }
  return own.from < own.to ? own : null
}

/** Writes quarters, since when their lines have energy, and which days are to be summed again. */
export async function storeQuarters(client: pg.ClientBase, made: readonly Made[], now: number): Promise<void> {
  if (made.length === 0) return
  await writeCells(client, made)
  await forgetLineMonths(client, made)
  await forgetSupplyDays(client, made, now)
  await noteProfiles(client, [...made, ...(await noteLines(client, made, now))])
}

/** A silence is looked through so far. And what lies in the future was said by a clock that is off: nothing is made up to there. */
const lookMs = 400 * dayMs
const look = `interval '${lookMs} milliseconds'`
const counters = 'from reading where line_id = wanted.id and counter is not null and at < $4::timestamptz'
const quarter = (at: string) => `date_bin('15 minutes', ${at}, timestamptz 'epoch')`
const ordered = `interval '${orderedAfterMs} milliseconds'`
// Nearly always within a day: of all the days that readings are kept for, two are looked at.
const before = (than: '<' | '<=', at: string) =>
  `coalesce(${[`interval '1 day'`, look].map((far) => `(select at ${counters} and at ${than} ${at} and at >= ${at} - ${far} order by at desc limit 1)`).join(', ')})`
const after = (at: string) =>
  `coalesce(${[`interval '1 day'`, look].map((far) => `(select at ${counters} and at >= ${at} and at < ${at} + ${far} order by at limit 1)`).join(', ')})`
const ms = (at: string) => `(extract(epoch from ${at}) * 1000)::float8`

/**
 * The stretches, widened to the quarters of the readings before and after them, which a silence between may change; with their readings, from so
 * long before that each is judged as it would be with all of them. `offset 0`: looked up once a stretch, and not again for each reading.
 */
async function readingsOf(client: pg.ClientBase, stretches: readonly Stretch[], now: number): Promise<readonly Read[]> {
  const { rows } = await client.query<Row>(
    `select wanted.number, ${ms('begins')} as begins, ${ms('ends')} as ends, rated_current_a,
       coalesce(device.reporting_period_ms, gateway.reporting_period_ms)::float8 as period_ms,
       ${ms('own.at')} as at, own.counter, own.quality
     from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) with ordinality as wanted (id, starts, stops, number)
     join line on line_id = wanted.id join device using (device_id) join gateway using (gateway_id)
     cross join lateral (
       select ${quarter(`coalesce(${before('<', 'starts')}, starts)`)} as begins,
         ${quarter(`coalesce(${after('stops')}, stops - interval '15 minutes')`)}
           + interval '15 minutes' as ends offset 0
     ) as wide
     cross join lateral (
       select coalesce(${before('<=', `(begins - ${ordered})`)}, begins - ${ordered}) as first,
         coalesce(${after('ends')}, ends) as last offset 0
     ) as reach
     left join lateral (select at, counter, quality ${counters} and at >= first and at <= last) as own on true
     order by wanted.number, own.at`,
    [
      stretches.map(({ lineId }) => lineId),
      stretches.map(({ from }) => new Date(from)),
      stretches.map(({ to }) => new Date(to)),
      new Date(now + quarterMs),
    ],
  )
  const byNumber = new Map<string, Read>()
  for (const row of rows) {
    const stretch = stretches[Number(row.number) - 1]
    if (!stretch) continue
    const read = byNumber.get(row.number) ?? {
      ...{ lineId: stretch.lineId, from: row.begins, to: row.ends, ratedCurrentA: row.rated_current_a, readings: [] },
      // Nought: it reports when something changes, and may be silent for long.
      periodMs: row.period_ms > 0 ? row.period_ms : hourMs,
    }
    byNumber.set(row.number, read)
    if (row.at !== null && row.counter !== null) read.readings.push({ at: row.at, kwh: row.counter, quality: row.quality ?? 0 })
  }
  return [...byNumber.values()]
}

interface Row {
  readonly number: string
  readonly begins: number
  readonly ends: number
  readonly rated_current_a: number | null
  readonly period_ms: number
  readonly at: number | null
  readonly counter: number | null
  readonly quality: number | null
}

async function writeCells(client: pg.ClientBase, made: readonly Made[]): Promise<void> {
  const all = made.flatMap(({ lineId, cells }) => cells.map((each) => ({ lineId, ...storable(each) })))
  const lines = all.map(({ lineId }) => lineId)
  const days = all.map(({ day }) => dateText(day / dayMs))
  await client.query(
    `insert into energy_quarter (line_id, day, wh, how)
     select distinct id, day, array_fill(null::int, array[96]), decode(repeat('04', 96), 'hex') from unnest($1::int[], $2::date[]) as wanted (id, day)
     order by id, day on conflict do nothing`,
    [lines, days],
  )
  // One stretch after the other: of two that meet in one row, each leaves the other's quarters alone.
  for (const batch of eachRowOnce(all))
    await client.query(
      `update energy_quarter as made set wh = made.wh[:first] || own.wh::int[] || made.wh[first + length(own.how) + 1:],
         how = substring(made.how for first) || own.how || substring(made.how from first + length(own.how) + 1)
       from (
         select id, day, first, wh, decode(how, 'hex') as how
         from unnest($1::int[], $2::date[], $3::int[], $4::text[], $5::text[]) as each (id, day, first, wh, how)
       ) as own where made.line_id = own.id and made.day = own.day`,
      [
        batch.map(({ lineId }) => lineId),
        batch.map(({ day }) => dateText(day / dayMs)),
        batch.map(({ first }) => first),
        batch.map(({ wh }) => arrayText(wh)),
        batch.map(({ how }) => Buffer.from(how).toString('hex')),
      ],
    )
}

type Cell = Cells & { readonly lineId: number }

/** A statement changes a row once only. */
function eachRowOnce(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  const batches: Cell[][] = []
  const counts = new Map<string, number>()
  for (const cell of cells) {
    const row = `${cell.lineId} ${cell.day}`
    const place = counts.get(row) ?? 0
    counts.set(row, place + 1)
    batches[place] = [...(batches[place] ?? []), cell]
  }
  return batches
}

/**
 * Since when a line has energy, and up to where it is made. Answers from where on its days lacked nothing of it although they did: it has energy since
 * earlier than was known.
 */
async function noteLines(client: pg.ClientBase, made: readonly Made[], now: number): Promise<readonly Stretch[]> {
  const byLine = new Map<number, Stretch>()
  for (const { lineId, from, to } of made) {
    const known = byLine.get(lineId)
    byLine.set(lineId, { lineId, from: Math.min(from, known?.from ?? from), to: Math.max(to, known?.to ?? to) })
  }
  const entries = [...byLine.values()].sort((one, other) => one.lineId - other.lineId)
  const { rows } = await client.query<{ line_id: number; since: number; old: number | null }>(
    `with old as (select line_id, since from energy_line where line_id = any ($1::int[])),
       made as (
         insert into energy_line (line_id, since, made_to) select * from unnest($1::int[], $2::timestamptz[], $3::timestamptz[])
         on conflict (line_id) do update set since = least(energy_line.since, excluded.since), made_to = greatest(energy_line.made_to, excluded.made_to)
         returning line_id, since
       )
     select line_id, ${ms('made.since')} as since, ${ms('old.since')} as old from made left join old using (line_id)
     where old.since is distinct from made.since`,
    [entries.map(({ lineId }) => lineId), entries.map(({ from }) => new Date(from)), entries.map(({ to }) => new Date(to))],
  )
  return rows.map(({ line_id, since, old }) => ({ lineId: line_id, from: since, to: Math.max(old ?? now, since) }))
}

/** Every local day that one of the stretches touches is due for its project. */
async function noteProfiles(client: pg.ClientBase, made: readonly Stretch[]): Promise<void> {
  await client.query(
    `insert into energy_profile_due (project_id, day)
     select distinct project_id, touched.day::date
     from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as made (id, starts, ends)
       join line on line_id = made.id join device using (device_id) join gateway using (gateway_id) join project using (project_id)
       cross join lateral generate_series((starts at time zone time_zone)::date, ((ends - interval '1 microsecond') at time zone time_zone)::date, interval '1 day') as touched (day)
     except select project_id, day from energy_profile_due`,
    [made.map(({ lineId }) => lineId), made.map(({ from }) => new Date(from)), made.map(({ to }) => new Date(to))],
  )
}

/** Quarters of a stretch at most: whatever is longer is made piece by piece. */
export const maxStretchMs = dayMs
