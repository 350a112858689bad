import { dayMs, hourMs } from '@linewarden/equipment'
import { quarterMs } from '@linewarden/rules/energy'
import type { Period, SlotStep } from '@linewarden/rules/report'
import type { PlantLine } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { ReadLines } from '../../store/core/row-security.ts'
import { readDays, readHours } from '../../store/history/rolled.ts'
import type { BucketRow, WantedLine } from '../../store/history/rows.ts'
import { readSampleBuckets, readSampleUse } from '../../store/history/samples.ts'

/** What a line measured and used in one slot. */
export interface SlotValues {
  readonly measured: BucketRow | null
  readonly used: { readonly kwh: number | null; readonly quality: number } | null
}

interface Asked {
  readonly lines: readonly PlantLine[]
  readonly step: SlotStep
  /** From edge to edge. */
  readonly period: Period
  /** Measured slots of the storage. */
  readonly slots: readonly number[]
  readonly counter: boolean
}

type ByLine = ReadonlyMap<number, ReadonlyMap<number, SlotValues>>

/** What lines measured and used in each slot, by line and start. Readings are counted also where only use is wanted. */
export async function slotValues(read: ReadLines, asked: Asked): Promise<ByLine> {
  const lines = asked.lines.map((line): WantedLine => ({ lineId: line.id, timeZone: line.device.gateway.project.timeZone }))
  const [measured, used] = await Promise.all([
    read((database) => readMeasured(database, lines, asked)),
    asked.counter ? read((database) => readUse(database, lines, asked)) : null,
  ])
  return new Map(
    lines.map(({ lineId }) => {
      const slots = new Map<number, SlotValues>()
      for (const row of measured.get(lineId) ?? []) slots.set(row.at, { measured: row, used: null })
      for (const { at, quality, values } of used?.get(lineId) ?? [])
        slots.set(at, { measured: slots.get(at)?.measured ?? null, used: { kwh: values[0]?.mean ?? null, quality } })
      return [lineId, slots]
    }),
  )
}

function readMeasured(database: Database, lines: readonly WantedLine[], { step, period, slots }: Asked) {
  if (step === 'quarter') return readSampleBuckets(database, lines, period, slots, quarterMs)
  const question = { lines, range: period, slots, use: false }
  return step === 'hour'
    ? readHours(database, { ...question, bucketMs: hourMs })
    : readDays(database, { ...question, bucketMs: dayMs })
}

/** Energy of a slot: what history counts. It is asked for here and nowhere else in this area, so that another source takes its place. */
function readUse(database: Database, lines: readonly WantedLine[], { step, period }: Asked) {
  if (step === 'quarter') return readSampleUse(database, lines, period, quarterMs)
  const question = { lines, range: period, slots: [], use: true }
  return step === 'hour'
    ? readHours(database, { ...question, bucketMs: hourMs })
    : readDays(database, { ...question, bucketMs: dayMs })
}
