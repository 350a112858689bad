import { civilZone } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { StatementHeadRow } from '../../store/energy/statement.ts'
import { settledAt } from './amount.ts'
import type { LineDates, LineSum } from './line-sums.ts'
import { maxLineDays, sumsOf } from './line-sums.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/**
 * How much more is known of these statements since they were issued, Wh; those of which nothing changed, or a line of which is in the project no more,
 * are left out.
 */
export async function lateOf(
  { database, plant, clock }: Deps,
  actor: Actor,
  project: PlantProject,
  rows: readonly StatementHeadRow[],
): Promise<ReadonlyMap<number, number>> {
  const zone = civilZone(project.timeZone)
  const isHere = (lineId: number) => plant.lines.get(lineId)?.device.gateway.project === project
  const asked = rows
    .filter(({ state, head }) => state === 'issued' && head.reported.every(({ lineId }) => isHere(lineId)))
    .flatMap((row) => row.head.reported.map((own) => ({ row, own })))
  const wanted = asked.map(({ row, own }) => ({
    lineId: own.lineId,
    periods: [row.head.billed],
  }))
  const read = linesSeenBy(database, actor.scope, [...new Set(wanted.map(({ lineId }) => lineId))])
  // As many at once as one question may ask: a long list is never refused as a whole.
  const sums: LineSum[] = []
  for (const some of inBatches(wanted)) sums.push(...(await read((db) => sumsOf(db, zone, some, settledAt(clock())))))
  const late = new Map<number, number>()
  for (const [index, { row, own }] of asked.entries()) {
    const more = own.sign * ((sums[index]?.used ?? 0) - own.wh)
    late.set(row.statement_id, (late.get(row.statement_id) ?? 0) + more)
  }
  return new Map([...late].filter(([, wh]) => wh !== 0))
}

/** Of at most so many days each, with every date counted as one; one line alone has fewer. */
export function inBatches(wanted: readonly LineDates[]): readonly (readonly LineDates[])[] {
  const batches: LineDates[][] = []
  let days = maxLineDays
  for (const each of wanted) {
    const own = each.periods.reduce((sum, { first, end }) => sum + end - first, 0)
    if (days + own > maxLineDays) {
      batches.push([])
      days = 0
    }
    batches.at(-1)?.push(each)
    days += own
  }
  return batches
}
