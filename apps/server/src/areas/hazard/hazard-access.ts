import type { Hazard } from '@linewarden/contract'
import { queryHazards, Refusal, textOf } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { HazardState } from '@linewarden/rules/hazard'
import { isAcceptable } from '@linewarden/rules/hazard'
import type { Actor } from '../../access/actor.ts'
import { toEquipment } from '../../plant/live-topics.ts'
import type { Plant } from '../../plant/plant.ts'
import type { HazardRow } from '../../store/hazard/hazard.ts'
import type { ShownHazard } from '../../store/hazard/list.ts'
import { hazardById } from '../../store/hazard/list.ts'
import { verificationRecord } from '../workorder/order-record.ts'
import type { HazardDeps } from './deps.ts'

export type HazardAccess = ReturnType<typeof createHazardAccess>

const states: Readonly<Record<HazardState, Text>> = {
  open: { zh: '待处理', en: 'open' },
  ordered: { zh: '处理中', en: 'being worked on' },
  verifying: { zh: '待验证', en: 'being verified' },
  gone: { zh: '已消除', en: 'gone' },
  accepted: { zh: '带病运行', en: 'accepted' },
}

/** Who sees a hazard, and what everybody is shown of it. */
export function createHazardAccess({ database, plant, hub }: HazardDeps) {
  return { seen, sees, published, record: (row: ShownHazard, actor: Actor) => hazardRecord(row, actor, plant) }

  /** As if there were no others than those that somebody sees. Equipment that an account is shared with comes without them, as without orders. */
  async function seen(actor: Actor, hazardId: number): Promise<HazardRow> {
    const row = await hazardById(database.general, hazardId)
    if (!row || !sees(actor, row)) throw new Refusal('hazard not exists')
    return row
  }

  function sees(actor: Actor, row: Pick<HazardRow, 'project_id' | 'gateway_id'>): boolean {
    if (actor.shared) return false
    const gateway = row.gateway_id === null ? undefined : plant.gateways.get(row.gateway_id)
    return gateway ? actor.seesGateway(gateway) : actor.sees(row.project_id)
  }

  /** Whoever sees it asks for it again. */
  function published({ hazard_id, gateway_id, project_id }: Pick<HazardRow, 'hazard_id' | 'gateway_id' | 'project_id'>): void {
    const message = { t: 'hazard', HazardID: hazard_id } as const
    const gateway = gateway_id === null ? undefined : plant.gateways.get(gateway_id)
    hub.publish({ live: [{ to: toEquipment(gateway, project_id), needs: queryHazards, message }] })
  }
}

/** What stands against accepting it; null: nothing does. */
export function acceptRefusal(
  { state }: Pick<HazardRow, 'state'>,
  { administrator }: Pick<Actor, 'administrator'>,
): Refusal | null {
  if (!administrator) return new Refusal('hazard administrator only')
  return isAcceptable(state) ? null : new Refusal('hazard state', { state: states[state] })
}

function hazardRecord(row: ShownHazard, actor: Actor, plant: Plant): Hazard {
  const line = row.line_id === null ? undefined : plant.lines.get(row.line_id)
  const device = line?.device ?? (row.device_id === null ? undefined : plant.devices.get(row.device_id))
  const project = plant.projects.get(row.project_id)
  const refusal = acceptRefusal(row, actor)
  return {
    ...{ HazardID: row.hazard_id, HouseID: row.project_id, DeviceID: row.gateway_id, TimeZone: project?.timeZone ?? 'UTC' },
    ...{ ControllerID: device?.controllerId ?? null, LineID: row.line_id, LineNo: line?.lineNo ?? null },
    Where: {
      HouseName: project?.name || null,
      GatewayName: (row.gateway_id === null ? row.place : plant.gateways.get(row.gateway_id)?.name) || null,
      LineName: (line?.name ?? device?.name) || null,
    },
    ...{ Key: row.key, Label: { zh: row.label_zh, en: row.label_en }, Level: row.level, Source: row.source, State: row.state },
    ...{ FirstSeen: row.first_seen.getTime(), LastSeen: row.last_seen.getTime(), Count: row.count },
    RiskUntil: row.risk_until?.getTime() ?? null,
    Order:
      row.order_id === null || row.order_number === null || row.order_status === null
        ? null
        : { OrderID: row.order_id, Number: row.order_number, Status: row.order_status },
    Verification: verificationRecord(row.verification),
    Version: row.version,
    AcceptRefusal: refusal && textOf(refusal.key, refusal.detail),
  }
}
