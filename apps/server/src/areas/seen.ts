import type { Actor } from '../http/context.ts'
import type { Plant } from '../live/plant.ts'
import type { Seen } from '../store/event.ts'

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
