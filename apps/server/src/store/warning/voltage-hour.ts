import { once } from 'node:events'
import { dayMs, families, hourMs } from '@linewarden/equipment'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { copyEnd, copyHeader, realsBytes, writeInt, writeMoment, writeReals } from '../core/binary-copy.ts'

/** How long means are kept: a rule is tried out over 30 days and the week before them. */
const meansKeptDays = 38
/** How long hours are kept: on each of those days a detector looks back four weeks. */
const hoursKeptDays = meansKeptDays + 28

/** The slots of phase voltages in every family that has any: 3 to 5. */
const measuring = families.filter(({ points }) => points.some(({ key, slot }) => key === 'voltage.a' && slot === 3))
const threePhase = measuring.filter(({ points }) => points.some(({ key }) => key === 'voltage.b'))
const keysOf = (of: typeof families) => of.map(({ key }) => key)

const sixOf = (column: string) => Array.from({ length: 6 }, (_, ten) => `max(${column}) filter (where ten = ${ten})`)

/** Rolls up the ten-minute means of the voltages of one hour, in the transaction that rolls up the hour. */
export async function rollUpVoltages(client: pg.ClientBase, hour: Date): Promise<void> {
  await client.query(
    `insert into voltage_hour (line_id, hour, ten)
     select line_id, $1, array[${[...sixOf('a'), ...sixOf('b'), ...sixOf('c')].join(', ')}]::real[]
     from (
       select line_id, floor(extract(epoch from at - $1::timestamptz) / 600)::int as ten, avg(v3) as a,
         avg(v4) filter (where family = any($3)) as b, avg(v5) filter (where family = any($3)) as c
       from reading join line using (line_id) join device using (device_id)
       where at >= $1 and at < $1::timestamptz + interval '1 hour' and family = any($2) group by 1, 2
     ) as means group by line_id
     on conflict (line_id, hour) do update set ten = excluded.ten`,
    [hour, keysOf(measuring), keysOf(threePhase)],
  )
}

/** Lines that are in the plant: a gateway that was taken out keeps its rows, because its history names them. */
const inPlant = `select line_id from line join device using (device_id) join gateway using (gateway_id) where removed_at is null`

/** Ten-minute means of the voltages of one line that were made elsewhere; NaN is not known. */
export interface VoltagesBroughtIn {
  readonly lineId: number
  /** Hours since 1970 of the first entry. */
  readonly firstHour: number
  /** Entry `hour * 18 + phase * 6 + ten`. */
  readonly tenVolts: Float32Array
}

const tensPerHour = 18

const rowBytes = 2 + 8 + 12 + realsBytes(tensPerHour)

/** Writes means of lines that have none yet, as far back as means are kept; answers of how many hours. */
export async function bringInVoltages(client: pg.ClientBase, lines: readonly VoltagesBroughtIn[], now: number): Promise<number> {
  const stream = client.query(copyFrom('copy voltage_hour (line_id, hour, ten) from stdin (format binary)'))
  stream.write(copyHeader)
  const keptFrom = Math.ceil((now - meansKeptDays * dayMs) / hourMs)
  let written = 0
  for (const { lineId, firstHour, tenVolts } of lines) {
    const first = Math.max(0, keptFrom - firstHour) * tensPerHour
    const rows = Buffer.allocUnsafe((rowBytes * Math.max(0, tenVolts.length - first)) / tensPerHour)
    let end = 0
    for (let at = first; at < tenVolts.length; at += tensPerHour) {
      const ten = tenVolts.subarray(at, at + tensPerHour)
      if (ten.every((each) => Number.isNaN(each))) continue
      end = writeInt(rows, rows.writeInt16BE(3, end), lineId)
      end = writeReals(rows, writeMoment(rows, end, (firstHour + at / tensPerHour) * hourMs), ten)
      written += 1
    }
    if (end > 0 && !stream.write(rows.subarray(0, end))) await once(stream, 'drain')
  }
  stream.end(copyEnd)
  await once(stream, 'finish')
  return written
}

/**
 * Forgets the ten-minute means and the hours that no rule looks at any more, and of lines that were taken out also the notes that they are due
 * and what is kept of them between two looks. Their days stay, as their roll-ups do.
 */
export async function purgeDetails(client: pg.ClientBase, now: number): Promise<void> {
  await client.query(`delete from voltage_hour where hour < $1::timestamptz - interval '${meansKeptDays} days'`, [new Date(now)])
  await client.query('delete from line_hours where day < $1', [Math.floor(now / dayMs) - hoursKeptDays])
  for (const table of ['line_day_due', 'line_hours', 'voltage_hour', 'line_look', 'line_live'])
    await client.query(`delete from ${table} where line_id not in (${inPlant})`)
}
