import { dayMs, SLOTS } from '@linewarden/equipment'
import type pg from 'pg'
import type { Plant, PlantLine } from '../../plant/plant.ts'

/** Readings received this long before the watermark are read again at start: commits of two connections may overlap. */
const marginMs = 10_000

/** Writes the newest live values of these lines, and until when readings are covered by them. */
export async function writeCheckpoint(client: pg.ClientBase, lines: readonly PlantLine[], coveredUntil: number): Promise<void> {
  const rows = lines.filter((line) => line.liveAt !== null)
  await client.query('begin')
  try {
    if (rows.length > 0) {
      await client.query(
        `insert into latest (line_id, at, received_at, quality, reading)
         select line_id, to_timestamp(at / 1000), to_timestamp(received_at / 1000), quality, string_to_array(reading, ',', '')::double precision[]
         from unnest($1::int[], $2::double precision[], $3::double precision[], $4::smallint[], $5::text[]) as t (line_id, at, received_at, quality, reading)
         on conflict (line_id) do update set at = excluded.at, received_at = excluded.received_at, quality = excluded.quality, reading = excluded.reading`,
        [
          rows.map((line) => line.id),
          rows.map((line) => line.liveAt),
          rows.map((line) => line.liveReceivedAt),
          rows.map((line) => (line.clockGood ? 0 : 1)),
          rows.map((line) => Array.from(line.values, (value) => (Number.isNaN(value) ? '' : String(value))).join(',')),
        ],
      )
    }
    await client.query(
      `insert into latest_watermark (one, received_at) values (true, to_timestamp($1 / 1000.0))
       on conflict (one) do update set received_at = excluded.received_at`,
      [coveredUntil],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Puts the checkpoint and the readings received since into the plant. */
export async function readLatest(client: pg.ClientBase, plant: Plant): Promise<void> {
  const { rows } = await client.query<{
    line_id: number
    at: Date
    received_at: Date
    quality: number
    reading: (number | null)[]
  }>('select * from latest')
  for (const { line_id, at, received_at, quality, reading } of rows) {
    const line = plant.lines.get(line_id)
    if (!line) continue
    line.liveAt = at.getTime()
    line.liveReceivedAt = received_at.getTime()
    line.clockGood = (quality & 1) === 0
    for (let slot = 0; slot < SLOTS; slot++) line.values[slot] = reading[slot] ?? Number.NaN
  }
  const mark = await client.query<{ received_at: Date }>('select received_at from latest_watermark')
  const since = mark.rows[0]?.received_at.getTime() ?? 0
  const newer = await client.query<
    Record<string, number | null> & { line_id: number; at: Date; received_at: Date; quality: number }
  >(
    // Line by line, along the primary key from its own checkpoint on: a day's partition may hold a billion rows.
    `select newer.* from line left join latest using (line_id)
     cross join lateral (
       select * from reading r where r.line_id = line.line_id and r.at >= coalesce(least(latest.at, latest.received_at), $2)
         and r.received_at >= $1 and r.quality & 2 = 0
     ) as newer order by newer.at`,
    // A line without a checkpoint began to report after it: yesterday is early enough.
    [new Date(since - marginMs), new Date(Math.max(0, since - dayMs))],
  )
  for (const row of newer.rows) {
    const line = plant.lines.get(row.line_id)
    if (!line || (line.liveAt !== null && row.at.getTime() < Math.min(line.liveAt, line.liveReceivedAt ?? line.liveAt))) continue
    line.liveAt = row.at.getTime()
    line.liveReceivedAt = row.received_at.getTime()
    line.clockGood = (row.quality & 1) === 0
    for (let slot = 0; slot < SLOTS - 1; slot++) line.values[slot] = row[`v${slot}`] ?? line.values[slot] ?? Number.NaN
    line.values[SLOTS - 1] = row.counter ?? line.values[SLOTS - 1] ?? Number.NaN
  }
}
