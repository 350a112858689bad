import type { DeviceDataKey, DeviceDataRow } from '@linewarden/contract'
import type { PlantLine } from '../../plant/plant.ts'
import { reportingPeriodOf } from '../../plant/plant.ts'
import type { ReadLines } from '../../store/core/row-security.ts'
import type { PlacedReading, ReadingKey } from '../../store/report/readings.ts'
import { readingsAfter, readingsBefore } from '../../store/report/readings.ts'
import type { DeviceTable } from './device-table.ts'
import { figuresOf, slotsOf, wrong } from './device-table.ts'
import { marksOf, noSuchRow } from './slot-rows.ts'

/** Where a reading stands among those of the table. Throws Refusal where it is of none of its lines. */
export function keyOf({ lines }: DeviceTable, { At, LineID }: DeviceDataKey, field: 'After' | 'Before'): ReadingKey {
  const place = lines.findIndex(({ id }) => id === LineID)
  if (place < 0) throw wrong(field, noSuchRow)
  return { at: At, place }
}

/** Up to `most` readings of the table by time and then line: the first that follow a key, or the last before one. */
export async function readingRows(
  read: ReadLines,
  table: DeviceTable,
  { after, before, most }: { readonly after: ReadingKey | null; readonly before: ReadingKey | null; readonly most: number },
): Promise<DeviceDataRow[]> {
  const slots = slotsOf(table)
  const asked = {
    ...{ lineIds: table.lines.map(({ id }) => id), slots, range: table.period, most },
    usualMs: (most * usualPeriodMs(table.lines)) / table.lines.length,
  }
  const found = before ? await readingsBefore(read, asked, before) : await readingsAfter(read, asked, after)
  return found.flatMap((reading) => rowOf(table, slots, reading) ?? [])
}

/** Of equipment that reports when something changes: as if it did so each minute. */
const usualPeriodMs = (lines: readonly PlantLine[]): number =>
  Math.min(...lines.map((line) => reportingPeriodOf(line.device) || 60_000))

function rowOf({ lines, points }: DeviceTable, slots: readonly number[], reading: PlacedReading): DeviceDataRow | null {
  const line = lines[reading.place]
  if (!line) return null
  return {
    ...{ At: reading.at, LineID: line.id, Complete: null, Marks: marksOf(reading.quality) },
    Figures: figuresOf(line, points, ({ slot }) => ({
      ...{ Value: reading.values[slots.indexOf(slot)] ?? null, Min: null, Max: null },
    })),
  }
}
