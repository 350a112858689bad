import { createHash } from 'node:crypto'
import type { inspectionCode, inspectionLabels, List, Reply, Request, RoundPackage } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { Limits } from '../../lib/limits.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { CodeRow, LabelOf } from '../../store/inspection/code.ts'
import { codeRow, codesOf, issueCodes } from '../../store/inspection/code.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import { runningStops } from '../../store/inspection/round.ts'
import type { StoredStop } from '../../store/inspection/schema.ts'
import type { InspectionAccess } from './access.ts'
import { codeTyped, newCode } from './code-text.ts'
import type { InspectionDeps } from './deps.ts'
import { presentStop, stopOf } from './stops.ts'

type Label = Awaited<Reply<typeof inspectionLabels>>['items'][number]
type Place = Omit<Label, 'Code' | 'Url'>

/** So many codes that lead nowhere, and so many a second from then on: an electrician scans a few a minute. */
const [unknownBurst, unknownPerSecond] = [30, 0.5]

/** Codes on labels: a way to a stop or a device for whoever is signed in and sees it, and never a credential. */
export function createCodes(deps: InspectionDeps, access: InspectionAccess) {
  const { database, plant, clock } = deps
  const unknown = new Limits(unknownBurst, unknownPerSecond)
  return { read, labels }

  /** What is unknown, what is dead and what is not seen answer alike. */
  async function read(actor: Actor, text: string): Promise<Reply<typeof inspectionCode>> {
    if (unknown.left(actor.accountId, clock()) < 1) throw new Refusal('too many requests')
    const code = codeTyped(text)
    const row = code === null ? undefined : await codeRow(database, code)
    const found = row && placeOf(actor, row)
    if (!row || !found) {
      unknown.take(actor.accountId, clock())
      throw new Refusal('code unknown')
    }
    return { ...found, Stops: permits('hazard.patrol', actor) ? await stopsAt(actor, row, found.HouseID) : [] }
  }

  /** Null: it is no longer there, or not seen. */
  function placeOf(actor: Actor, row: CodeRow): Place | null {
    if (row.place !== null) {
      const project = plant.projects.get(row.project_id)
      if (!project || actor.shared || !actor.sees(project.id)) return null
      return {
        ...ofProject(project),
        Kind: 'place',
        DeviceID: null,
        ControllerID: null,
        Place: row.place,
        Name: row.place,
        GatewayName: null,
      }
    }
    const device = row.device_id === null ? null : plant.devices.get(row.device_id)
    const gateway = device?.gateway ?? (row.gateway_id === null ? undefined : plant.gateways.get(row.gateway_id))
    if (device === undefined || !gateway || !actor.seesGateway(gateway)) return null
    return {
      ...{ ...ofProject(gateway.project), Kind: device ? 'device' : 'gateway', DeviceID: gateway.id },
      ...{ ControllerID: device?.controllerId ?? null, Place: null, GatewayName: gateway.name },
      Name: device ? device.name || device.controllerId : gateway.name,
    }
  }

  async function stopsAt(actor: Actor, row: CodeRow, projectId: number): Promise<Reply<typeof inspectionCode>['Stops']> {
    if (actor.shared || !actor.sees(projectId)) return []
    const rounds = await runningStops(database.general, projectId, {
      ...(row.place !== null && { kind: 'place', place: row.place }),
      ...(row.device_id !== null && { kind: 'device', deviceId: row.device_id }),
      ...(row.gateway_id !== null && { kind: 'gateway', gatewayId: row.gateway_id }),
    })
    return rounds
      .filter(({ assignees }) => access.mayInspect(actor, assignees))
      .map(({ round_id, stop_id, name }) => ({ RoundID: round_id, StopID: stop_id, Name: name }))
  }

  async function labels(
    actor: Actor,
    project: PlantProject,
    { Of, Anew = false }: Request<typeof inspectionLabels>['body'],
  ): Promise<List<Label>> {
    if (actor.shared) throw new Refusal('access denied')
    const stops = Of.map((each, at) => {
      const stop = stopOf(plant, project, each)
      if (!stop) throw new Refusal('label wrong', { label: at + 1 })
      return stop
    })
    const audit = {
      ...access.auditOf(actor, Anew ? 'inspectionLabel.reissue' : 'inspectionLabel.issue', project.id),
      ...{ subject: { kind: 'project', id: String(project.id) as `${number}` } as const, after: {} },
    }
    const of = stops.map((stop) => ({ ...labelOf(project, stop), code: newCode() }))
    const codes = await issueCodes(database, of, { anew: Anew, at: clock(), audit })
    const items = stops.map((stop, at) => labelRecord(project, stop, codes[at] ?? ''))
    return { items, total: items.length }
  }

  function labelRecord(project: PlantProject, stop: StoredStop, code: string): Label {
    const there = presentStop(plant, project.id, stop)
    return {
      ...{ Code: code, Url: `/hazard/patrol?Code=${code}`, ...ofProject(project), Kind: stop.kind },
      ...{ DeviceID: there?.gatewayId ?? null, ControllerID: stop.controllerId, Place: stop.place },
      ...{ Name: there?.name ?? stop.name, GatewayName: there?.gatewayName ?? null },
    }
  }
}

const ofProject = ({ id, name }: PlantProject) => ({ HouseID: id, HouseName: name })

const labelOf = (project: PlantProject, { kind, gatewayId, deviceId, place }: StoredStop): LabelOf => ({
  ...{ projectId: project.id, gatewayId: kind === 'gateway' ? gatewayId : null, deviceId, place },
})

/** By which a phone knows the labels of a round's stops where there is no signal, without learning the codes themselves. */
export async function labelHashes(
  { database }: Pick<InspectionDeps, 'database'>,
  { project_id, stops }: RoundRow,
): Promise<RoundPackage['Codes']> {
  const rows = await codesOf(database.general, {
    projectId: project_id,
    gatewayIds: stops.flatMap(({ kind, gatewayId }) => (kind === 'gateway' && gatewayId !== null ? gatewayId : [])),
    deviceIds: stops.flatMap(({ deviceId }) => deviceId ?? []),
  })
  return stops.flatMap((stop) => {
    const row = rows.find(
      ({ gateway_id, device_id, place }) =>
        (stop.kind === 'gateway' && gateway_id === stop.gatewayId) ||
        (stop.kind === 'device' && device_id === stop.deviceId) ||
        (stop.kind === 'place' && place === stop.place),
    )
    return row ? [{ StopID: stop.stopId, CodeHash: createHash('sha256').update(row.code).digest('hex') }] : []
  })
}
