import { minuteMs } from '@linewarden/equipment'
import { civilZone } from '@linewarden/rules/automation'
import type { Meter } from '@linewarden/rules/energy'
import { bucketEdges } from '@linewarden/rules/history'
import type { Database } from '../../store/core/database.ts'
import { readBucketUse } from '../../store/energy/bucket-use.ts'
import { metersOf } from '../../store/energy/meters.ts'
import type { BucketRow, Range, WantedLine } from '../../store/history/rows.ts'
import { readSampleUse } from '../../store/history/samples.ts'

/** A quarter is made so long after it ended at most. */
export const stillMadeMs = 30 * minuteMs

/** Use in buckets of an hour and more: what the quarters say that the pages of energy are made of. */
export async function quarterUse(
  database: Database,
  lines: readonly WantedLine[],
  range: Range,
  bucketMs: number,
): Promise<ReadonlyMap<number, readonly BucketRow[]>> {
  const found = new Map<number, readonly BucketRow[]>()
  for (const [timeZone, own] of Map.groupBy(lines, (line) => line.timeZone)) {
    const edges = bucketEdges(civilZone(timeZone), bucketMs, range)
    const ids = own.map(({ lineId }) => lineId)
    for (const [lineId, buckets] of await readBucketUse(database, ids, edges))
      found.set(
        lineId,
        buckets.flatMap(({ used, known }, index) =>
          known === 0 ? [] : bucketRow(edges[index] ?? 0, edges[index + 1] ?? 0, used / 1_000),
        ),
      )
  }
  return found
}

const bucketRow = (from: number, to: number, kwh: number): BucketRow => ({
  ...{ at: from, first: from, last: to, quality: 0, readings: 0 },
  values: [{ min: null, mean: kwh, max: null }],
})

/** Use in shorter buckets: what the registers rose by, so many times as their meters count. */
export async function risenUse(
  database: Database,
  lines: readonly WantedLine[],
  range: Range,
  bucketMs: number,
): Promise<ReadonlyMap<number, readonly BucketRow[]>> {
  const ids = lines.map(({ lineId }) => lineId)
  const [rows, meters] = [await readSampleUse(database, lines, range, bucketMs), await metersOf(database.general, ids)]
  return new Map([...rows].map(([lineId, own]) => [lineId, multiplied(own, meters.get(lineId) ?? [])]))
}

function multiplied(rows: readonly BucketRow[], meters: readonly Meter[]): readonly BucketRow[] {
  if (meters.length === 0) return rows
  return rows.map((row) => {
    const times = meters.find(({ from, to }) => from <= row.at && (to === null || row.at < to))?.multiplier ?? 1
    return { ...row, values: row.values.map((value) => ({ ...value, mean: value.mean === null ? null : value.mean * times })) }
  })
}
