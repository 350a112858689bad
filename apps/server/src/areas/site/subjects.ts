import { groupNameOf } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { seesGroup } from '../../access/seen.ts'
import { tenantOfGateway } from '../../audit/audited.ts'
import { type Names, type SubjectSource, sameText } from '../../audit/names.ts'
import type { Plant, PlantGateway, PlantGroup } from '../../plant/plant.ts'

type Named = readonly [string, Text]

/** The plant in the audit log: it is all in memory. */
export function siteSubjects({ plant }: { plant: Plant }) {
  const seesGateway = (actor: Actor, gateway: PlantGateway | undefined): gateway is PlantGateway =>
    gateway !== undefined && actor.seesGateway(gateway)
  const deviceOf = (actor: Actor, controllerId: string) => {
    const device = plant.deviceByControllerId.get(controllerId)
    return device && actor.seesGateway(device.gateway) ? device : undefined
  }
  const lineOf = (actor: Actor, id: string) => {
    const at = id.lastIndexOf('/')
    return deviceOf(actor, id.slice(0, at))?.lines.get(Number(id.slice(at + 1)))
  }
  const gatewayName = (actor: Actor, gateway: PlantGateway | undefined) =>
    seesGateway(actor, gateway) ? gateway.name : undefined
  const groupName = (actor: Actor, group: PlantGroup | undefined): Text | null =>
    group && seesGroup(actor, plant, group) ? groupNameOf({ Name: group.name, IsDefault: group.isDefault }) : null

  return {
    project: {
      named: by((actor, id) => (actor.seesPart(Number(id)) ? plant.projects.get(Number(id))?.name : undefined)),
      *called(actor: Actor): Iterable<Named> {
        for (const { id, name } of plant.projects.values()) if (actor.seesPart(id)) yield [`${id}`, sameText(name)]
      },
      ownerOf: (id) => plant.projects.get(Number(id))?.ownerId,
    },
    group: {
      named: (actor, ids) =>
        new Map(
          ids.flatMap((id) => {
            const name = groupName(actor, plant.cities.get(Number(id)))
            return name ? [[id, name] as const] : []
          }),
        ),
      *called(actor: Actor): Iterable<Named> {
        for (const group of plant.cities.values()) {
          const name = groupName(actor, group)
          if (name) yield [`${group.id}`, name]
        }
      },
      ownerOf: (id) => plant.cities.get(Number(id))?.ownerId,
    },
    gateway: {
      named: by((actor, number) => gatewayName(actor, plant.gatewayByNumber.get(number))),
      *called(actor: Actor, mayBe: (name: string) => boolean): Iterable<Named> {
        for (const gateway of plant.gateways.values())
          if (mayBe(gateway.name) && actor.seesGateway(gateway)) yield [gateway.number, sameText(gateway.name)]
      },
      ownerOf: (number) => ownerAt(plant.gatewayByNumber.get(number)),
    },
    gatewayId: {
      named: by((actor, id) => gatewayName(actor, plant.gateways.get(Number(id)))),
      ownerOf: (id) => ownerAt(plant.gateways.get(Number(id))),
    },
    device: {
      named: by((actor, controllerId) => deviceOf(actor, controllerId)?.name),
      *called(actor: Actor, mayBe: (name: string) => boolean): Iterable<Named> {
        for (const { controllerId, name, gateway } of plant.deviceByControllerId.values())
          if (mayBe(name) && actor.seesGateway(gateway)) yield [controllerId, sameText(name)]
      },
      ownerOf: (controllerId) => ownerAt(plant.deviceByControllerId.get(controllerId)?.gateway),
    },
    line: {
      named: by((actor, id) => lineOf(actor, id)?.name),
      *called(actor: Actor, mayBe: (name: string) => boolean): Iterable<Named> {
        for (const { lineNo, name, device } of plant.lines.values())
          if (mayBe(name) && actor.seesGateway(device.gateway)) yield [`${device.controllerId}/${lineNo}`, sameText(name)]
      },
      ownerOf: (id) => ownerAt(plant.deviceByControllerId.get(id.slice(0, id.lastIndexOf('/')))?.gateway),
    },
    gatewayOrDevice: {
      named: by((actor, number) => {
        // Both are there: which one it was nobody can say.
        const names = [gatewayName(actor, plant.gatewayByNumber.get(number)), deviceOf(actor, number)?.name]
        const known = names.filter((name) => name !== undefined)
        return known.length === 1 ? known[0] : undefined
      }),
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}

const ownerAt = (gateway: PlantGateway | undefined): string | null | undefined => gateway && tenantOfGateway(gateway)

/** Of things that are called the same in every language; without a name they are shown as what they are. */
const by =
  (nameOf: (actor: Actor, id: string) => string | undefined) =>
  (actor: Actor, ids: readonly string[]): Names =>
    new Map(
      ids.flatMap((id) => {
        const name = nameOf(actor, id)
        return name ? [[id, sameText(name)] as const] : []
      }),
    )
