import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredUser } from '../../store/people/user.ts'

export interface Assigned {
  readonly projectIds: readonly number[]
  readonly gatewayIds: readonly number[]
}

/** What an account is to see: at least one thing, all of it seen by the actor and owned by whom the account stands under. Throws Refusal. */
export function checkAssigned(
  plant: Plant,
  actor: Actor,
  ownerId: string | null,
  { HouseIDs, DeviceIDs }: { readonly HouseIDs: readonly number[]; readonly DeviceIDs: readonly number[] },
): Assigned {
  if (HouseIDs.length + DeviceIDs.length === 0) throw new Refusal('no device assigned')
  for (const id of HouseIDs) {
    const project = plant.projects.get(id)
    if (!project || !actor.sees(id)) throw new Refusal('project not exists')
    if (project.ownerId !== ownerId) throw new Refusal('other owner')
  }
  for (const id of DeviceIDs) {
    const gateway = plant.gateways.get(id)
    if (!gateway || !actor.seesGateway(gateway)) throw new Refusal('gateway not exists')
    if (gateway.project.ownerId !== ownerId) throw new Refusal('other owner')
  }
  return { projectIds: HouseIDs, gatewayIds: DeviceIDs }
}

/**
 * Whether everything an account was given is seen by the actor. What was given nothing lies within nobody's sight: only the administrator
 * knows what it is for. Lists ask the database the same by `accounts_within`.
 */
export function liesWithin(
  plant: Plant,
  actor: Actor,
  { projectIds, gatewayIds }: Pick<StoredUser, 'projectIds' | 'gatewayIds'>,
): boolean {
  const projects = projectIds.filter((id) => plant.projects.has(id))
  const gateways = gatewayIds.flatMap((id) => plant.gateways.get(id) ?? [])
  return projects.length + gateways.length > 0 && projects.every((id) => actor.sees(id)) && gateways.every(actor.seesGateway)
}
