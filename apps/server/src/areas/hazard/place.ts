import type { Analysis } from '@linewarden/contract'
import type { Plant } from '../../plant/plant.ts'

type Place = Omit<Analysis['Suppressed'][number], 'How' | 'Event' | 'Times' | 'Ms' | 'LongestMs'>

/** Numbers of the database; 0 or null: none. */
interface PlaceIds {
  readonly project_id?: number | null
  readonly gateway_id: number | null
  readonly device_id: number | null
  readonly line_id: number | null
}

/** Where something is, as far as the plant still has it. */
export function placeIn(plant: Plant, ids: PlaceIds): Place {
  const line = ids.line_id ? plant.lines.get(ids.line_id) : undefined
  const device = line?.device ?? (ids.device_id ? plant.devices.get(ids.device_id) : undefined)
  const gateway = device?.gateway ?? (ids.gateway_id ? plant.gateways.get(ids.gateway_id) : undefined)
  const project = gateway?.project ?? (ids.project_id ? plant.projects.get(ids.project_id) : undefined)
  return {
    HouseID: project?.id ?? null,
    DeviceID: ids.gateway_id || gateway?.id || null,
    ControllerID: device?.controllerId ?? null,
    LineID: ids.line_id || null,
    Where: {
      HouseName: project?.name || null,
      GatewayName: gateway?.name || null,
      LineName: (line?.name ?? device?.name) || null,
    },
  }
}
