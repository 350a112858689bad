import type { Gateway, Group, List, Reply, Request, SearchHit, tree } from '@linewarden/contract'
import { aboutNothing, maxGateways, Refusal } from '@linewarden/contract'
import { effectiveSetting } from '@linewarden/rules/settings'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { deviceLinkOf, linkOf } from '../../plant/link-record.ts'
import { treeChanged } from '../../plant/live-topics.ts'
import type { Plant, PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import { unheardGateway } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import { saveUpstreamLine, upstreamLines } from '../../store/control/trip.ts'
import { hashSecret, makeSecret } from '../../store/site/gateway-secret.ts'
import type { NewGateway, NewProject } from '../../store/site/site.ts'
import * as stored from '../../store/site/site.ts'
import { createConnection } from './connection.ts'
import { countsOf, nothing } from './counts.ts'
import type { SiteDeps } from './deps.ts'
import { createEquipmentLedger } from './equipment-ledger.ts'
import { createFinding } from './finding.ts'
import { GatewayAdding } from './gateway-adding.ts'
import { createGatewayDetails } from './gateway-details.ts'
import { GatewayRecords } from './gateway-records.ts'
import { Gateways } from './gateways.ts'
import { createGroups } from './groups.ts'
import { ProjectRecords } from './project-records.ts'
import { Projects } from './projects.ts'
import { searchEquipment } from './search.ts'

export type Site = ReturnType<typeof createSite>

/** Groups, projects and gateways: who has what, and where it stands. */
export function createSite(deps: SiteDeps) {
  const { database, plant, hub, ingest, clock } = deps
  const projectRecords = new ProjectRecords(deps)
  const gatewayRecords = new GatewayRecords(deps)
  return {
    groups: createGroups(deps),
    projects: new Projects(deps, projectRecords),
    projectRecords,
    gateways: new Gateways(deps, gatewayRecords),
    gatewayAdding: new GatewayAdding(deps, gatewayRecords),
    gatewayRecords,
    gatewayDetails: createGatewayDetails(deps, gatewayRecords),
    connection: createConnection(deps),
    finding: createFinding(deps),
    ledger: createEquipmentLedger(deps),

    search: (actor: Actor, text: string): List<SearchHit> => searchEquipment(plant, actor, text),

    /** The actor's equipment, in the order people read it; of one project, or of all. */
    tree(actor: Actor, only: PlantProject | null, { Depth }: Request<typeof tree>['query']): Reply<typeof tree> {
      const counts = countsOf(plant, actor)
      const gateways = Depth === 'projects' ? new Map<PlantProject, PlantGateway[]>() : gatewaysOf(plant, actor)
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
              Counts: counts.get(project) ?? nothing,
              Devices: (gateways.get(project) ?? []).sort(byNumber).map(gatewayOf),
            })),
        }),
      )
      const empty = (group: Group) => group.Houses.length === 0
      const isMine = ({ IsDefault }: Group) => actor.platform && only === null && !IsDefault
      return { Groups: groups.filter((group) => !empty(group) || isMine(group)) }
    },

    async findOrCreateGroup(name: string): Promise<number> {
      const id = await stored.findOrCreateGroup(database, name)
      const isDefault = plant.cities.get(id)?.isDefault ?? false
      plant.cities.set(id, { id, name, ownerId: null, isDefault, madeBy: null })
      return id
    },

    async findOrCreateProject(project: NewProject): Promise<number> {
      const id = await stored.findOrCreateProject(database, project)
      if (!plant.projects.has(id))
        plant.projects.set(id, {
          id,
          cityId: project.cityId,
          ownerId: null,
          name: project.name,
          timeZone: project.timeZone,
          standard: project.standard,
        })
      hub.publish({ live: [treeChanged(id)] })
      return id
    },

    /** Adds a gateway, or gives a known one a new secret and ends its connection. The secret is answered once and kept only as a hash. */
    async enrolGateway(gateway: NewGateway): Promise<string> {
      const project = plant.projects.get(gateway.projectId)
      if (!project) throw new Refusal('project not exists')
      const secret = makeSecret()
      const enrolled = by({ userName: 'system', address: '' }, clock(), 'gateway.enrol', project.ownerId)
      const audit = { ...enrolled, subject: aboutNothing }
      const found = await stored.enrolGateway(database, gateway, hashSecret(secret), audit)
      if (found === 'taken') throw new Refusal('device exists')
      if (found === 'full') throw new Refusal('too many gateways', { most: maxGateways })
      if (found.isNew) {
        const { number, name, reportingPeriodMs } = gateway
        plant.addGateway(unheardGateway({ id: found.gatewayId, project, number, name, reportingPeriodMs }))
        ingest.attempts.forget(gateway.number)
      } else ingest.disconnect(gateway.number)
      hub.publish({ live: [treeChanged(project.id)] })
      return secret
    },

    /** Registers a line as upstream of every other switched line of its gateway, where no upstream line is registered yet. */
    async registerIncomer(controllerId: string, lineNo: number): Promise<void> {
      const incomer = plant.lineAt(controllerId, lineNo)
      if (!incomer) throw new Refusal('line not exists')
      const lines = [...incomer.device.gateway.devices.values()].flatMap((device) => [...device.lines.values()])
      const all = lines.map(({ id }) => id)
      if ((await upstreamLines(database, all)).size > 0) return
      const audit = by({ userName: 'system', address: '' }, clock(), 'line.feed', incomer.device.gateway.project.ownerId)
      for (const line of lines) {
        if (line === incomer || line.lineNo === 0) continue
        const about = { ...audit, subject: aboutLine(line), after: targetOf(incomer) }
        await saveUpstreamLine(database, line.id, { upstreamId: incomer.id, was: null }, about)
      }
    },
  }
}

const targetOf = (line: PlantLine): string => `${line.device.controllerId}/${line.lineNo}`

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

const gatewayOf = (gateway: PlantGateway): Gateway => ({
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
          Settings: device.family.level === 'device' ? effectiveSettings(line) : {},
        })),
    })),
})
