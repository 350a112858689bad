import type { listEvents, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import type { Plant, PlantDevice, PlantProject } from '../../plant/plant.ts'
import { forgottenAnnouncements } from '../../store/alarm/announcement.ts'
import type { EventFilter, Named } from '../../store/alarm/event-filter.ts'
import { eventLabels } from '../../store/alarm/event-list.ts'
import type { Database } from '../../store/core/database.ts'
import { countedEventsOf } from './counted.ts'

type Asked = Omit<Request<typeof listEvents>['body'], 'Sort' | 'Before' | 'Page' | 'Size'>

/** The events that somebody asks for, as the store finds them: never more than they see. `project`: the one that they named. */
export async function eventFilterOf(
  { plant, database, clock }: { readonly plant: Plant; readonly database: Database; readonly clock: () => number },
  actor: Actor,
  project: PlantProject | null,
  asked: Asked,
): Promise<EventFilter> {
  await requireKnownSince(database, asked.Mark)
  const text = asked.Text?.trim().toLowerCase()
  return {
    seen: seenBy(actor, plant, project),
    projectIds: asked.CityID === undefined ? null : idsOf(plant.projects.values(), ({ cityId }) => cityId === asked.CityID),
    gatewayId: asked.DeviceID ?? null,
    device: asked.ControllerID === undefined ? null : deviceOf(plant, asked.ControllerID),
    line: asked.LineID === undefined ? null : placeOf(plant, asked.LineID, asked.Around ?? false),
    open: asked.Open ?? false,
    here: asked.Here ? hereOf(asked) : null,
    model: asked.Model ? modelOf(plant, asked.Model) : null,
    counted: asked.Counted ? countedEventsOf(plant, asked.Counted) : null,
    keys: asked.Keys ?? null,
    kinds: asked.Kinds ?? null,
    priorities: asked.Priorities ?? null,
    states: asked.States ?? null,
    from: asked.From ?? null,
    to: asked.To ?? null,
    shelved: asked.Shelved === undefined ? null : { is: asked.Shelved, now: clock() },
    folded: asked.Folded ?? null,
    incidentId: asked.IncidentID ?? null,
    newest: asked.Newest ?? false,
    named: text ? namedSo(plant, await eventLabels(database), text) : null,
    upTo: asked.UpTo ?? null,
    after: asked.After ?? null,
    mark: asked.Mark ?? null,
  }
}

/** Refuses a mark after which announcements were forgotten: who has one would acknowledge what they were not shown. */
export async function requireKnownSince(database: Database, mark: string | undefined): Promise<void> {
  if (mark !== undefined && BigInt(mark) < BigInt(await forgottenAnnouncements(database))) throw new Refusal('shown too long ago')
}

/** Of a line there is nothing below. */
const hereOf = ({ DeviceID, ControllerID, LineID }: Asked): EventFilter['here'] =>
  LineID !== undefined ? null : ControllerID !== undefined ? 'device' : DeviceID !== undefined ? 'gateway' : 'project'

function modelOf(plant: Plant, { Family, Model }: NonNullable<Asked['Model']>): EventFilter['model'] {
  const is = ({ family, model }: PlantDevice) => family.key === Family && model === Model
  return { deviceIds: idsOf(plant.devices.values(), is), lineIds: idsOf(plant.lines.values(), ({ device }) => is(device)) }
}

/** One that is not there has no events: no row has this number. */
const noId = 0

function deviceOf(plant: Plant, controllerId: string): EventFilter['device'] {
  const device = plant.deviceByControllerId.get(controllerId)
  return { id: device?.id ?? noId, lineIds: device ? [...device.lines.values()].map(({ id }) => id) : [] }
}

/** A line, and where it is asked for, the device and the gateway it depends on. */
function placeOf(plant: Plant, id: number, around: boolean): EventFilter['line'] {
  const line = around ? plant.lines.get(id) : undefined
  return { id, around: line ? { deviceId: line.device.id, gatewayId: line.device.gateway.id } : null }
}

/** Whatever is called so, each with what is below it. */
function namedSo(
  plant: Plant,
  labels: readonly { readonly key: string; readonly zh: string; readonly en: string }[],
  text: string,
): Named {
  const has = (...names: readonly string[]) => names.some((name) => name.toLowerCase().includes(text))
  const deviceIds = idsOf(plant.devices.values(), ({ name, controllerId }) => has(name, controllerId))
  const ofDevices = new Set(deviceIds)
  return {
    projectIds: idsOf(plant.projects.values(), ({ name }) => has(name)),
    gatewayIds: idsOf(plant.gateways.values(), ({ name, number }) => has(name, number)),
    deviceIds,
    lineIds: idsOf(plant.lines.values(), ({ name, device }) => has(name) || ofDevices.has(device.id)),
    keys: labels.flatMap(({ key, zh, en }) => (has(key, zh, en) ? [key] : [])),
  }
}

function idsOf<T extends { readonly id: number }>(all: Iterable<T>, matches: (each: T) => boolean): number[] {
  const ids: number[] = []
  for (const each of all) if (matches(each)) ids.push(each.id)
  return ids
}
