import type { List, Reply, searchLines } from '@linewarden/contract'
import { type gatewayByNumber, Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { gatewaysSeen } from '../../access/seen.ts'
import { containsText } from '../../lib/contains-text.ts'
import type { Plant, PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { SiteDeps } from './deps.ts'
import { byProjectAndNumber } from './gateway-records.ts'

const maxFound = 50

/** Finding equipment: pickers, search by name. */
export function createFinding({ plant, takenLimit }: Pick<SiteDeps, 'plant' | 'takenLimit'>) {
  return {
    names: (actor: Actor) => listOf(gatewaysInOrder(actor, plant).map(nameOf)),

    withDevices: (actor: Actor) =>
      listOf(
        (actor.shared ? [] : gatewaysInOrder(actor, plant)).map((gateway) => ({
          ...nameOf(gateway),
          Devices: devicesOf(gateway),
        })),
      ),

    devices: (gateway: PlantGateway) => listOf(devicesOf(gateway)),

    search: (actor: Actor, part: string) =>
      listOf(
        gatewaysInOrder(actor, plant)
          .filter(({ name, number }) => containsText(name, part) || containsText(number, part))
          .slice(0, maxFound)
          .map(nameOf),
      ),

    searchLines(actor: Actor, part: string): Reply<typeof searchLines> {
      const wanted = part.trim().toLowerCase()
      const isWanted = ({ name }: PlantLine) => name.toLowerCase().includes(wanted)
      // Found first, then put in order: only a few of 20,000 gateways have such a line.
      const gateways = new Set<PlantGateway>()
      for (const line of plant.lines.values())
        if (isWanted(line) && actor.seesGateway(line.device.gateway)) gateways.add(line.device.gateway)
      const items: Reply<typeof searchLines>['items'][number][] = []
      for (const gateway of [...gateways].sort(byProjectAndNumber)) {
        for (const { lines, controllerId } of gateway.devices.values())
          for (const line of lines.values()) {
            if (!isWanted(line)) continue
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
        if (items.length >= maxFound) break
      }
      return listOf(items.slice(0, maxFound))
    },

    /** That a stranger has it is told to whoever could add it, and to nobody else. */
    async byNumber(actor: Actor, number: string): Promise<Reply<typeof gatewayByNumber>> {
      const own = plant.gatewayByNumber.get(number)
      if (own && actor.seesGateway(own)) return nameOf(own)
      if (actor.shared || !permits('system.geteway', actor)) throw new Refusal('DeviceState:NotAdded')
      return takenLimit(actor, (foreign) => {
        if (!own) throw new Refusal('DeviceState:NotAdded')
        foreign(1)
        throw new Refusal('device exists')
      })
    },
  }
}

/** The gateways somebody sees, in the order people read them. */
export const gatewaysInOrder = (actor: Actor, plant: Plant): PlantGateway[] => gatewaysSeen(actor, plant).sort(byProjectAndNumber)

const listOf = <T>(items: readonly T[]): List<T> => ({ items, total: items.length })

export const nameOf = (gateway: PlantGateway) => ({
  DeviceID: gateway.id,
  Number: gateway.number,
  GatewayName: gateway.name,
  HouseID: gateway.project.id,
  HouseName: gateway.project.name,
  Link: gateway.link,
})

export const deviceOf = ({ controllerId, name, family, model, lines }: PlantDevice) => ({
  ControllerID: controllerId,
  Name: name,
  Family: family.key,
  Model: model,
  LineCount: lines.size - (lines.has(0) ? 1 : 0),
})

export const devicesOf = (gateway: PlantGateway) =>
  [...gateway.devices.values()].sort((a, b) => (a.controllerId < b.controllerId ? -1 : 1)).map(deviceOf)
