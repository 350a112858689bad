import type { EnergyRunning, getRunning, Request } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import { maxRunningLines, runningOf } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import { reportingPeriodOf } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import { metersOf } from '../../store/energy/meters.ts'
import { readRunning } from '../../store/energy/registers.ts'
import { linesAdded } from './origin-parts.ts'
import type { Scope } from './scope.ts'
import { scopeOf } from './scope.ts'

export type Runnings = ReturnType<typeof createRunnings>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** What is used since the last quarter that is made: beside the quarters, never in them. */
export function createRunnings({ database, plant, clock }: Deps) {
  return {
    async read(actor: Actor, query: Request<typeof getRunning>['query']): Promise<EnergyRunning> {
      const scope = scopeOf(plant, actor, query)
      const now = clock()
      const ids = await idsOf(actor, scope, now)
      const base = { Zone: scope.project.timeZone, At: now, Since: null, Until: null, Wh: null, Lines: 0, Of: ids.length }
      if (ids.length === 0 || ids.length > maxRunningLines) return base
      const { reads, meters } = await linesSeenBy(
        database,
        actor.scope,
        ids,
      )(async (db) => ({
        reads: await readRunning(db, ids, now),
        meters: await metersOf(db.general, ids),
      }))
      const running = reads.flatMap((read) => {
        const line = plant.lines.get(read.lineId)
        if (!line) return []
        const asked = { now, periodMs: reportingPeriodOf(line.device), ratedCurrentA: line.ratedCurrentA }
        const wh = runningOf(read, meters.get(read.lineId) ?? [], asked)
        return wh === null || !read.last ? [] : { wh, since: read.madeTo, until: read.last.at }
      })
      if (running.length === 0) return base
      return {
        ...{
          ...base,
          Since: Math.min(...running.map(({ since }) => since)),
          Until: Math.min(...running.map(({ until }) => until)),
        },
        ...{ Wh: running.reduce((sum, { wh }) => sum + wh, 0), Lines: running.length },
      }
    },
  }

  /** The lines that are added up today. */
  async function idsOf(actor: Actor, scope: Scope, now: number): Promise<readonly number[]> {
    if (scope.kind === 'l') return [scope.id]
    const zone = civilZone(scope.project.timeZone)
    const today = zone.dayAt(now)
    const { wanted } = await linesAdded(database, actor, scope, { zone, first: today, end: today + 1, until: now })
    return wanted.map(({ lineId }) => lineId)
  }
}
