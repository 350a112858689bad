import type { Plant, PlantGroup } from '../plant/plant.ts'
import type { Seen } from '../store/alarm/event.ts'
import type { Within } from '../store/people/user.ts'
import type { Actor } from './actor.ts'

/** The projects and single gateways that somebody sees; null: everything. */
export function seenBy(actor: Actor, plant: Plant): Seen | null {
  if (actor.platform) return null
  return {
    projectIds: [...plant.projects.keys()].filter((id) => actor.sees(id)),
    gatewayIds: [...plant.gateways.values()]
      .filter((gateway) => !actor.sees(gateway.project.id) && actor.seesGateway(gateway))
      .map(({ id }) => id),
  }
}

/** What limits somebody below the administrator to part of the tree; null: they see it whole. */
export const narrowed = (actor: Actor): Within | null =>
  actor.administrator
    ? null
    : {
        projectIds: actor.sight.projectIds,
        gatewayIds: actor.sight.gatewayIds,
        privileges: actor.privileges,
        buttons: actor.buttons,
      }

/** Whether the actor sees a group: of the own tree, and below the administrator with a project that they see, or empty and made by them. */
export function seesGroup(actor: Actor, plant: Plant, group: PlantGroup): boolean {
  if (actor.platform) return true
  if (group.ownerId !== actor.tree) return false
  if (actor.administrator) return true
  const projects = projectsIn(plant, group)
  return projects.length === 0 ? group.madeBy === actor.accountId : projects.some(({ id }) => actor.seesPart(id))
}

/** Whether the actor may rename or delete a group that they see: nothing in it is somebody else's business. */
export const ownsGroup = (actor: Actor, plant: Plant, group: PlantGroup): boolean =>
  seesGroup(actor, plant, group) && (actor.administrator || projectsIn(plant, group).every(({ id }) => actor.sees(id)))

const projectsIn = (plant: Plant, group: PlantGroup) => [...plant.projects.values()].filter(({ cityId }) => cityId === group.id)
