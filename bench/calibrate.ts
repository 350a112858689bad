import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { newLine } from '../apps/server/src/plant/plant.ts'
import { Batch } from '../apps/server/src/store/ingest/batch.ts'
import { RowWriter, readingColumns } from '../apps/server/src/store/ingest/copy-rows.ts'
import { breakerForBench } from './bench-device.ts'

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** How long a thousand empty questions take here, in whole ms. */
export async function thousandQuestions(client: pg.Client): Promise<number> {
  const asked = performance.now()
  for (let i = 0; i < 1_000; i++) await client.query('select 1')
  return Math.round(performance.now() - asked)
}

const rowsPerCopy = 5_000

/**
 * The calibrator: how many rows of 17 values a second this machine and this PostgreSQL take by binary COPY, in transactions of 5,000, with
 * nothing else going on. Into a table of the same shape and key, which is dropped again.
 */
export async function rawCopyRate(client: pg.Client, seconds: number): Promise<number> {
  await client.query('drop table if exists bench_reading')
  await client.query('create table bench_reading (like reading including all)')
  const writer = new RowWriter()
  const lines = Array.from({ length: rowsPerCopy }, (_, i) => newLine(i + 1, breakerForBench, 1, '', 63))
  const batch = new Batch(1)
  let rows = 0
  const started = performance.now()
  for (let round = 0; performance.now() - started < seconds * 1_000; round++) {
    batch.reuse(round)
    for (let i = 0; i < rowsPerCopy; i++) {
      batch.lines[i] = lines[i] ?? newLine(1, breakerForBench, 1, '', 63)
      batch.at[i] = 1_700_000_000_000 + round * 1_000
      batch.receivedAt[i] = batch.at[i] ?? 0
      for (let slot = 0; slot < 17; slot++) batch.values[i * 17 + slot] = i + slot / 10
    }
    batch.count = rowsPerCopy
    await client.query('begin')
    const stream = client.query(copyFrom(`copy bench_reading (${readingColumns}) from stdin (format binary)`))
    stream.end(writer.encode(batch))
    await once(stream, 'finish')
    await client.query('commit')
    rows += rowsPerCopy
  }
  const rate = Math.round(rows / ((performance.now() - started) / 1_000))
  await client.query('drop table bench_reading')
  return rate
}
