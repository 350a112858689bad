import type { MessageKey } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { CommandAction, CommandState, Condition, TagPlace } from '@linewarden/rules/control'
import { blocksAtSend, blocksAtSending, isUnderWay } from '@linewarden/rules/control'
import type { AppliedInterlocks, PlantGateway, PlantLine } from '../../plant/plant.ts'
import { linesBehind } from '../../plant/plant.ts'
import { conditionRecord, factsOf } from './facts.ts'

/** Interlocks against an order, for actions and settings alike, and how people are notified. */

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

/** How an order ends that an interlock keeps from leaving: applied, begun, ordered or reported since it was authorised. Null: none does. */
export function blockOutcome(
  action: CommandAction,
  line: PlantLine,
  fence: number,
  circumstances: Parameters<typeof factsOf>[1],
  now: number,
): string | null {
  const reason = blocksAtSend(action, factsOf(line, circumstances), { tripOrdered: fence < line.tripFence }, now)
  return reason && blocksAtSending[reason]
}

/** What is done to a gateway is done to every line behind it: a tag anywhere on it is in force on it, each counted once. */
export function gatewayInterlocks(gateway: PlantGateway): Pick<AppliedInterlocks, 'tags' | 'inspectionUntil'> {
  const lines = linesBehind(gateway)
  return {
    tags: [...gateway.ownTags, ...[...gateway.devices.values(), ...lines].flatMap((each) => each.ownTags)],
    inspectionUntil: lines.reduce<number | null>((latest, { inspectionUntil: until }) => {
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

/** Another server, or somebody in this very moment, applied it: from here on the plant knows of it too. */
export function mergeInterlocks(line: PlantLine, { tags, inspectionUntil, lockout, failedTest }: AppliedInterlocks): void {
  const on = (place: TagPlace) => tags.filter((tag) => tag.on === place)
  line.ownTags = on('line')
  line.device.ownTags = on('device')
  line.device.gateway.ownTags = on('gateway')
  line.inspectionUntil = inspectionUntil
  if (lockout !== null) {
    line.lockoutCause = lockout.cause
    line.tripSequence = lockout.sequence
  }
  if (failedTest !== null && failedTest.at >= (line.selfTest?.at ?? 0)) line.selfTest = { ...failedTest, result: 'failed' }
}
