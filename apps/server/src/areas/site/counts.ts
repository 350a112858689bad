import type { Counts } from '@linewarden/contract'
import type { CountName } from '@linewarden/rules/alarm'
import { awayOf, byCountName, countNameOf, isAway, worstKind } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import { linkOfDevice } from '../../plant/plant.ts'

export const nothing: Counts = { Gateways: 0, Away: 0, Lines: 0, Detectors: 0, ...byCountName(() => 0) }

/** What each project has of what the actor sees, and how much of it is not normal; one pass over the plant. */
export function countsOf(plant: Plant, actor: Actor): Map<PlantProject, Counts> {
  const counts = new Map<PlantProject, Counts>()
  for (const project of plant.projects.values()) counts.set(project, { ...nothing })
  const seen = new Set<PlantGateway>()
  for (const gateway of plant.gateways.values()) {
    const { project, link } = gateway
    const own = counts.get(project)
    if (!own || !actor.seesGateway(gateway)) continue
    seen.add(gateway)
    own.Gateways += 1
    if (isAway(link)) own.Away += 1
    else for (const device of gateway.devices.values()) if (awayOf(link, linkOfDevice(device).link) === 'device') own.Away += 1
  }
  for (const line of plant.lines.values()) {
    const own = counts.get(line.device.gateway.project)
    if (!own || !seen.has(line.device.gateway)) continue
    own.Lines += 1
    if (line.device.family.level === 'device') own.Detectors += 1
    const worst = worstOf(line)
    if (worst) own[worst] += 1
  }
  return counts
}

function worstOf({ alarms }: PlantLine): CountName | null {
  const worst = alarms.size === 0 ? null : worstKind([...alarms.values()].map(({ kind }) => kind))
  return worst && countNameOf(worst)
}
