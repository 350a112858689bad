import type { InspectionItem, OwnItem, PlanStop } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { familyOf } from '@linewarden/equipment'
import type { ChecklistItem } from '@linewarden/rules/inspection'
import { checklistNames, itemsAsked } from '@linewarden/rules/inspection'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { PlanRow } from '../../store/inspection/plan.ts'
import type { FrozenStop, StoredOwnItem, StoredStop } from '../../store/inspection/schema.ts'

/** A stop as somebody names it; null: there is no such thing in the project, or it names none or several. */
export function stopOf(plant: Plant, project: PlantProject, { DeviceID, ControllerID, Place }: PlanStop): StoredStop | null {
  if ([DeviceID, ControllerID, Place].filter((each) => each !== undefined).length !== 1) return null
  const none = { gatewayId: null, deviceId: null, controllerId: null, place: null }
  if (Place !== undefined) return { ...none, kind: 'place', place: Place.trim(), name: Place.trim() }
  if (DeviceID !== undefined) {
    const gateway = plant.gateways.get(DeviceID)
    return gateway?.project === project ? { ...none, kind: 'gateway', gatewayId: gateway.id, name: gateway.name } : null
  }
  const device = ControllerID === undefined ? undefined : plant.deviceByControllerId.get(ControllerID)
  return device?.gateway.project === project
    ? { ...none, kind: 'device', deviceId: device.id, controllerId: device.controllerId, name: device.name }
    : null
}

/** Where a stop stands now; null: it is no longer there, or at another project. */
export function presentStop(plant: Plant, projectId: number, stop: StoredStop): Omit<FrozenStop, 'stopId'> | null {
  if (stop.kind === 'place') return { ...stop, gatewayName: null, model: null, list: 'place' }
  if (stop.kind === 'gateway') {
    const gateway = stop.gatewayId === null ? undefined : plant.gateways.get(stop.gatewayId)
    if (gateway?.project.id !== projectId) return null
    return { ...stop, name: gateway.name, gatewayName: gateway.name, model: gateway.model, list: 'gateway' }
  }
  const device = stop.deviceId === null ? undefined : plant.devices.get(stop.deviceId)
  if (device?.gateway.project.id !== projectId) return null
  return {
    ...stop,
    ...{ gatewayId: device.gateway.id, controllerId: device.controllerId, name: device.name || device.controllerId },
    ...{ gatewayName: device.gateway.name, model: device.model, list: device.family.key },
  }
}

export interface Asks {
  readonly stops: readonly StoredStop[]
  readonly leftOut: readonly string[]
  readonly ownItems: readonly StoredOwnItem[]
}

export const asksOf = ({ stops, left_out, own_items }: PlanRow): Asks => ({ stops, leftOut: left_out, ownItems: own_items })

/** What a round asks from its start on: those stops that are there, and the items of each list. */
export function frozen(plant: Plant, projectId: number, { stops, leftOut, ownItems }: Asks) {
  const there = stops.flatMap((stop) => presentStop(plant, projectId, stop) ?? [])
  const left = new Set(leftOut)
  const lists = [...new Set(there.map(({ list }) => list))]
  return {
    stops: there.map((stop, at): FrozenStop => ({ ...stop, stopId: at + 1 })),
    lists: Object.fromEntries(lists.map((list) => [list, itemsAsked(list, left, ownItems)])),
  }
}

export const ownItemOf = ({ ItemID, List, Text, Kind, Min, Max, Unit, Choices }: OwnItem): StoredOwnItem => ({
  ...{ id: ItemID, list: List, text: { zh: Text, en: Text }, kind: Kind, min: Min, max: Max, unit: Unit.trim() },
  choices: Choices.map(({ Text: each, Ok }, at) => ({ id: `c${at + 1}`, text: { zh: each, en: each }, ok: Ok })),
  ...{ source: { zh: '本计划', en: 'This plan' }, everyDays: null },
})

export const ownItemRecord = ({ id, list, text, kind, min, max, unit, choices }: StoredOwnItem): OwnItem => ({
  ...{ ItemID: id, List: list, Text: text.zh, Kind: kind, Min: min, Max: max, Unit: unit },
  Choices: choices.map((each) => ({ Text: each.text.zh, Ok: each.ok })),
})

export const itemRecord = (item: ChecklistItem): InspectionItem => ({
  ...{ ItemID: item.id, Text: item.text, Kind: item.kind, Min: item.min, Max: item.max, Unit: item.unit },
  Choices: item.choices.map(({ id, text, ok }) => ({ Choice: id, Text: text, Ok: ok })),
  ...{ Source: item.source, EveryDays: item.everyDays, Own: item.id.startsWith('own.') },
})

/** What a list is called: as its family, or as what it is of. */
export const listName = (list: string): Text =>
  list === 'gateway' || list === 'place' ? checklistNames[list] : (familyOf(list)?.label ?? { zh: list, en: list })
