import type pg from 'pg'

/** A stretch of time of one line, Unix ms; the end is excluded. */
export interface LineStretch {
  readonly lineId: number
  readonly begins: number
  readonly ends: number
}

/** Hours (Unix ms) in which a line may have passed a limit, in order. */
export type CandidateHours = ReadonlyMap<number, readonly number[]>

interface Asked {
  readonly from: number
  readonly to: number
}

const inHours = (which: string) => `select line_id, json_agg((extract(epoch from hour) * 1000)::bigint order by hour) as at
  from reading_hour join unnest($1::int[], $2::float8[]) as wanted (id, bound) on line_id = id
  where hour >= date_trunc('hour', $3::timestamptz) and hour < $4 and ${which} group by line_id`

const candidates = async (
  client: pg.ClientBase,
  which: string,
  bounds: ReadonlyMap<number, number>,
  { from, to }: Asked,
): Promise<CandidateHours> => {
  const values = [[...bounds.keys()], [...bounds.values()], new Date(from), new Date(to)]
  const { rows } = await client.query<{ line_id: number; at: number[] }>(inHours(which), values)
  return new Map(rows.map(({ line_id, at }) => [line_id, at]))
}

/** Hours in which a phase carried more than its line's bound, A. */
export const hoursAbove = (client: pg.ClientBase, bounds: ReadonlyMap<number, number>, asked: Asked): Promise<CandidateHours> =>
  candidates(client, 'greatest(max[1], max[2], max[3]) > bound', bounds, asked)

/** Hours in which a phase had less than its line's bound, V. */
export const hoursBelow = (client: pg.ClientBase, bounds: ReadonlyMap<number, number>, asked: Asked): Promise<CandidateHours> =>
  candidates(client, 'least(min[4], min[5], min[6]) < bound', bounds, asked)

/** Hours in which the highest and the lowest voltage lie further apart than this ratio. */
export const hoursApart = (client: pg.ClientBase, bounds: ReadonlyMap<number, number>, asked: Asked): Promise<CandidateHours> =>
  candidates(client, 'greatest(max[4], max[5], max[6]) > bound * least(min[4], min[5], min[6])', bounds, asked)

/** A sample: the line, when it was (device time, Unix ms), three currents and, where they are asked for, three voltages; null is not known. */
export type TrialSample = readonly [lineId: number, at: number, ...values: (number | null)[]]

const slots = { currents: 'v0, v1, v2', all: 'v0, v1, v2, v3, v4, v5' } as const

/** The samples of stretches that lie within one day, by line in order of time. */
export async function samplesIn(
  client: pg.ClientBase,
  stretches: readonly LineStretch[],
  which: keyof typeof slots,
): Promise<readonly TrialSample[]> {
  const begins = Math.min(...stretches.map((each) => each.begins))
  const ends = Math.max(...stretches.map((each) => each.ends))
  // Written out, so that the planner leaves the partitions of all other days alone.
  const written = (at: number) => `timestamptz '${new Date(at).toISOString()}'`
  const { rows } = await client.query({
    rowMode: 'array',
    text: `select wanted.id, (extract(epoch from at) * 1000)::float8, ${slots[which]}
      from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as wanted (id, begins, ends)
      cross join lateral (select at, ${slots[which]} from reading where line_id = wanted.id
        and at >= wanted.begins and at < wanted.ends and at >= ${written(begins)} and at < ${written(ends)} order by at) as own
      order by 1, 2`,
    values: [
      stretches.map(({ lineId }) => lineId),
      stretches.map((each) => new Date(each.begins)),
      stretches.map((each) => new Date(each.ends)),
    ],
  })
  return rows as unknown as readonly TrialSample[]
}

/** Currents are stored with seven figures: what lies closer to a limit than that may lie on either side of it. */
const figures = 1e-6

/**
 * Lines of which a phase may have stayed above its limit (A) for so long in some stretch: between two moments that lie so far apart no sample
 * has all of its phases at or below the limit. Whether one did is for the detector to say.
 *
 * Looks from each moment as far ahead as such a time is long and goes on from the last sample there that is below: of a line that hardly ever
 * passes its limit it reads one sample in each of these leaps.
 */
export async function linesAboveFor(
  client: pg.ClientBase,
  stretches: readonly (LineStretch & { readonly limit: number; readonly phases: number })[],
  minMs: number,
): Promise<ReadonlySet<number>> {
  const ahead = `reading where line_id = wanted.id and at > since and at <= since + leap`
  const { rows } = await client.query<{ id: number }>(
    `select distinct wanted.id from unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::float8[], $5::int[])
       as wanted (id, begins, ends, bound, phases)
     cross join (select $6 * interval '1 millisecond' as leap) as least
     cross join lateral (
       with recursive course (since) as (
         select begins - interval '1 millisecond'
         union all
         select coalesce(
           (select at from ${ahead} and v0 <= bound and (phases < 2 or v1 <= bound) and (phases < 3 or v2 <= bound) order by at desc limit 1),
           case when not exists (select from ${ahead}) then since + leap end)
         from course where since + leap < ends)
       select from course where since is null) as own`,
    [
      stretches.map(({ lineId }) => lineId),
      stretches.map(({ begins }) => new Date(begins)),
      stretches.map(({ ends }) => new Date(ends)),
      stretches.map(({ limit }) => limit * (1 - figures)),
      stretches.map(({ phases }) => phases),
      minMs - 1,
    ],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Something that happened to a link or a line. */
export interface Happened {
  readonly gatewayId: number
  readonly deviceId: number | null
  readonly lineId: number | null
  readonly act: 'raise' | 'return'
  /** Device time, Unix ms. */
  readonly at: number
}

/** Losses of links and their ends, and protective trips, of these gateways, in order of time. */
export async function happenedIn(
  client: pg.ClientBase,
  gatewayIds: readonly number[],
  what: 'links' | 'trips',
  { from, to }: Asked,
): Promise<readonly Happened[]> {
  const { rows } = await client.query<{
    gateway_id: number
    device_id: number | null
    line_id: number | null
    act: 'raise' | 'return'
    at: Date
  }>(
    `select gateway_id, device_id, line_id, act, at from event_transition join event using (event_id)
     where gateway_id = any($1) and act in ('raise', 'return') and at >= $2 and at < $3 and not historical
       and ${what === 'links' ? "key in ('gateway.offline', 'device.offline')" : "line_id is not null and key like 'trip.%'"}
     order by at, step_id`,
    [gatewayIds, new Date(from), new Date(to)],
  )
  return rows.map((row) => ({
    ...{ gatewayId: row.gateway_id, deviceId: row.device_id, lineId: row.line_id, act: row.act, at: row.at.getTime() },
  }))
}

/** Lets a connection read and nothing else. */
export const readOnly = async (client: pg.ClientBase): Promise<void> => {
  await client.query('set default_transaction_read_only = on')
}
