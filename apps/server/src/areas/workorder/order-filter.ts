import type { exportWorkOrders, Request } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { OrderFilter } from '../../store/workorder/list.ts'
import type { WorkOrderDeps } from './deps.ts'

type Asked = Omit<Request<typeof exportWorkOrders>['body'], 'Sort' | 'Format' | 'Language'>

/** The orders that somebody asks for, as the store finds them: never more than they see. `project`: the one that they named. */
export const orderFilterOf = (
  { plant, clock }: Pick<WorkOrderDeps, 'plant' | 'clock'>,
  actor: Actor,
  project: PlantProject | null,
  asked: Asked,
): OrderFilter => ({
  seen: seenBy(actor, plant, project),
  projectIds:
    asked.CityID === undefined
      ? null
      : [...plant.projects.values()].flatMap(({ id, cityId }) => (cityId === asked.CityID ? id : [])),
  // A device that is not there has none.
  deviceId: asked.ControllerID === undefined ? null : (plant.deviceByControllerId.get(asked.ControllerID)?.id ?? 0),
  gatewayId: asked.DeviceID ?? null,
  lineId: asked.LineID ?? null,
  view: asked.View ?? null,
  status: asked.Status ?? null,
  type: asked.Type ?? null,
  priority: asked.Priority ?? null,
  personId: asked.PersonID ?? null,
  text: asked.Text ?? '',
  accountId: actor.accountId,
  now: clock(),
})
