import type { analyseAlarms, Request } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { gatewaysSeen, projectsSeen, seenBy } from '../../access/seen.ts'
import type { Plant, PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import type { CountFilter } from '../../store/hazard/filter.ts'

export type Asked = Omit<Request<typeof analyseAlarms>['body'], 'Compare'>

/** What somebody asks about: the counts, and the equipment that is there now. Never more than they see. */
export interface AskedScope {
  readonly filter: CountFilter
  readonly projects: readonly PlantProject[]
  readonly gateways: readonly PlantGateway[]
  readonly lines: readonly PlantLine[]
  /** Single lines are asked about, not whole gateways. */
  readonly isOfLines: boolean
}

/** No row has this number; 0 stands for what is not. */
const noId = -1

export function scopeOf(plant: Plant, actor: Actor, project: PlantProject | null, asked: Asked): AskedScope {
  const { CityID, DeviceID, ControllerID, LineID } = asked
  const device = ControllerID === undefined ? undefined : plant.deviceByControllerId.get(ControllerID)
  const line = LineID === undefined ? undefined : plant.lines.get(LineID)
  const isOfLines = ControllerID !== undefined || LineID !== undefined
  const gateways = gatewaysSeen(actor, plant).filter(
    (gateway) =>
      (project === null || gateway.project === project) &&
      (CityID === undefined || gateway.project.cityId === CityID) &&
      (DeviceID === undefined || gateway.id === DeviceID) &&
      (ControllerID === undefined || gateway === device?.gateway) &&
      (LineID === undefined || gateway === line?.device.gateway),
  )
  const lines = gateways
    .flatMap(({ devices }) => [...devices.values()])
    .filter((each) => ControllerID === undefined || each === device)
    .flatMap((each) => [...each.lines.values()])
    .filter((each) => LineID === undefined || each === line)
  const inCity = CityID === undefined ? null : [...plant.projects.values()].filter(({ cityId }) => cityId === CityID)
  const isNarrow = DeviceID !== undefined || isOfLines
  const projects = isNarrow
    ? [...new Set(gateways.map((gateway) => gateway.project))]
    : (project ? [project] : projectsSeen(actor, plant)).filter(({ cityId }) => CityID === undefined || cityId === CityID)
  return {
    filter: {
      seen: seenBy(actor, plant, project),
      projectIds: inCity?.map(({ id }) => id) ?? null,
      gatewayId: DeviceID ?? null,
      deviceId: ControllerID === undefined ? null : (device?.id ?? noId),
      lineId: LineID ?? null,
      keys: asked.Keys ?? null,
      kinds: asked.Kinds ?? null,
      priorities: asked.Priorities ?? null,
    },
    projects,
    gateways,
    lines,
    isOfLines,
  }
}
