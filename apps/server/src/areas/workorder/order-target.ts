import type { insertWorkOrder, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { PlantDevice, PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import type { HazardRow, ObservedHazard } from '../../store/hazard/hazard.ts'
import { hazardById } from '../../store/hazard/list.ts'
import { createSeenEvents } from '../alarm/seen-events.ts'
import type { WorkOrderDeps } from './deps.ts'

type Body = Request<typeof insertWorkOrder>['body']

/** What an order is of. */
export interface OrderTarget {
  readonly gateway: PlantGateway | null
  readonly device: PlantDevice | null
  readonly line: PlantLine | null
  readonly event: EventRow | null
  readonly hazard: HazardRow | null
}

/** Where an order is, as far as whoever makes it sees that: of an alarm, of a hazard, of a place, or of a project as a whole. */
export function createOrderTargets(deps: WorkOrderDeps) {
  const { database, plant } = deps
  const { eventToChange } = createSeenEvents(deps)
  return { targetOf }

  async function targetOf(actor: Actor, project: PlantProject, body: Body): Promise<OrderTarget> {
    if (body.EventID !== undefined) {
      const event = await eventToChange(actor, body.EventID)
      if (event.project_id !== project.id) throw new Refusal('event not exists')
      const line = event.line_id === null ? null : (plant.lines.get(event.line_id) ?? null)
      const device = line?.device ?? (event.device_id === null ? null : (plant.devices.get(event.device_id) ?? null))
      const gateway = event.gateway_id === null ? null : (plant.gateways.get(event.gateway_id) ?? null)
      // What was taken out can be seen to no more.
      if (event.gateway_id !== null && !gateway) throw new Refusal('device not exists')
      if (!gateway && !actor.sees(project.id)) throw new Refusal('device not exists')
      return { gateway, device, line, event, hazard: null }
    }
    if (body.HazardID !== undefined) return ofHazard(actor, project, body.HazardID)
    const device = body.ControllerID === undefined ? null : (plant.deviceByControllerId.get(body.ControllerID) ?? undefined)
    const line = body.LineNo === undefined || body.LineNo === 0 ? null : (device?.lines.get(body.LineNo) ?? undefined)
    const gateway = body.DeviceID === undefined ? (device?.gateway ?? null) : (plant.gateways.get(body.DeviceID) ?? undefined)
    if (device === undefined || line === undefined || gateway === undefined) throw new Refusal('device not exists')
    const isSeen = gateway ? actor.seesGateway(gateway) : actor.sees(project.id)
    if (!isSeen || (device && gateway !== device.gateway)) throw new Refusal('device not exists')
    if (gateway && gateway.project !== project) throw new Refusal('invalid parameter')
    return { gateway, device, line, event: null, hazard: null }
  }

  async function ofHazard(actor: Actor, project: PlantProject, hazardId: number): Promise<OrderTarget> {
    const hazard = await hazardById(database.general, hazardId)
    if (hazard?.project_id !== project.id) throw new Refusal('hazard not exists')
    const gateway = hazard.gateway_id === null ? null : plant.gateways.get(hazard.gateway_id)
    const isSeen = gateway
      ? gateway.project === project && actor.seesGateway(gateway)
      : gateway === null && actor.sees(project.id)
    if (gateway === undefined || !isSeen) throw new Refusal('hazard not exists')
    if (hazard.state === 'gone') throw new Refusal('hazard is gone')
    const line = hazard.line_id === null ? null : (plant.lines.get(hazard.line_id) ?? null)
    const device = line?.device ?? (hazard.device_id === null ? null : (plant.devices.get(hazard.device_id) ?? null))
    return { gateway, device, line, event: null, hazard }
  }
}

/** What showed it: an alarm at a place. An order that somebody writes by hand has none. */
export function hazardOfAlarm(event: EventRow | null): ObservedHazard | null {
  if (!event || event.gateway_id === null) return null
  return {
    ...{ projectId: event.project_id, gatewayId: event.gateway_id, deviceId: event.device_id, lineId: event.line_id },
    ...{ key: event.key, label: { zh: event.label_zh, en: event.label_en }, level: event.priority },
    at: (event.raised_again_at ?? event.raised_at).getTime(),
    ...{ source: event.kind === 'warning' ? 'finding' : 'alarm', sourceId: event.event_id },
  }
}
