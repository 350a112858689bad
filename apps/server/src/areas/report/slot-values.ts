import { dayMs, hourMs } from '@linewarden/equipment'
import { How, quarterMs } from '@linewarden/rules/energy'
import type { Period, SlotStep } from '@linewarden/rules/report'
import type { PlantLine } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { ReadLines } from '../../store/core/row-security.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import { readQuartersOf } from '../../store/energy/read.ts'
import { readDays, readHours } from '../../store/history/rolled.ts'
import type { BucketRow, WantedLine } from '../../store/history/rows.ts'
import { readSampleBuckets } from '../../store/history/samples.ts'

/** What a line measured and used in one slot. */
export interface SlotValues {
  readonly measured: BucketRow | null
  readonly used: SlotUse | null
}

/** What is known of the energy of a slot, kWh, null: nothing is; and how its parts are known that were not measured. */
export interface SlotUse {
  readonly kwh: number | null
  readonly hows: readonly ('spread' | 'estimated' | 'entered')[]
}

interface Asked {
  readonly lines: readonly PlantLine[]
  readonly step: SlotStep
  /** Where the slots begin and end: the first to the last. */
  readonly edges: readonly number[]
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
      for (const [at, use] of used?.get(lineId) ?? []) slots.set(at, { measured: slots.get(at)?.measured ?? null, used: use })
      return [lineId, slots]
    }),
  )
}

const periodOf = ({ edges }: Asked): Period => ({ from: edges[0] ?? 0, to: edges.at(-1) ?? 0 })

function readMeasured(database: Database, lines: readonly WantedLine[], asked: Asked) {
  const { step, slots } = asked
  const period = periodOf(asked)
  if (step === 'quarter') return readSampleBuckets(database, lines, period, slots, quarterMs)
  const question = { lines, range: period, slots, use: false }
  return step === 'hour'
    ? readHours(database, { ...question, bucketMs: hourMs })
    : readDays(database, { ...question, bucketMs: dayMs })
}

/** Energy of each slot: of quarters, as on the pages of energy, so that no two pages disagree. Edges are quarters in every zone. */
async function readUse(database: Database, lines: readonly WantedLine[], asked: Asked) {
  const period = periodOf(asked)
  const read = await readQuartersOf(
    database,
    lines.map(({ lineId }) => ({ lineId, ...period })),
  )
  return new Map(lines.map(({ lineId }, place) => [lineId, usesOf(read[place], asked.edges)]))
}

const words = new Map<number, SlotUse['hows'][number]>([
  [How.spread, 'spread'],
  [How.estimated, 'estimated'],
  [How.entered, 'entered'],
])

function usesOf(quarters: LineQuarters | undefined, edges: readonly number[]): ReadonlyMap<number, SlotUse> {
  const uses = new Map<number, SlotUse>()
  if (!quarters) return uses
  for (const [slot, at] of edges.entries()) {
    let wh: number | null = null
    const hows = new Set<SlotUse['hows'][number]>()
    for (let quarter = at; quarter < (edges[slot + 1] ?? at); quarter += quarterMs) {
      const index = (quarter - quarters.from) / quarterMs
      const own = quarters.wh[index] ?? null
      if (own === null) continue
      wh = (wh ?? 0) + own
      const how = words.get(quarters.how[index] ?? How.missing)
      if (how) hows.add(how)
    }
    uses.set(at, { kwh: wh === null ? null : wh / 1_000, hows: [...words.values()].filter((each) => hows.has(each)) })
  }
  return uses
}
