import type { List, Reply, Request, searchLines } from '@linewarden/contract'
import { type equipmentLedger, type gatewayByNumber, Refusal } from '@linewarden/contract'
import type { Actor } from '../../http/context.ts'
import type { PlantDevice, PlantGateway, PlantProject } from '../../live/plant.ts'
import { ledgerRows } from '../../store/gateway.ts'
import { asSeenBy } from '../../store/seen-by.ts'
import type { Keys } from '../in-order.ts'
import { inOrder } from '../in-order.ts'
import type { SiteDeps } from './deps.ts'
import { byProjectAndNumber, linkOrder } from './gateways.ts'

const mostFound = 50

/** Finding equipment: pickers, search by name, the ledger. */
export function createFinding({ database, plant }: Pick<SiteDeps, 'database' | 'plant'>) {
  return {
    names: (actor: Actor) => listOf(seenBy(actor).map(nameOf)),

    withDevices: (actor: Actor) =>
      listOf((actor.shared ? [] : seenBy(actor)).map((gateway) => ({ ...nameOf(gateway), Devices: devicesOf(gateway) }))),

    devices: (gateway: PlantGateway) => listOf(devicesOf(gateway)),
    devicesOf,

    search: (actor: Actor, part: string) =>
      listOf(
        seenBy(actor)
          .filter(({ name, number }) => holds(name, part) || holds(number, part))
          .slice(0, mostFound)
          .map(nameOf),
      ),

    searchLines(actor: Actor, part: string): Reply<typeof searchLines> {
      const wanted = part.trim().toLowerCase()
      const items: Reply<typeof searchLines>['items'][number][] = []
      for (const gateway of seenBy(actor)) {
        for (const { lines, controllerId } of gateway.devices.values())
          for (const line of lines.values()) {
            if (!line.name.toLowerCase().includes(wanted)) continue
            const { DeviceID, GatewayName, HouseID, HouseName } = nameOf(gateway)
            items.push({
              LineID: line.id,
              LineNo: line.lineNo,
              LineName: line.name,
              ControllerID: controllerId,
              DeviceID,
              GatewayName,
              HouseID,
              HouseName,
            })
          }
        // Whole gateways, and no more of 200,000 lines than fill the list.
        if (items.length >= mostFound) break
      }
      return listOf(items.slice(0, mostFound))
    },

    byNumber(actor: Actor, number: string): Reply<typeof gatewayByNumber> {
      const gateway = plant.gatewayByNumber.get(number)
      if (!gateway) throw new Refusal('DeviceState:NotAdded')
      if (!actor.seesGateway(gateway)) throw new Refusal('device exists')
      return nameOf(gateway)
    },

    async ledger(
      actor: Actor,
      project: PlantProject | null,
      { Name = '', Family, Link, Page = 1, Size = 10, Sort }: Request<typeof equipmentLedger>['body'],
    ): Promise<Reply<typeof equipmentLedger>> {
      const found = seenBy(actor)
        .filter((gateway) => project === null || gateway.project === project)
        .filter(({ link }) => Link === undefined || link === Link)
        .flatMap((gateway) => [...gateway.devices.values()])
        .filter(({ name, controllerId }) => holds(name, Name) || holds(controllerId, Name))
        .filter(({ family }) => !Family || family.key === Family)
      const page = inOrder(found, Sort, order).slice((Page - 1) * Size, Page * Size)
      const ids = page.map(({ id }) => id)
      const rows = await asSeenBy(database, actor.sight, (db) => ledgerRows(db, ids))
      const items = page.flatMap((device) => {
        const row = rows.get(device.id)
        if (!row) return []
        return [
          {
            ...deviceOf(device),
            ...nameOf(device.gateway),
            Firmware: row.firmware,
            IMEI: row.imei,
            Address: row.address,
            PersonInCharge: row.personInCharge,
            ContactPhone: row.contactPhone,
            AddedAt: row.addedAt.getTime(),
          },
        ]
      })
      return { items, total: found.length }
    },
  }

  function seenBy(actor: Actor): PlantGateway[] {
    return [...plant.gateways.values()].filter((gateway) => actor.seesGateway(gateway)).sort(byProjectAndNumber)
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
  Link: ({ gateway }) => linkOrder[gateway.link],
} satisfies Keys<PlantDevice, string>

const holds = (text: string, part: string): boolean => text.toLowerCase().includes(part.trim().toLowerCase())

const listOf = <T>(items: readonly T[]): List<T> => ({ items, total: items.length })

const nameOf = (gateway: PlantGateway) => ({
  DeviceID: gateway.id,
  Number: gateway.number,
  GatewayName: gateway.name,
  HouseID: gateway.project.id,
  HouseName: gateway.project.name,
  Link: gateway.link,
})

const deviceOf = ({ controllerId, name, family, model, lines }: PlantDevice) => ({
  ControllerID: controllerId,
  Name: name,
  Family: family.key,
  Model: model,
  LineCount: lines.size - (lines.has(0) ? 1 : 0),
})

const devicesOf = (gateway: PlantGateway) =>
  [...gateway.devices.values()].sort((a, b) => (a.controllerId < b.controllerId ? -1 : 1)).map(deviceOf)
