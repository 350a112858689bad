import type { List, LoadAgain, listLoadAgain, Request } from '@linewarden/contract'
import { loadAgain } from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { LoadAgainRow } from '../../store/warning/load-again.ts'
import { loadAgainOf } from '../../store/warning/load-again.ts'
import { linesOfPlace } from './coverage.ts'
import type { WarningDeps } from './deps.ts'
import { dayText, localDay } from './line-facts.ts'
import type { RulesInForce } from './rules-in-force.ts'

/** Lines that may be overloaded today. It is no event: it is shown for the day that it is about, and gone with it. */
export function createLoadAgain(
  { database, plant, clock }: Pick<WarningDeps, 'database' | 'plant' | 'clock'>,
  rules: RulesInForce,
) {
  return {
    async loadAgain(
      actor: Actor,
      project: PlantProject | null,
      { Page = 1, Size = 10, ...asked }: Request<typeof listLoadAgain>['body'],
    ): Promise<List<LoadAgain>> {
      const ids = linesOfPlace(plant, actor, project, asked).map(({ id }) => id)
      const rows = await withRowSecurity(database, actor.scope, (db) => loadAgainOf(db, ids))
      const now = clock()
      const found = rows.flatMap((row) => recordOf(row, now))
      const worstFirst = found.toSorted((one, other) => other.Value / other.Limit - one.Value / one.Limit)
      return { items: worstFirst.slice((Page - 1) * Size, Page * Size), total: found.length }
    },
  }

  function recordOf({ lineId, day, outcome: { point, evidence } }: LoadAgainRow, now: number): LoadAgain[] {
    const line = plant.lines.get(lineId)
    if (!line) return []
    const { device, name, lineNo } = line
    const { gateway, family, controllerId } = device
    const { project } = gateway
    // The night looks at the day that ended, and foresees the one after it: what was found for another day is over.
    if (localDay(project.timeZone, now) !== day + 1) return []
    if (!rules.of(loadAgain, { project, family: family.key, lineId }).enabled) return []
    return [
      {
        ...{ HouseID: project.id, DeviceID: gateway.id, LineID: lineId, ControllerID: controllerId, LineNo: lineNo },
        Where: { HouseName: project.name || null, GatewayName: gateway.name || null, LineName: name || device.name || null },
        Day: dayText(day + 1),
        Hours: [...(evidence.hours ?? [])],
        Point: point,
        Value: evidence.value,
        Limit: evidence.limit,
        Unit: evidence.unit,
        Used: evidence.used,
      },
    ]
  }
}
