import type { queryWarnings, Request } from '@linewarden/contract'
import type { NotEvaluatedReason } from '@linewarden/rules/warning'
import { isWatched } from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine, PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { countLooks } from '../../store/warning/feature.ts'
import type { WarningDeps } from './deps.ts'
import { kindOfLine } from './line-facts.ts'

export type WatchedPlace = Pick<Request<typeof queryWarnings>['body'], 'CityID' | 'DeviceID' | 'ControllerID' | 'LineID'>

/** Whether a line has anything to look at is a matter of its family: asked of each line of a plant on each page. */
const watchedFamilies = new WeakMap<object, boolean>()
function isWatchedLine(line: PlantLine): boolean {
  const { family } = line.device
  const known = watchedFamilies.get(family) ?? isWatched(kindOfLine(line))
  watchedFamilies.set(family, known)
  return known
}

/** Of how many lines something can be said: not evaluated is not sound. */
export function createCoverage({ database, plant }: Pick<WarningDeps, 'database' | 'plant'>) {
  return { coverage }

  /** How many lines of a place the daily detectors could say something of, and why nothing of the others. */
  async function coverage(actor: Actor, project: PlantProject | null, asked: WatchedPlace) {
    const lines = linesOfPlace(plant, actor, project, asked).filter(isWatchedLine)
    const ids = lines.map(({ id }) => id)
    const looks = await withRowSecurity(database, actor.scope, (db) => countLooks(db, ids))
    const reasons = new Map<NotEvaluatedReason, number>()
    const looked = looks.reduce((sum, each) => sum + each.lines, 0)
    for (const { reason, lines: count } of looks) if (reason !== null) reasons.set(reason, count)
    // A line that nobody has looked at yet is at the beginning of its learning.
    if (ids.length > looked) reasons.set('learning', (reasons.get('learning') ?? 0) + ids.length - looked)
    return {
      Lines: ids.length,
      Evaluated: looks.find(({ reason }) => reason === null)?.lines ?? 0,
      NotEvaluated: [...reasons].toSorted(([, a], [, b]) => b - a).map(([Reason, Lines]) => ({ Reason, Lines })),
      EvaluatedAt: looks.length === 0 ? null : Math.max(...looks.map(({ at }) => at.getTime())),
    }
  }
}

/** The lines of a place that somebody sees. */
export const linesOfPlace = (
  plant: Pick<Plant, 'lines'>,
  actor: Actor,
  project: PlantProject | null,
  { CityID, DeviceID, ControllerID, LineID }: WatchedPlace,
): PlantLine[] =>
  [...plant.lines.values()].filter(
    ({ id, device: { gateway, controllerId } }) =>
      actor.seesGateway(gateway) &&
      (project === null || gateway.project === project) &&
      (CityID === undefined || gateway.project.cityId === CityID) &&
      (DeviceID === undefined || gateway.id === DeviceID) &&
      (ControllerID === undefined || controllerId === ControllerID) &&
      (LineID === undefined || id === LineID),
  )
