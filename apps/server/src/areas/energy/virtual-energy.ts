import { Refusal } from '@linewarden/contract'
import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import type { CivilPeriod, Quarters } from '@linewarden/rules/energy'
import { How, quarterMs, startOfDay, virtualQuarters } from '@linewarden/rules/energy'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import { linesSince, readQuarters } from '../../store/energy/read.ts'
import type { VirtualMeterRow } from '../../store/energy/virtual.ts'
import { findVirtualMeter, virtualMetersOf } from '../../store/energy/virtual.ts'
import { invalid } from './asked.ts'
import type { Reader } from './scope.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
}

/** A virtual meter with all of its project, of which it may be made. */
export interface VirtualSource {
  readonly project: PlantProject
  readonly meter: VirtualMeterRow
  readonly all: ReadonlyMap<number, VirtualMeterRow>
  /** Lines that it is made of, by whatever way; those that are in the project no more are not in it. */
  readonly lineIds: readonly number[]
}

/** Days of lines that one question may read by the quarter: fifty lines over a year, or five over ten. */
const maxLineDays = 20_000

/** A virtual meter of a project that somebody sees as a whole. */
export async function virtualSource({ database, plant }: Deps, actor: Reader, meterId: number): Promise<VirtualSource> {
  const read = await withRowSecurity(database, actor.scope, async ({ general }) => {
    const meter = await findVirtualMeter(general, meterId)
    return meter && { meter, rows: await virtualMetersOf(general, meter.project_id) }
  })
  const project = read && plant.projects.get(read.meter.project_id)
  if (!project || !actor.sees(project.id)) throw new Refusal('virtual meter not exists')
  const all = new Map(read.rows.map((row) => [row.meter_id, row]))
  const lineIds = [...linesUnder(read.meter, all)].filter((id) => plant.lines.get(id)?.device.gateway.project === project)
  return { project, meter: read.meter, all, lineIds }
}

function linesUnder(meter: VirtualMeterRow, all: ReadonlyMap<number, VirtualMeterRow>): ReadonlySet<number> {
  const [lines, passed] = [new Set<number>(), new Set<number>()]
  const open = [meter]
  for (let next = open.pop(); next; next = open.pop()) {
    if (passed.has(next.meter_id)) continue
    passed.add(next.meter_id)
    for (const { lineId, meterId } of next.terms) {
      if (lineId !== null) lines.add(lineId)
      const of = meterId === null ? undefined : all.get(meterId)
      if (of) open.push(of)
    }
  }
  return lines
}

/** Its quarters in some periods, each for itself; beyond its dates nothing is known. */
export async function virtualParts(
  { database }: Deps,
  actor: Reader,
  source: VirtualSource,
  zone: CivilZone,
  periods: readonly CivilPeriod[],
): Promise<readonly LineQuarters[]> {
  const { lineIds, meter, all } = source
  const days = periods.reduce((sum, { first, end }) => sum + end - first, 0)
  if (days * lineIds.length > maxLineDays) throw invalid('query.To', largeTexts)
  const parts: LineQuarters[] = []
  for (const { first, end } of periods) {
    const [from, to] = [startOfDay(zone, first), startOfDay(zone, end)]
    const lines = await linesSeenBy(
      database,
      actor.scope,
      lineIds,
    )(async (db) => {
      const read = new Map<number, Quarters>()
      for (const lineId of lineIds) read.set(lineId, await readQuarters(db, lineId, from, to))
      return read
    })
    const count = (to - from) / quarterMs
    const own = new Map<number, Quarters>()
    parts.push({ from, ...quartersOf(meter, { zone, from, count, lines, all, own }) })
  }
  return parts
}

const largeTexts = {
  zh: '虚拟表包含的线路较多，请缩短时段',
  en: 'is too far from From for so many lines: shorten the range',
}

interface Evaluation {
  readonly zone: CivilZone
  readonly from: number
  readonly count: number
  readonly lines: ReadonlyMap<number, Quarters>
  readonly all: ReadonlyMap<number, VirtualMeterRow>
  /** Of virtual meters that are worked out already. */
  readonly own: Map<number, Quarters>
}

function quartersOf(meter: VirtualMeterRow, evaluation: Evaluation): Quarters {
  const { zone, from, count, lines, all, own } = evaluation
  const known = own.get(meter.meter_id)
  if (known) return known
  // No circle is stored; one that were would know nothing.
  own.set(meter.meter_id, unknown(count))
  const terms = meter.terms.map(({ lineId, meterId, factor }) => {
    const of = meterId === null ? undefined : all.get(meterId)
    const quarters = lineId !== null ? lines.get(lineId) : of && quartersOf(of, evaluation)
    return { factor, quarters: quarters ?? unknown(count) }
  })
  const made = within(virtualQuarters(terms, count, meter.floors_at_zero), (day: CivilDay) => startOfDay(zone, day), from, meter)
  own.set(meter.meter_id, made)
  return made
}

function within({ wh, how }: Quarters, startOf: (day: CivilDay) => number, from: number, meter: VirtualMeterRow): Quarters {
  const begins = startOf(meter.from_day)
  const ends = meter.to_day === null ? Number.POSITIVE_INFINITY : startOf(meter.to_day + 1)
  const isIn = (index: number) => from + index * quarterMs >= begins && from + index * quarterMs < ends
  return {
    wh: wh.map((each, index) => (isIn(index) ? each : null)),
    how: how.map((mark, index) => (isIn(index) ? mark : How.missing)),
  }
}

const unknown = (count: number): Quarters => ({
  wh: new Array<null>(count).fill(null),
  how: new Uint8Array(count).fill(How.missing),
})

/** Since which quarter all of its lines have energy and it is in force, Unix ms; null: one of them never had any. */
export async function virtualSince(
  { database }: Deps,
  actor: Reader,
  source: VirtualSource,
  zone: CivilZone,
): Promise<number | null> {
  const { all } = await linesSeenBy(database, actor.scope, source.lineIds)((db) => linesSince(db, source.lineIds))
  return all === null ? null : Math.max(all, startOfDay(zone, source.meter.from_day))
}
