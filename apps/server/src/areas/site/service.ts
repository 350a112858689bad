import type { List, Reply, Request, SearchHit, tree } from '@linewarden/contract'
import { aboutNothing, maxGateways, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { treeChanged } from '../../plant/live-topics.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { newGateway } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import { saveUpstreamLine, upstreamLines } from '../../store/control/trip.ts'
import { hashSecret, makeSecret } from '../../store/site/gateway-secret.ts'
import type { NewGateway, NewProject } from '../../store/site/site.ts'
import * as stored from '../../store/site/site.ts'
import { createConnection } from './connection.ts'
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
import { treeOf } from './tree.ts'

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

    tree: (actor: Actor, only: PlantProject | null, query: Request<typeof tree>['query']): Reply<typeof tree> =>
      treeOf(plant, actor, only, query),

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
        plant.addGateway(newGateway({ id: found.gatewayId, project, number, name, reportingPeriodMs }))
        ingest.attempts.forget(gateway.number)
      } else ingest.disconnect(gateway.number)
      hub.publish({ live: [treeChanged(project.id)] })
      return secret
    },

    /** Registers which line feeds which of a cabinet, where no upstream line of any of them is registered yet. */
    async registerFeedTree(feeds: readonly { readonly line: LineAddress; readonly upstream: LineAddress }[]): Promise<void> {
      const lineAt = ({ controllerId, lineNo }: LineAddress) => {
        const line = plant.lineAt(controllerId, lineNo)
        if (!line) throw new Refusal('line not exists')
        return line
      }
      const pairs = feeds.map(({ line, upstream }) => ({ line: lineAt(line), upstream: lineAt(upstream) }))
      const all = pairs.flatMap(({ line, upstream }) => [line.id, upstream.id])
      if ((await upstreamLines(database, all)).size > 0) return
      for (const { line, upstream } of pairs) {
        const audit = by({ userName: 'system', address: '' }, clock(), 'line.feed', line.device.gateway.project.ownerId)
        const about = { ...audit, subject: aboutLine(line), after: targetOf(upstream) }
        await saveUpstreamLine(database, line.id, { upstreamId: upstream.id, was: null, check: null }, about)
        line.upstreamId = upstream.id
      }
      for (const project of new Set(pairs.map(({ line }) => line.device.gateway.project.id)))
        hub.publish({ live: [treeChanged(project)] })
    },

    /** A simulator stands for the equipment of a project, since then, and everybody is shown that. Once: it stays since when it was first. */
    async markSimulated(projectId: number, since: number): Promise<void> {
      const project = plant.projects.get(projectId)
      if (!project) throw new Refusal('project not exists')
      if (project.simulatedSince !== undefined) return
      const audit = by({ userName: 'system', address: '' }, clock(), 'project.simulated', project.ownerId)
      const about = { ...audit, subject: { kind: 'project', id: `${projectId}` } as const, after: { since } }
      await stored.markSimulated(database, projectId, since, about)
      project.simulatedSince = since
      hub.publish({ live: [treeChanged(projectId)] })
    },
  }
}

interface LineAddress {
  readonly controllerId: string
  readonly lineNo: number
}

const targetOf = (line: PlantLine): string => `${line.device.controllerId}/${line.lineNo}`
