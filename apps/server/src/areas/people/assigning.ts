import type { MessageKey } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { AssignFault, Given } from '@linewarden/rules/people'
import { assignFault, liesWithin } from '@linewarden/rules/people'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantGateway, PlantProject } from '../../plant/plant.ts'
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
  const given = (thing: PlantProject | PlantGateway | undefined): Given =>
    thing
      ? 'project' in thing
        ? { seen: actor.seesGateway(thing), ownerId: thing.project.ownerId }
        : { seen: actor.sees(thing.id), ownerId: thing.ownerId }
      : null
  const fault = assignFault(
    {
      projects: HouseIDs.map((id) => given(plant.projects.get(id))),
      gateways: DeviceIDs.map((id) => given(plant.gateways.get(id))),
    },
    ownerId,
  )
  if (fault) throw new Refusal(refusals[fault])
  return { projectIds: HouseIDs, gatewayIds: DeviceIDs }
}

const refusals = {
  nothing: 'no device assigned',
  no_project: 'project not exists',
  no_gateway: 'gateway not exists',
  other_owner: 'other owner',
} as const satisfies Record<AssignFault, MessageKey>

/** Whether the actor sees everything that an account was given. Lists ask the database the same by `accounts_within`. */
export const seesAssigned = (
  plant: Plant,
  actor: Actor,
  { projectIds, gatewayIds }: Pick<StoredUser, 'projectIds' | 'gatewayIds'>,
): boolean =>
  liesWithin([
    ...projectIds.filter((id) => plant.projects.has(id)).map((id) => actor.sees(id)),
    ...gatewayIds.flatMap((id) => plant.gateways.get(id) ?? []).map(actor.seesGateway),
  ])
