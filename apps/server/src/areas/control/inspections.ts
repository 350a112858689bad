import type { InspectionRecord, List } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { inspectionLockMs } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfGateway } from '../../audit/audited.ts'
import type { Hub } from '../../plant/hub.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import { aboutDevice, aboutGateway } from '../../store/audit/subject.ts'
import type { StoredInspection } from '../../store/control/inspection.ts'
import * as stored from '../../store/control/inspection.ts'
import type { Database } from '../../store/core/database.ts'

const maxInspections = 100

/** Somebody stands before the equipment: for a minute nothing of it is closed or tested. The lock is the database's, so it outlives a restart. */
export function createInspections({ database, hub, clock }: { database: Database; hub: Hub; clock: () => number }) {
  return {
    async begin(actor: Actor, gateway: PlantGateway, controllerId: string | null): Promise<InspectionRecord> {
      const devices = [...gateway.devices.values()].filter((each) => controllerId === null || each.controllerId === controllerId)
      if (controllerId !== null && devices.length === 0) throw new Refusal('device not exists')
      const [device] = devices
      const lines = devices.flatMap(({ lines: own }) => [...own.values()])
      const now = clock()
      const inspection = {
        id: crypto.randomUUID(),
        gatewayId: gateway.id,
        controllerId,
        accountId: actor.accountId,
        actor: actor.userName,
        startedAt: now,
        until: now + inspectionLockMs,
      }
      await stored.insertInspection(database, inspection, (locked) => ({
        ...by(actor, now, 'inspection.begin', tenantOfGateway(gateway)),
        subject: controllerId !== null && device ? aboutDevice(device) : aboutGateway(gateway),
        after: { inspectionId: inspection.id, lines: locked, until: inspection.until },
      }))
      for (const line of lines) line.inspectionUntil = Math.max(line.inspectionUntil ?? 0, inspection.until)
      hub.publish({ lines })
      return record(inspection)
    },

    async list(gateway: PlantGateway): Promise<List<InspectionRecord>> {
      const inspections = await stored.inspectionsOf(database, gateway.id, maxInspections)
      return { items: inspections.map(record), total: inspections.length }
    },
  }
}

const record = (inspection: StoredInspection): InspectionRecord => ({
  InspectionID: inspection.id,
  DeviceID: inspection.gatewayId,
  ControllerID: inspection.controllerId,
  Actor: inspection.actor,
  StartedAt: inspection.startedAt,
  Until: inspection.until,
})
