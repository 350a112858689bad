import { civilZone } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { StatementHeadRow } from '../../store/energy/statement.ts'
import { settledAt } from './amount.ts'
import { sumsOf } from './line-sums.ts'

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
    periods: [{ first: row.first_day, end: row.end_day }],
  }))
  const read = linesSeenBy(database, actor.scope, [...new Set(wanted.map(({ lineId }) => lineId))])
  const sums = wanted.length === 0 ? [] : await read((db) => sumsOf(db, zone, wanted, settledAt(clock())))
  const late = new Map<number, number>()
  for (const [index, { row, own }] of asked.entries()) {
    const more = own.sign * ((sums[index]?.used ?? 0) - own.wh)
    late.set(row.statement_id, (late.get(row.statement_id) ?? 0) + more)
  }
  return new Map([...late].filter(([, wh]) => wh !== 0))
}
