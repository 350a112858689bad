import type { MessageKey } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { CommandAction, CommandState, Condition, TagPlace } from '@linewarden/rules'
import { inspectionHolds, isUnderWay, tagsHold } from '@linewarden/rules'
import type { Holds, PlantGateway, PlantLine } from '../live/plant.ts'
import { holdsKnown } from '../live/plant.ts'
import { conditionRecord } from './facts.ts'

/** What stands against an order, for actions and settings alike, and how people are told. */

const refusals = {
  trip: 'trip not possible',
  close: 'close not permitted',
  silence: 'silence not possible',
  selfTest: 'self-test not permitted',
  set: 'operation not permitted',
} as const satisfies Record<CommandAction, MessageKey>

/** Every reason at once. */
export function refusalOf(action: CommandAction, conditions: readonly Condition[]): Refusal {
  const why = {
    zh: conditions.map(({ what, why }) => (why ?? what).zh).join('；'),
    en: conditions.map(({ what, why }) => (why ?? what).en).join('; '),
  }
  return new Refusal(refusals[action], { why, blocks: conditions.map(conditionRecord) })
}

export const anotherUnderWay: Condition = {
  key: 'pending',
  met: false,
  what: { zh: '没有进行中的操作', en: 'No command under way' },
  why: { zh: '另一条操作正在进行', en: 'Another command is under way' },
  clears: { zh: '到时自动解除', en: 'Clears by itself' },
  until: null,
}

type Held = 'tagged' | 'inspection' | 'trip_ordered' | 'tripped' | 'local_lock'

/** What has been hung, begun, ordered or reported since the order was authorised. */
export function heldBy(action: CommandAction, line: PlantLine, fence: number, now: number): Held | null {
  // Also when that trip is over; hushing a sounder moves nothing that a trip is about.
  if (action !== 'trip' && action !== 'silence' && fence < line.tripFence) return 'trip_ordered'
  if (action === 'close' && line.tripLatched !== null) return 'tripped'
  if (action === 'close' && line.states.get('lock.local') === 'on') return 'local_lock'
  return heldOn(holdsKnown(line), action, now)
}

/** Whether somebody works there, or stands before it. */
export function heldOn({ tags, inspectionUntil }: Holds, action: CommandAction, now: number): 'tagged' | 'inspection' | null {
  if (tagsHold(action) && tags.length > 0) return 'tagged'
  return inspectionHolds(action) && inspectionUntil !== null && now < inspectionUntil ? 'inspection' : null
}

/** What is done to a gateway is done to every line behind it: what holds one of them holds it. */
export function gatewayHolds({ devices, ownTags }: PlantGateway): Holds {
  const own = [...devices.values()].flatMap((device) => [...device.lines.values()].map(holdsKnown))
  return {
    tags: [...new Set([...ownTags, ...own.flatMap(({ tags }) => tags)])],
    inspectionUntil: own.reduce<number | null>((latest, { inspectionUntil: until }) => {
      return until === null || (latest !== null && latest > until) ? latest : until
    }, null),
  }
}

interface Tracked {
  readonly commandId: string
  readonly state: CommandState
  readonly fence: number
}

/** The plant knows what is under way on a line, and which trip was ordered last. */
export function track(line: PlantLine, { commandId, state, fence }: Tracked, action: CommandAction): void {
  if (isUnderWay(state)) line.underWay.set(commandId, action)
  else line.underWay.delete(commandId)
  if (action === 'trip') line.tripFence = Math.max(line.tripFence, fence)
}

/** Another server, or somebody in this very moment, put it there: from here on the plant knows of it too. */
export function takeHolds(line: PlantLine, { tags, inspectionUntil }: Holds): void {
  const on = (place: TagPlace) => tags.filter((tag) => tag.on === place)
  line.ownTags = on('line')
  line.device.ownTags = on('device')
  line.device.gateway.ownTags = on('gateway')
  line.inspectionUntil = inspectionUntil
}
