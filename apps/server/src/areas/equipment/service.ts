import type { ArcRecord, arcRecord, CommandRecord, DeviceDetails, LinePart, LineState, List, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { ActionKey } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { lineState } from '../../plant/line-state.ts'
import type { Plant, PlantDevice, PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import type { Alarms } from '../alarm/service.ts'
import type { Control } from '../control/service.ts'
import type { Monitor } from '../monitor/service.ts'

/** The count that raised the alarm came with it, or with the report next to it. */
const arcWithinMs = 3_000

export type Equipment = ReturnType<typeof createEquipment>

/** An order as the family calls bring it. */
interface FamilyOrder {
  readonly ControllerID: string
  readonly CommandID: string
  readonly Reason: string
  readonly Grant?: string
  readonly Confirmed?: number
  readonly DeadlineMs?: number
}

interface Deps {
  readonly plant: Plant
  readonly control: Control
  readonly monitor: Monitor
  readonly alarms: Alarms
}

/** What the calls of single families do, for every family in the same way. The family is data; nothing here knows one by name. */
export function createEquipment({ plant, control, monitor, alarms }: Deps) {
  return {
    details,

    realtime: (device: PlantDevice): LineState => lineState(ownLine(device)),

    /** The devices that answer a call of the specification. */
    list(actor: Actor, project: PlantProject | null, spec: string): List<DeviceDetails> {
      const devices = [...plant.deviceByControllerId.values()].filter(
        ({ family, gateway }) =>
          family.calls.includes(spec) && actor.seesGateway(gateway) && (project === null || gateway.project === project),
      )
      return { items: devices.map(details), total: devices.length }
    },

    /** One way to equipment for all of them: the permit, the ledger and the audit log are the breaker's own. */
    operate(
      actor: Actor,
      device: PlantDevice,
      body: FamilyOrder,
      what: { action: ActionKey; lineNo?: number },
    ): Promise<CommandRecord> {
      const line = what.lineNo === undefined ? ownLine(device) : device.lines.get(what.lineNo)
      if (!line) throw new Refusal('device not exists')
      return control.operate({
        line,
        action: what.action,
        actor,
        source: 'console',
        reason: body.Reason,
        commandId: body.CommandID,
        grant: body.Grant ?? null,
        confirmed: body.Confirmed ?? null,
        deadlineMs: body.DeadlineMs ?? null,
      })
    },

    /** The arc faults a detector found, and how much it arced each time. */
    async arcRecords(
      actor: Actor,
      device: PlantDevice,
      { Page, Size, From, To }: Request<typeof arcRecord>['query'],
    ): Promise<List<ArcRecord>> {
      const line = ownLine(device)
      const { items, total } = await alarms.ofLine(actor, line.id, 'arc', {
        page: Page ?? 1,
        size: Size ?? 10,
        from: From ?? null,
        to: To ?? null,
      })
      const records: ArcRecord[] = []
      for (const event of items) records.push({ ...event, HalfCycles: await halfCyclesAround(line, event.RaisedAt) })
      return { items: records, total }
    },

    /** One part of what is known of a line of a gateway. */
    async part(
      actor: Actor,
      gateway: PlantGateway,
      lineId: number,
      which: 'realtime' | 'settings' | 'events',
      { page, size }: { readonly page: number; readonly size: number },
    ): Promise<LinePart> {
      const line = plant.lines.get(lineId)
      if (!line || line.device.gateway !== gateway) throw new Refusal('line not exists')
      const events = which === 'events' ? await alarms.ofLine(actor, line.id, null, { page, size, from: null, to: null }) : null
      return {
        LineID: line.id,
        Realtime: which === 'realtime' ? lineState(line) : null,
        Settings: which === 'settings' ? monitor.details(line).Settings : null,
        Events: events && { Datas: [...events.items], Total: events.total },
      }
    },
  }

  async function halfCyclesAround(line: PlantLine, at: number): Promise<number | null> {
    const { Points, Rows } = await monitor.readings(line, { From: at - arcWithinMs, To: at + arcWithinMs })
    const index = Points.indexOf('arc.halfCycles')
    const counts = Rows.flatMap(([, values]) => values[index] ?? [])
    return counts.length === 0 ? null : Math.max(...counts)
  }

  function details(device: PlantDevice): DeviceDetails {
    const { family } = device
    return {
      ControllerID: device.controllerId,
      DeviceName: device.name,
      Family: family.key,
      Model: device.model,
      Points: family.points.map(({ key, unit, precision }) => ({ Key: key, Unit: unit, Precision: precision })),
      Actions: family.actions.map(({ key }) => key),
      Lines: [...device.lines.values()].sort((a, b) => a.lineNo - b.lineNo).map((line) => monitor.details(line)),
    }
  }
}

/** A detector is its own line. */
function ownLine(device: PlantDevice): PlantLine {
  const line = device.lines.get(0)
  if (!line) throw new Refusal('device not exists')
  return line
}
