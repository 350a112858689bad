import { dayMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import type { Knot } from '@linewarden/rules/energy'
import { commonStepWh, quarterMs, quarterOf, quartersOf, registerOf, registerStepWh } from '@linewarden/rules/energy'
import type pg from 'pg'
import { forgetLineMonths } from './forget-months.ts'
import { forgetSupplyDays } from './forget-supply-days.ts'
import { fixesOver } from './lay-fixes.ts'
import { withoutLost } from './lost-readings.ts'
import { metersFor } from './meters.ts'
import type { Cells, Stretch } from './quarter-cells.ts'
import { arrayText, cellsOf, storable } from './quarter-cells.ts'
import type { StretchReadings } from './stretch-readings.ts'
import { readingsOf } from './stretch-readings.ts'

/** What was made of a line: quarters from `from` to before `to`, Unix ms. */
interface Made extends Stretch {
  readonly cells: readonly Cells[]
  /** How finely its register counts there, Wh; left out: that is not seen. */
  readonly stepWh?: number | null
}

/** Silences of which nobody knows the usual course are spread evenly. */
const evenly = () => null

/**
 * Makes the quarters of these stretches, and of the silences they lie in or end. Doing it again gives the same, and where the readings are gone what
 * is known stays. Whoever calls holds `energyLock` and a transaction.
 */
export async function makeQuarters(client: pg.ClientBase, stretches: readonly Stretch[], now: number): Promise<void> {
  const made: Made[] = []
  let quarters = 0
  for await (const part of readingsOf(client, stretches, now))
    for (const each of await quartersMade(client, part, now)) {
      made.push(each)
      quarters += (each.to - each.from) / quarterMs
      // A silence of months may end in each of them.
      if (quarters > maxQuarters) {
        await storeQuarters(client, made.splice(0), now)
        quarters = 0
      }
    }
  await storeQuarters(client, made, now)
}

/** Quarters that are kept until they are written. */
const maxQuarters = 100_000

async function quartersMade(client: pg.ClientBase, part: readonly StretchReadings[], now: number): Promise<readonly Made[]> {
  const meters = await metersFor(
    client,
    part.map(({ lineId }) => lineId),
  )
  const reads = part.map((read) => ({
    ...read,
    knots: registerOf(read.readings, meters.get(read.lineId) ?? [], read.ratedCurrentA),
  }))
  return (await withoutLost(client, reads)).flatMap(({ pieces, ...stretch }) =>
    pieces.flatMap((knots) => madeOf(knots, stretch, now)),
  )
}

type WithPeriod = Stretch & Pick<StretchReadings, 'periodMs'>

function madeOf(knots: readonly Knot[], { lineId, from, to, periodMs }: WithPeriod, now: number): readonly Made[] {
  const within = withinKnots(knots, { lineId, from, to: Math.min(to, quarterOf(now)) })
  if (within === null) return []
  const slots = Array.from({ length: (within.to - within.from) / quarterMs }, (_, index) => within.from + index * quarterMs)
  const cells = cellsOf(quartersOf(knots, slots, { now, periodMs, usual: evenly }), within.from)
  return [{ ...within, cells, stepWh: registerStepWh(knots) }]
}

/** The quarters of whole registers, whose readings are not stored. Whoever calls holds `energyLock` and a transaction. */
export async function storeRegisters(
  client: pg.ClientBase,
  lines: readonly Omit<StretchReadings, 'from' | 'to'>[],
  now: number,
): Promise<void> {
  const made = lines.flatMap(({ readings, ratedCurrentA, ...line }) =>
    madeOf(registerOf(readings, [], ratedCurrentA), { ...line, from: Number.NEGATIVE_INFINITY, to: now }, now),
  )
  await storeQuarters(client, made, now)
}

/** The whole quarters of a stretch that the register covers: beyond them it says nothing, and what was known of them stays known. */
function withinKnots(knots: readonly Knot[], { lineId, from, to }: Stretch): Stretch | null {
  const [first, last] = [knots[0]?.at ?? to, knots.at(-1)?.at ?? from]
  const own = { lineId, from: Math.max(from, Math.ceil(first / quarterMs) * quarterMs), to: Math.min(to, quarterOf(last)) }
  return own.from < own.to ? own : null
}

const ms = (at: string) => `(extract(epoch from ${at}) * 1000)::float8`

/** Writes quarters, since when their lines have energy, and which days are to be summed again. */
export async function storeQuarters(client: pg.ClientBase, made: readonly Made[], now: number): Promise<void> {
  if (made.length === 0) return
  // What somebody entered lies over what registers say.
  await writeCells(client, [...made, ...(await fixesOver(client, made))])
  await forgetLineMonths(client, made)
  await forgetSupplyDays(client, made, now)
  await noteProfiles(client, [...made, ...(await noteLines(client, made, now))])
}

async function writeCells(client: pg.ClientBase, made: readonly Pick<Made, 'lineId' | 'cells'>[]): Promise<void> {
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

/** A register that jumped by more says nothing of its steps. */
const maxStepWh = 1_000_000

/**
 * Since when a line has energy, and up to where it is made. Answers from where on its days lacked nothing of it although they did: it has energy since
 * earlier than was known.
 */
async function noteLines(client: pg.ClientBase, made: readonly Made[], now: number): Promise<readonly Stretch[]> {
  const byLine = new Map<number, Stretch & { readonly step: number }>()
  for (const { lineId, from, to, stepWh } of made) {
    const known = byLine.get(lineId)
    const step = commonStepWh(known?.step ?? 0, stepWh ?? 0)
    byLine.set(lineId, { lineId, from: Math.min(from, known?.from ?? from), to: Math.max(to, known?.to ?? to), step })
  }
  const entries = [...byLine.values()].sort((one, other) => one.lineId - other.lineId)
  const { rows } = await client.query<{ line_id: number; since: number; old: number | null }>(
    `with old as (select line_id, since from energy_line where line_id = any ($1::int[])),
       made as (
         insert into energy_line (line_id, since, made_to, step_wh)
           select id, starts, ends, nullif(step, 0) from unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::int[]) as own (id, starts, ends, step)
         on conflict (line_id) do update set since = least(energy_line.since, excluded.since), made_to = greatest(energy_line.made_to, excluded.made_to),
           step_wh = nullif(gcd(coalesce(energy_line.step_wh, 0), coalesce(excluded.step_wh, 0)), 0)
         returning line_id, since
       )
     select line_id, ${ms('made.since')} as since, ${ms('old.since')} as old from made left join old using (line_id)
     where old.since is distinct from made.since`,
    [
      entries.map(({ lineId }) => lineId),
      entries.map(({ from }) => new Date(from)),
      entries.map(({ to }) => new Date(to)),
      entries.map(({ step }) => (step <= maxStepWh ? step : 0)),
    ],
  )
  return rows.map(({ line_id, since, old }) => ({ lineId: line_id, from: since, to: Math.max(old ?? now, since) }))
}

/** Every local day that one of the stretches touches is due for its project. */
export async function noteProfiles(client: pg.ClientBase, made: readonly Stretch[]): Promise<void> {
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
