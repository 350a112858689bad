import type { exportHazards, Request } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { HazardFilter } from '../../store/hazard/list.ts'

type Asked = Omit<Request<typeof exportHazards>['body'], 'Format' | 'Language'>

/** The hazards that somebody asks for, as the store finds them: never more than they see. `project`: the one that they named. */
export function hazardFilterOf(plant: Plant, actor: Actor, project: PlantProject | null, asked: Asked): HazardFilter {
  const device = asked.ControllerID === undefined ? null : plant.deviceByControllerId.get(asked.ControllerID)
  return {
    seen: seenBy(actor, plant, project),
    projectIds:
      asked.CityID === undefined
        ? null
        : [...plant.projects.values()].flatMap(({ id, cityId }) => (cityId === asked.CityID ? id : [])),
    gatewayId: asked.DeviceID ?? null,
    // A device that is not there has none.
    device: device === null ? null : { id: device?.id ?? 0, lineIds: [...(device?.lines.values() ?? [])].map(({ id }) => id) },
    ...{ lineId: asked.LineID ?? null, level: asked.Level ?? null, state: asked.State ?? null, source: asked.Source ?? null },
    text: asked.Text ?? '',
  }
}
