import type { Gateway, Group, Reply, Request, tree } from '@linewarden/contract'
import { effectiveSetting } from '@linewarden/rules/settings'
import type { Actor } from '../../access/actor.ts'
import { deviceLinkOf, linkOf } from '../../plant/link-record.ts'
import type { Plant, PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import { countsOf, nothing } from './counts.ts'

/** The actor's equipment, in the order people read it; of one project, or of all. */
export function treeOf(
  plant: Plant,
  actor: Actor,
  only: PlantProject | null,
  { Depth }: Request<typeof tree>['query'],
): Reply<typeof tree> {
  const counts = countsOf(plant, actor)
  const gateways = Depth === 'projects' ? new Map<PlantProject, PlantGateway[]>() : gatewaysOf(plant, actor)
  const feederOf = ({ upstreamId }: PlantLine): number | null => {
    const upstream = upstreamId === null ? undefined : plant.lines.get(upstreamId)
    return upstream && actor.seesGateway(upstream.device.gateway) ? upstream.id : null
  }
  const groups = [...plant.cities.values()].map(
    (city): Group => ({
      CityID: city.id,
      Name: city.name,
      IsDefault: city.isDefault,
      Houses: [...plant.projects.values()]
        .filter((project) => project.cityId === city.id && actor.seesPart(project.id) && (only === null || project === only))
        .map((project) => ({
          HouseID: project.id,
          Name: project.name,
          TimeZone: project.timeZone,
          Standard: project.standard,
          Simulated: project.simulatedSince !== undefined,
          Counts: counts.get(project) ?? nothing,
          Devices: (gateways.get(project) ?? []).sort(byNumber).map((gateway) => gatewayOf(gateway, feederOf)),
        })),
    }),
  )
  const empty = (group: Group) => group.Houses.length === 0
  const isMine = ({ IsDefault }: Group) => actor.platform && only === null && !IsDefault
  return { Groups: groups.filter((group) => !empty(group) || isMine(group)) }
}

function leakageTripMa(line: PlantLine): number | null {
  const { family, model } = line.device
  const setting = family.settings.find(({ key }) => key === 'leakage.trip')
  return setting ? effectiveSetting(setting, line.reported.get(setting.key) ?? null, model, line.ratedCurrentA) : null
}

function effectiveSettings({ device, reported, ratedCurrentA }: PlantLine): Record<string, number> {
  return Object.fromEntries(
    device.family.settings.flatMap((setting) => {
      const value = effectiveSetting(setting, reported.get(setting.key) ?? null, device.model, ratedCurrentA)
      return value === null ? [] : [[setting.key, value]]
    }),
  )
}

function gatewaysOf(plant: Plant, actor: Actor): Map<PlantProject, PlantGateway[]> {
  const found = new Map<PlantProject, PlantGateway[]>()
  for (const gateway of plant.gateways.values()) {
    if (!actor.seesGateway(gateway)) continue
    const list = found.get(gateway.project)
    if (list) list.push(gateway)
    else found.set(gateway.project, [gateway])
  }
  return found
}

const byNumber = (a: PlantGateway, b: PlantGateway): number => (a.number < b.number ? -1 : 1)

const gatewayOf = (gateway: PlantGateway, feederOf: (line: PlantLine) => number | null): Gateway => ({
  DeviceID: gateway.id,
  Number: gateway.number,
  GatewayName: gateway.name,
  Link: linkOf(gateway),
  Devices: [...gateway.devices.values()]
    .sort((a, b) => (a.controllerId < b.controllerId ? -1 : 1))
    .map((device) => ({
      ControllerID: device.controllerId,
      Name: device.name,
      Family: device.family.key,
      Model: device.model,
      Link: deviceLinkOf(device),
      Lines: [...device.lines.values()]
        .sort((a, b) => a.lineNo - b.lineNo)
        .map((line) => ({
          LineID: line.id,
          LineNo: line.lineNo,
          LineName: line.name,
          RatedCurrentA: line.ratedCurrentA,
          LeakageTripMa: leakageTripMa(line),
          FedBy: feederOf(line),
          Settings: device.family.level === 'device' ? effectiveSettings(line) : {},
        })),
    })),
})
