import type { Plant, PlantGateway, PlantGroup, PlantProject } from '../plant/plant.ts'
import type { Seen } from '../store/alarm/event-filter.ts'
import type { PartialScope } from '../store/people/user.ts'
import type { Actor } from './actor.ts'

/** The projects and single gateways that somebody sees, of all or within one project; null: everything. */
export function seenBy(actor: Actor, plant: Plant, project: PlantProject | null = null): Seen | null {
  if (actor.platform && !project) return null
  const projects = project ? [project] : projectsSeen(actor, plant)
  // A project that is seen in part is given by its gateways.
  const parts = new Set(projects.filter(({ id }) => !actor.sees(id)))
  return {
    projectIds: projects.filter((each) => !parts.has(each)).map(({ id }) => id),
    gatewayIds: parts.size === 0 ? [] : gatewaysSeen(actor, plant).flatMap(({ id, project }) => (parts.has(project) ? [id] : [])),
  }
}

/** The projects of which the actor sees anything. */
export const projectsSeen = (actor: Actor, plant: Plant): PlantProject[] =>
  [...plant.projects.values()].filter(({ id }) => actor.seesPart(id))

export const gatewaysSeen = (actor: Actor, plant: Plant): PlantGateway[] =>
  [...plant.gateways.values()].filter((gateway) => actor.seesGateway(gateway))

/** The part of the tenant that an account below the administrator is limited to; null: it sees the whole tenant. */
export const partialScopeOf = (actor: Actor): PartialScope | null =>
  actor.administrator
    ? null
    : {
        projectIds: actor.scope.projectIds,
        gatewayIds: actor.scope.gatewayIds,
        privileges: actor.privileges,
        buttons: actor.buttons,
      }

/** Whether the actor sees a group: of the own tenant, and below the administrator with a project that they see, or empty and made by them. */
export function seesGroup(actor: Actor, plant: Plant, group: PlantGroup): boolean {
  if (actor.platform) return true
  if (group.ownerId !== actor.tenant) return false
  if (actor.administrator) return true
  const projects = projectsIn(plant, group)
  return projects.length === 0 ? group.madeBy === actor.accountId : projects.some(({ id }) => actor.seesPart(id))
}

/** Whether the actor may rename or delete a group that they see: nothing in it is somebody else's business. */
export const ownsGroup = (actor: Actor, plant: Plant, group: PlantGroup): boolean =>
  seesGroup(actor, plant, group) && (actor.administrator || projectsIn(plant, group).every(({ id }) => actor.sees(id)))

const projectsIn = (plant: Plant, group: PlantGroup) => [...plant.projects.values()].filter(({ cityId }) => cityId === group.id)
