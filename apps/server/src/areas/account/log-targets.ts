import { groupNameOf, mostNamed } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { treeOwner } from '../../access/owner.ts'
import { narrowed, seesGroup } from '../../access/seen.ts'
import type { Plant, PlantGateway } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { asSeenBy } from '../../store/core/seen-by.ts'
import type { NamedEvent, NamedPush } from '../../store/log-names.ts'
import { namesOfCampaigns, namesOfEvents, namesOfPushes, namesOfRoles } from '../../store/log-names.ts'
import type { Thing } from './log-things.ts'
import { labelOf, targetTyped, thingOf } from './log-things.ts'

interface Entry {
  readonly action: string
  readonly target: string
}

/** Names that the plant in memory does not have. */
interface StoredNames {
  readonly roles: ReadonlyMap<number, string>
  readonly campaigns: ReadonlyMap<number, string>
  readonly pushes: readonly NamedPush[]
  readonly events: ReadonlyMap<string, NamedEvent>
}

export interface Called {
  readonly targets: readonly string[]
  /** Whether all names were looked through, more was found than is asked for, or the part is too short for names. */
  readonly names: 'all' | 'cut' | 'short'
}

/** Nobody searches by a name. */
export const allNames: Called = { targets: [], names: 'all' }

/** A search for less would find most of what there is. */
const fewestCharacters = 2

/** The targets of the log for people: with the names that things have now, as far as somebody sees them. */
export function createLogTargets({ database, plant }: { database: Database; plant: Plant }) {
  return {
    /** The target of each entry in words, in their order. */
    async labels(actor: Actor, entries: readonly Entry[]): Promise<readonly Text[]> {
      const things = entries.map(({ action, target }) => thingOf(action, target))
      const idsOf = (kind: 'role' | 'campaign' | 'push') => things.flatMap((thing) => (thing?.is === kind ? [thing.id] : []))
      const events = things.flatMap((thing) => (thing?.is === 'event' ? [thing.id] : []))
      const stored = await storedNames(actor, { role: idsOf('role'), campaign: idsOf('campaign'), push: idsOf('push'), events })
      const nameOf = namesFor(actor, stored)
      return entries.map(({ target }, i) => labelOf(things[i] ?? null, target, nameOf))
    },

    /**
     * The targets, as the log has them, of all that is there, that the actor sees and that is shown with this part in either language, but
     * not those that hold it as they are written. Of events, which are many, none: they are found by their number. Not more than so many, and
     * none by a single character: `names` says so.
     */
    async called(actor: Actor, part: string): Promise<Called> {
      const wanted = part.trim().toLowerCase()
      if (wanted === '') return allNames
      if ([...wanted].length < fewestCharacters) return { targets: [], names: 'short' }
      const stored = await storedNames(actor, { role: null, campaign: null, push: null, events: [] })
      const found: string[] = []
      // One more is looked for, to know whether there are more.
      for (const target of targetsCalled(actor, stored, wanted)) if (found.push(target) > mostNamed) break
      const typed = targetTyped(part)
      const targets = found.slice(0, mostNamed)
      return { targets: typed === null ? targets : [...targets, typed], names: found.length > mostNamed ? 'cut' : 'all' }
    },
  }

  /** What the actor sees and is shown with this, which is in lower case. */
  function* targetsCalled(actor: Actor, stored: StoredNames, wanted: string): Generator<string> {
    // Of hundreds of thousands of names: a fifth of the time that writing each of them small takes.
    const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
    const holds = (text: string) => pattern.test(text)
    const nameOf = namesFor(actor, stored)
    for (const [target, thing] of numberedThings(stored)) {
      // What has no name is not there, or not seen: the log's own words are all there is to say of it.
      if (holds(target) || nameOf(thing) === null) continue
      const { zh, en } = labelOf(thing, target, nameOf)
      if (holds(zh) || (en !== zh && holds(en))) yield target
    }
    // Of equipment there may be tens of thousands. It is shown as its number, a dot and its name: without a dot the name alone can hold it.
    const isAcross = wanted.includes('·')
    // The name first: of hundreds of thousands that it is not, nothing else is made.
    const isCalled = (name: string, target: string) =>
      name !== '' && (isAcross ? holds(`${target} · ${name}`) : holds(name)) && !holds(target)
    for (const gateway of plant.gateways.values()) {
      if (!actor.seesGateway(gateway)) continue
      if (isCalled(gateway.name, gateway.number)) yield gateway.number
      for (const { controllerId, name, lines } of gateway.devices.values()) {
        if (isCalled(name, controllerId)) yield controllerId
        for (const line of lines.values()) {
          if (!isAcross && !holds(line.name)) continue
          const target = `${controllerId}/${line.lineNo}`
          if (isCalled(line.name, target)) yield target
        }
      }
    }
  }

  /** What has a number of the database, each as the log has it. */
  function* numberedThings({ roles, campaigns, pushes }: StoredNames): Generator<readonly [string, Thing]> {
    for (const id of plant.projects.keys()) yield [`project ${id}`, { is: 'project', id }]
    for (const id of plant.cities.keys()) yield [`group ${id}`, { is: 'group', id }]
    for (const id of roles.keys()) yield [`role ${id}`, { is: 'role', id }]
    for (const id of campaigns.keys()) yield [`campaign ${id}`, { is: 'campaign', id }]
    for (const { pushId, projectId } of pushes)
      yield [`project ${projectId} push ${pushId}`, { is: 'push', id: pushId, projectId }]
  }

  /** Of these ids; null: all. Only whoever runs the installation sees its upgrades, only administrators the subscriptions. */
  async function storedNames(
    actor: Actor,
    ids: {
      readonly role: readonly number[] | null
      readonly campaign: readonly number[] | null
      readonly push: readonly number[] | null
      readonly events: readonly string[]
    },
  ): Promise<StoredNames> {
    const isAsked = (of: readonly unknown[] | null) => of === null || of.length > 0
    const walled = isAsked(ids.role) || isAsked(ids.events)
    const { roles, events } = walled
      ? await asSeenBy(database, actor.sight, async (db) => ({
          roles: await namesOfRoles(db, treeOwner(actor), narrowed(actor), ids.role),
          events: isAsked(ids.events) ? await namesOfEvents(db, ids.events) : new Map<string, NamedEvent>(),
        }))
      : { roles: new Map<number, string>(), events: new Map<string, NamedEvent>() }
    const campaigns = actor.platform && isAsked(ids.campaign) ? await namesOfCampaigns(database, ids.campaign) : new Map()
    const pushes = actor.administrator && isAsked(ids.push) ? await namesOfPushes(database, ids.push) : []
    return { roles, events, campaigns, pushes: pushes.filter(({ projectId }) => actor.sees(projectId)) }
  }

  /** What a thing is called; null: it is not there any more, or the actor does not see it. */
  function namesFor(actor: Actor, { roles, campaigns, pushes, events }: StoredNames): (thing: Thing) => Text | null {
    const pushNames = new Map(pushes.map(({ pushId, projectId, name }) => [`${projectId} ${pushId}`, name]))
    const gatewayName = (gateway: PlantGateway | undefined) => (gateway && actor.seesGateway(gateway) ? gateway.name : undefined)
    const deviceOf = (controllerId: string) => {
      const device = plant.deviceByControllerId.get(controllerId)
      return device && actor.seesGateway(device.gateway) ? device : undefined
    }
    const eventName = (id: string): Text | null => {
      const event = events.get(id)
      const gateway = event && plant.gateways.get(event.gatewayId)
      if (!gateway || !actor.seesGateway(gateway)) return null
      const where = (event.lineId === null ? undefined : plant.lines.get(event.lineId)?.name) ?? gateway.name
      return { zh: `${event.zh} · ${where}`, en: `${event.en} · ${where}` }
    }
    const nameOf = (thing: Thing): string | undefined => {
      switch (thing.is) {
        case 'project':
          return actor.seesPart(thing.id) ? plant.projects.get(thing.id)?.name : undefined
        case 'role':
          return roles.get(thing.id)
        case 'campaign':
          return campaigns.get(thing.id)
        case 'push':
          return pushNames.get(`${thing.projectId} ${thing.id}`)
        case 'gateway':
          return gatewayName(plant.gateways.get(thing.id))
        case 'gateway number':
          return gatewayName(plant.gatewayByNumber.get(thing.number))
        case 'device':
          return deviceOf(thing.number)?.name
        case 'gateway number or device': {
          // Both are there: which one it was nobody can say.
          const names = [gatewayName(plant.gatewayByNumber.get(thing.number)), deviceOf(thing.number)?.name]
          const known = names.filter((name) => name !== undefined)
          return known.length === 1 ? known[0] : undefined
        }
        case 'line':
          return deviceOf(thing.controllerId)?.lines.get(thing.lineNo)?.name
        default:
          return undefined
      }
    }
    return (thing) => {
      if (thing.is === 'event') return eventName(thing.id)
      if (thing.is === 'group') {
        const group = plant.cities.get(thing.id)
        return group && seesGroup(actor, plant, group) ? groupNameOf({ Name: group.name, IsDefault: group.isDefault }) : null
      }
      const name = nameOf(thing)
      return name ? { zh: name, en: name } : null
    }
  }
}
