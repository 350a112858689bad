import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantGateway, PlantProject } from '../../plant/plant.ts'
import { invalid } from './asked.ts'

/** What decides what of energy somebody sees. */
export type Reader = Pick<Actor, 'sees' | 'seesPart' | 'seesGateway' | 'scope'>

/** A project, a gateway or a line, in the project whose clock counts. */
export interface Scope {
  readonly kind: 'p' | 'g' | 'l'
  readonly id: number
  readonly project: PlantProject
}

/** What somebody asks for: one of the three. */
export interface AskedScope {
  readonly HouseID?: number | undefined
  readonly DeviceID?: number | undefined
  readonly LineID?: number | undefined
}

/** What is counted. Whatever is named must be seen, also where it is named beside another. */
export function scopeOf(plant: Plant, actor: Reader, asked: AskedScope, part: 'query' | 'body' = 'query'): Scope {
  const { HouseID, DeviceID, LineID } = asked
  const scopes: Scope[] = []
  if (HouseID !== undefined) {
    const project = plant.projects.get(HouseID)
    if (!project || !actor.sees(project.id)) throw new Refusal('project not exists')
    scopes.push({ kind: 'p', id: HouseID, project })
  }
  if (DeviceID !== undefined) scopes.push({ kind: 'g', id: DeviceID, project: projectOf(actor, plant.gateways.get(DeviceID)) })
  if (LineID !== undefined)
    scopes.push({ kind: 'l', id: LineID, project: projectOf(actor, plant.lines.get(LineID)?.device.gateway) })
  const [scope] = scopes
  if (!scope || scopes.length > 1) throw notOne(part)
  return scope
}

export const notOne = (part: 'query' | 'body' = 'query'): Refusal =>
  invalid(`${part}.HouseID`, { zh: '请只选一个统计对象', en: 'Choose one thing to count' })

function projectOf(actor: Reader, gateway: PlantGateway | undefined): PlantProject {
  if (!gateway || !actor.seesGateway(gateway)) throw new Refusal('device not exists')
  return gateway.project
}
