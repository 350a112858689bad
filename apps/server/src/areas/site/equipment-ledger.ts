import type { DeviceRecord, editEquipment, equipmentLedger, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import type { EquipmentLife, LifeProblem } from '@linewarden/rules/site'
import { dayIn, dueOf, endOfLife, expiringDays, lifeProblems } from '@linewarden/rules/site'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfGateway } from '../../audit/audited.ts'
import { containsText } from '../../lib/contains-text.ts'
import type { Keys } from '../../lib/in-order.ts'
import { inOrder } from '../../lib/in-order.ts'
import type { PlantDevice, PlantProject } from '../../plant/plant.ts'
import { linkOfDevice } from '../../plant/plant.ts'
import { aboutDevice } from '../../store/audit/subject.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { endingBy, ledgerRows, setEquipmentLife } from '../../store/site/equipment.ts'
import type { SiteDeps } from './deps.ts'
import { deviceOf, gatewaysInOrder, nameOf } from './finding.ts'
import { linkOrder } from './gateway-records.ts'

type Filter = Request<typeof equipmentLedger>['body']

/** The equipment ledger: every device, where it stands, who is asked about it, and how long it is good for. */
export function createEquipmentLedger({ database, plant, clock }: Pick<SiteDeps, 'database' | 'plant' | 'clock'>) {
  return {
    async list(actor: Actor, project: PlantProject | null, filter: Filter): Promise<Reply<typeof equipmentLedger>> {
      const { Name = '', Family, Link, Due, Page = 1, Size = 10, Sort } = filter
      const due = Due === undefined ? null : await dueDevices(actor, Due)
      const found = gatewaysInOrder(actor, plant)
        .filter((gateway) => project === null || gateway.project === project)
        .flatMap((gateway) => [...gateway.devices.values()])
        .filter((device) => Link === undefined || linkOfDevice(device).link === Link)
        .filter(({ name, controllerId, wireId }) => [name, controllerId, wireId].some((each) => containsText(each, Name)))
        .filter(({ family }) => !Family || family.key === Family)
        .filter((device) => due === null || due(device))
      return {
        items: await recordsOf(actor, inOrder(found, Sort, order).slice((Page - 1) * Size, Page * Size)),
        total: found.length,
      }
    },

    async edit(actor: Actor, device: PlantDevice, body: Request<typeof editEquipment>['body']): Promise<DeviceRecord> {
      const life = { installedOn: body.InstalledOn, warrantyUntil: body.WarrantyUntil, serviceYears: body.ServiceYears }
      const problems = lifeProblems(life, device.gateway.project.timeZone, clock())
      if (problems.length > 0)
        throw new Refusal(
          'equipment dates wrong',
          {},
          problems.map((each) => ({ Path: `body.${fieldNames[each.field]}`, Text: wordsOf(each) })),
        )
      const audit = { ...by(actor, clock(), 'device.life', tenantOfGateway(device.gateway)), subject: aboutDevice(device) }
      if (!(await setEquipmentLife(database, { deviceId: device.id, version: body.Version, ...life }, audit)))
        throw new Refusal('changed meanwhile')
      const [record] = await recordsOf(actor, [device])
      if (!record) throw new Refusal('device not exists')
      return record
    },
  }

  /** Whether something of a device is in this state: its warranty or its service life. */
  async function dueDevices(actor: Actor, wanted: NonNullable<Filter['Due']>): Promise<(device: PlantDevice) => boolean> {
    const now = clock()
    // A day more than any zone can be ahead.
    const last = dayIn('UTC', now + (expiringDays + 2) * dayMs)
    const lives = await withRowSecurity(database, actor.scope, (db) => endingBy(db, last))
    return ({ id, gateway }) => {
      const life = lives.get(id)
      return life !== undefined && Object.values(duesOf(life, gateway.project, now)).includes(wanted)
    }
  }

  async function recordsOf(actor: Actor, devices: readonly PlantDevice[]): Promise<DeviceRecord[]> {
    const ids = devices.map(({ id }) => id)
    const rows = await withRowSecurity(database, actor.scope, (db) => ledgerRows(db, ids))
    const now = clock()
    return devices.flatMap((device) => {
      const row = rows.get(device.id)
      if (!row) return []
      return [
        {
          ...deviceOf(device),
          ...nameOf(device.gateway),
          Link: linkOfDevice(device).link,
          Firmware: row.firmware,
          IMEI: row.imei,
          Address: row.address,
          PersonInCharge: row.personInCharge,
          ContactPhone: row.contactPhone,
          AddedAt: row.addedAt.getTime(),
          InstalledOn: row.installedOn,
          WarrantyUntil: row.warrantyUntil,
          ServiceYears: row.serviceYears,
          EndOfLife: endOfLife(row),
          ...duesOf(row, device.gateway.project, now),
          Version: row.version,
        },
      ]
    })
  }
}

const order = {
  Name: ({ name }) => name,
  ControllerID: ({ controllerId }) => controllerId,
  Family: ({ family }) => family.key,
  Model: ({ model }) => model,
  LineCount: ({ lines }) => lines.size - (lines.has(0) ? 1 : 0),
  GatewayName: ({ gateway }) => gateway.name,
  Number: ({ gateway }) => gateway.number,
  HouseName: ({ gateway }) => gateway.project.name,
  Link: (device) => linkOrder[linkOfDevice(device).link],
} satisfies Keys<PlantDevice, string>

const duesOf = (life: EquipmentLife, { timeZone }: PlantProject, now: number) => ({
  WarrantyDue: dueOf(life.warrantyUntil, timeZone, now),
  LifeDue: dueOf(endOfLife(life), timeZone, now),
})

const fieldNames = { installedOn: 'InstalledOn', warrantyUntil: 'WarrantyUntil', serviceYears: 'ServiceYears' } as const

function wordsOf({ field, problem }: LifeProblem): Text {
  if (field === 'serviceYears') return { zh: '使用年限应为 1 至 50 年', en: 'Service life must be 1 to 50 years' }
  switch (problem) {
    case 'no day':
      return { zh: '日历上没有这一天', en: 'This date does not exist' }
    case 'out of range':
      return { zh: '年份应在 1970 至 2099 之间', en: 'The year must be from 1970 to 2099' }
    case 'not yet':
      return { zh: '安装日期不能晚于今天', en: 'The installation date is in the future' }
    case 'before installation':
      return { zh: '质保期不能早于安装日期', en: 'The warranty ends before the installation date' }
  }
}
