import type { DeviceDataKey, DeviceDataRow } from '@linewarden/contract'
import { COUNTER_SLOT } from '@linewarden/equipment'
import { Quality } from '@linewarden/rules/monitor'
import type { SlotStep } from '@linewarden/rules/report'
import { completenessOf, edgesOf } from '@linewarden/rules/report'
import type { PlantLine } from '../../plant/plant.ts'
import { reportingPeriodOf } from '../../plant/plant.ts'
import type { ReadLines } from '../../store/core/row-security.ts'
import type { DeviceTable } from './device-table.ts'
import { figuresOf, isCounter, slotsOf, wrong } from './device-table.ts'
import type { SlotValues } from './slot-values.ts'
import { slotValues } from './slot-values.ts'

/** The slots of a table: every line has a row in each, so that the place of a row says which it is. */
export interface SlotTable extends DeviceTable {
  readonly step: SlotStep
  readonly edges: readonly number[]
  readonly now: number
}

export function slotTableOf(table: DeviceTable, step: SlotStep, now: number): SlotTable {
  return { ...table, step, edges: edgesOf(step, table.period, table.zone, now), now }
}

export const rowsIn = ({ edges, lines }: SlotTable): number => Math.max(0, edges.length - 1) * lines.length

/** Where a row stands. Throws Refusal where the table has no such row. */
export function placeOf({ edges, lines }: SlotTable, { At, LineID }: DeviceDataKey, field: 'After' | 'Before'): number {
  const slot = edges.indexOf(At)
  const line = lines.findIndex(({ id }) => id === LineID)
  if (slot < 0 || slot === edges.length - 1 || line < 0) throw wrong(field, noSuchRow)
  return slot * lines.length + line
}

export const noSuchRow = { zh: '表中没有这一行', en: 'is no row of this table' }

/** Rows `first` to `end`, that excluded, by time and then line. */
export async function slotRows(read: ReadLines, table: SlotTable, first: number, end: number): Promise<DeviceDataRow[]> {
  if (end <= first) return []
  const { lines, points, edges, step } = table
  const [from, to] = [Math.floor(first / lines.length), Math.floor((end - 1) / lines.length) + 1]
  const slots = slotsOf(table).filter((slot) => slot !== COUNTER_SLOT)
  const values = await slotValues(read, {
    ...{ lines, step, slots, counter: points.some(isCounter) },
    edges: edges.slice(from, to + 1),
  })
  const rows: DeviceDataRow[] = []
  for (let place = first; place < end; place++) {
    const line = lines[place % lines.length]
    const slot = Math.floor(place / lines.length)
    const [at, until] = [edges[slot] ?? 0, edges[slot + 1] ?? 0]
    if (line) rows.push(rowOf(table, line, values.get(line.id)?.get(at), { at, until, slots }))
  }
  return rows
}

function rowOf(
  { points, now }: SlotTable,
  line: PlantLine,
  found: SlotValues | undefined,
  { at, until, slots }: { readonly at: number; readonly until: number; readonly slots: readonly number[] },
): DeviceDataRow {
  const { measured = null, used = null } = found ?? {}
  return {
    ...{ At: at, LineID: line.id },
    Figures: figuresOf(line, points, (point) => {
      if (isCounter(point)) return { Value: used?.kwh ?? null, Min: null, Max: null }
      const { mean = null, min = null, max = null } = measured?.values[slots.indexOf(point.slot)] ?? {}
      return { Value: mean, Min: min, Max: max }
    }),
    Complete: completenessOf({
      ...{ readings: measured?.readings ?? 0, from: at, to: until, periodMs: reportingPeriodOf(line.device), now },
    }),
    Marks: [...marksOf(measured?.quality ?? 0), ...(used?.hows ?? []), ...(until > now ? (['open'] as const) : [])],
  }
}

export const marksOf = (quality: number): DeviceDataRow['Marks'] => [
  ...(quality & Quality.historical ? (['late'] as const) : []),
  ...(quality & Quality.clock ? (['clock'] as const) : []),
]
