import type { List, SearchHit } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantGateway, PlantLine } from '../../plant/plant.ts'

const most = 200

/** Gateways, then lines, of the actor's tenant whose name or number holds the text; `total` counts those that did not fit too. */
export function searchEquipment(plant: Plant, actor: Actor, text: string): List<SearchHit> {
  const wanted = text.trim().toLowerCase()
  const items: SearchHit[] = []
  let total = 0
  const take = (gateway: PlantGateway, line: PlantLine | null) => {
    total += 1
    if (items.length < most) items.push(hit(gateway, line))
  }
  for (const gateway of plant.gateways.values())
    if (isIn(gateway.name, wanted) || isIn(gateway.number, wanted)) if (actor.seesGateway(gateway)) take(gateway, null)
  for (const line of plant.lines.values())
    if (isIn(line.name, wanted) && actor.seesGateway(line.device.gateway)) take(line.device.gateway, line)
  return { items, total }
}

const isIn = (name: string, wanted: string): boolean => name.toLowerCase().includes(wanted)

const hit = ({ id, project, name, number }: PlantGateway, line: PlantLine | null): SearchHit => ({
  Kind: line ? 'line' : 'gateway',
  HouseID: project.id,
  HouseName: project.name,
  DeviceID: id,
  GatewayName: name,
  Number: number,
  LineID: line?.id ?? null,
  LineName: line?.name ?? '',
})
