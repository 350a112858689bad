import { once } from 'node:events'
import { zoneClock } from '@linewarden/contract'
import { dayMs, hourMs, MEASURE_SLOTS } from '@linewarden/equipment'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { rememberedBy } from '../../lib/remembered-by.ts'
import { beginArray, copyEnd, copyHeader, intType, realsBytes, writeInt, writeMoment, writeReals } from '../core/binary-copy.ts'
import type { Batch } from '../ingest/batch.ts'
import { RowWriter, readingColumns } from '../ingest/copy-rows.ts'
import { dayOf, makePartition } from '../ingest/partitions.ts'
import type { ZoneDay } from './rollup-day.ts'
import { noteDays } from './rollup-day.ts'

/** The hours of one line as they were rolled up elsewhere; NaN is not known, an hour without reports is none. */
export interface HoursBroughtIn {
  readonly lineId: number
  /** Of its project: whose days its hours lie in. */
  readonly timeZone: string
  /** Hours since 1970 of the first entry. */
  readonly firstHour: number
  /** How many reports each hour is made of. */
  readonly reports: Int32Array
  /** Entry `hour * MEASURE_SLOTS + slot`. */
  readonly min: Float32Array
  readonly mean: Float32Array
  readonly max: Float32Array
  /** Means of the squares of the first three slots: entry `hour * 3 + slot`. */
  readonly square: Float32Array
  readonly used: Float64Array
}

const columns = 'line_id, hour, count, min, mean, max, counter_used, known, quality, square'
const squares = 3
const arrayBytes = realsBytes(MEASURE_SLOTS)
const rowBytes = 2 + 8 + 12 + 8 + 5 * arrayBytes + 12 + 6

/**
 * Writes hours that are over into the history of lines that have none yet, and makes their days due, also for early warning. Answers how many.
 * Of energy whoever brings them in brings the quarters.
 */
export async function bringInHours(client: pg.ClientBase, lines: readonly HoursBroughtIn[]): Promise<number> {
  const stream = client.query(copyFrom(`copy reading_hour (${columns}) from stdin (format binary)`))
  stream.write(copyHeader)
  let written = 0
  const due = new DaysDue()
  for (const line of lines) {
    const rows = Buffer.allocUnsafe(rowBytes * line.reports.length)
    let at = 0
    for (const [hour, reports] of line.reports.entries()) {
      if (reports === 0) continue
      at = writeHour(rows, at, line, hour)
      written += 1
      due.add(line, line.firstHour + hour)
    }
    if (!stream.write(rows.subarray(0, at))) await once(stream, 'drain')
  }
  stream.end(copyEnd)
  await once(stream, 'finish')
  await due.note(client)
  return written
}

/** The local days of hours, by line. */
class DaysDue {
  readonly #days = new Map<string, Map<number, ZoneDay>>()
  readonly #lines = new Map<number, Set<number>>()
  readonly #clockOf = rememberedBy(zoneClock)

  add({ lineId, timeZone }: HoursBroughtIn, hour: number): void {
    const { day } = this.#dayOf(timeZone, hour)
    const own = this.#lines.get(lineId)
    if (own) own.add(day)
    else this.#lines.set(lineId, new Set([day]))
  }

  async note(client: pg.ClientBase): Promise<void> {
    const zones = [...this.#days.values()].flatMap((hours) => [...hours.values()])
    await noteDays(client, [...new Map(zones.map((each) => [`${each.timeZone} ${each.day}`, each])).values()])
    const lines = [...this.#lines].flatMap(([lineId, days]) => [...days].map((day) => ({ lineId, day })))
    await client.query('insert into line_day_due (line_id, day) select * from unnest($1::int[], $2::int[])', [
      lines.map(({ lineId }) => lineId),
      lines.map(({ day }) => day),
    ])
  }

  #dayOf(timeZone: string, hour: number): ZoneDay {
    const hours = this.#days.get(timeZone) ?? new Map<number, ZoneDay>()
    this.#days.set(timeZone, hours)
    const known = hours.get(hour)
    if (known) return known
    const clock = this.#clockOf(timeZone)
    const day = Math.floor(clock.local(hour * hourMs) / dayMs)
    const made = { timeZone, day, begins: new Date(clock.moment(day * dayMs)) }
    hours.set(hour, made)
    return made
  }
}

function writeHour(out: Buffer, start: number, line: HoursBroughtIn, hour: number): number {
  const reports = line.reports[hour] ?? 0
  const slots = (of: Float32Array) => of.subarray(hour * MEASURE_SLOTS, (hour + 1) * MEASURE_SLOTS)
  const mean = slots(line.mean)
  let at = out.writeInt16BE(10, start)
  at = writeInt(out, at, line.lineId)
  at = writeMoment(out, at, (line.firstHour + hour) * hourMs)
  at = writeInt(out, at, reports)
  at = writeReals(out, at, slots(line.min))
  at = writeReals(out, at, mean)
  at = writeReals(out, at, slots(line.max))
  const used = line.used[hour] ?? Number.NaN
  if (Number.isNaN(used)) at = out.writeInt32BE(-1, at)
  else {
    at = out.writeInt32BE(8, at)
    at = out.writeDoubleBE(used, at)
  }
  at = beginArray(out, at, { bytes: 20 + MEASURE_SLOTS * 8, type: intType, hasNull: false, size: MEASURE_SLOTS })
  for (const value of mean) at = writeInt(out, at, Number.isNaN(value) ? 0 : reports)
  at = out.writeInt32BE(2, at)
  at = out.writeInt16BE(0, at)
  return writeReals(out, at, line.square.subarray(hour * squares, (hour + 1) * squares))
}

/**
 * Writes readings of lines that have none yet. Neither their hours nor their quarters are made due: whoever brings readings in brings those that are
 * over with them, which are made of more than the readings that are left.
 */
export async function bringInReadings(client: pg.ClientBase, batches: Iterable<Batch>): Promise<number> {
  const writer = new RowWriter()
  const days = new Set<number>()
  let written = 0
  for (const batch of batches) {
    for (let row = 0; row < batch.count; row++) {
      const day = dayOf(batch.at[row] ?? 0)
      if (days.has(day)) continue
      await makePartition(client, day)
      days.add(day)
    }
    const stream = client.query(copyFrom(`copy reading (${readingColumns}) from stdin (format binary)`))
    stream.end(writer.encode(batch))
    await once(stream, 'finish')
    written += batch.count
  }
  return written
}
