import type { BlockReason } from './block-reason.ts'
import { blocksAtSending } from './block-reason.ts'
import type { CommandAction } from './command.ts'
import type { Condition } from './conditions.ts'
import {
  clock,
  closed,
  fresh,
  gap,
  inspection,
  linked,
  localLock,
  notShared,
  pending,
  permission,
  position,
  quietHours,
  selfTest,
  sounding,
  tags,
  tripCause,
} from './conditions.ts'
import type { ActorFacts, LineFacts } from './line-facts.ts'

/** Every condition of closing this line, met or not. Closing is permitted when all are met; there is no other way. */
export function closeConditions(line: LineFacts, actor: ActorFacts, now: number): readonly Condition[] {
  return [
    permission(actor),
    notShared(actor),
    ...linked(line),
    fresh(line, now),
    clock(line),
    position(line),
    tripCause(line),
    ...localLock(line),
    ...selfTest(line),
    inspection(line, now),
    tags(line, actor),
    gap(line, now),
    pending(line),
  ]
}

/** Every condition of doing this, met or not. */
export function conditionsOf(action: CommandAction, line: LineFacts, actor: ActorFacts, now: number): readonly Condition[] {
  switch (action) {
    case 'trip':
      return [permission(actor), notShared(actor)]
    case 'close':
      return closeConditions(line, actor, now)
    default:
      return operateConditions(action, line, actor, now)
  }
}

/**
 * Whether somebody works there, or stands before it; a tag first, for it stays until somebody takes it off. Making a line safe is blocked by
 * neither, hushing a sounder by no tag.
 */
export function personBlocks(
  { tags: hung, inspectionUntil }: { readonly tags: readonly unknown[]; readonly inspectionUntil: number | null },
  action: CommandAction,
  now: number,
): 'tags' | 'inspection' | null {
  if (action === 'trip') return null
  if (action !== 'silence' && hung.length > 0) return 'tags'
  return inspectionUntil !== null && now < inspectionUntil ? 'inspection' : null
}

/** The same of what the database has of a line, whichever server wrote it: a close is also blocked by a trip that nobody has explained, and by a failed self-test. */
export function storedBlock(
  stored: Parameters<typeof personBlocks>[0] & { readonly lockout: object | null; readonly failedTest: object | null },
  action: CommandAction,
  now: number,
): 'tripCause' | 'tags' | 'inspection' | 'selfTest' | null {
  if (action === 'close' && stored.lockout !== null) return 'tripCause'
  return personBlocks(stored, action, now) ?? (action === 'close' && stored.failedTest !== null ? 'selfTest' : null)
}

/**
 * What stands against sending an authorised order now, the gravest of it: every condition of its authorising that can have changed since.
 * `tripOrdered`: a trip of the line was ordered after it, also one that is over by now. A trip is never blocked.
 */
export function blocksAtSend(
  action: CommandAction,
  line: LineFacts,
  { tripOrdered }: { readonly tripOrdered: boolean },
  now: number,
): keyof typeof blocksAtSending | null {
  if (action === 'trip') return null
  const blockReasons = new Set<BlockReason>(
    conditionsOf(action, line, { mayOperate: true, shared: false }, now).flatMap(({ key, met }) => (met ? [] : [key])),
  )
  // Hushing a sounder moves nothing that a trip is about.
  if (tripOrdered && action !== 'silence') blockReasons.add('tripOrdered')
  return reasonsAtSending.find((each) => blockReasons.has(each)) ?? null
}

const reasonsAtSending = Object.keys(blocksAtSending) as (keyof typeof blocksAtSending)[]

/** Whether somebody works there, or stands before it: what is asked of a gateway itself, whose own settings and firmware touch every line. */
export const interlockConditions = (
  interlocks: Pick<LineFacts, 'inspectionUntil' | 'tags'>,
  now: number,
): readonly Condition[] => [inspection(interlocks, now), tags(interlocks, { shared: false })]

/** The conditions that block closing now, all at once. */
export const closeBlocks = (line: LineFacts, actor: ActorFacts, now: number): readonly Condition[] =>
  closeConditions(line, actor, now).filter((each) => !each.met)

/**
 * Whether the equipment reports now that it is as this would make it: a closed line is not blocked, there is nothing to do. Old values say
 * nothing of now.
 */
export function isDoneAlready(action: CommandAction, line: LineFacts, now: number): boolean {
  if (line.link !== 'online' || line.reach === 'device_gone' || !fresh(line, now).met) return false
  if (action === 'close') return line.position === 'closed'
  return action === 'silence' && line.sounder === 'quiet'
}

/**
 * Every condition of anything else that is done to equipment. Silencing hushes a sounder that somebody may need to hear, a setting moves a
 * protection, a self-test opens a line: none of them late, twice, unseen, or while somebody works there.
 */
export function operateConditions(
  action: 'silence' | 'selfTest' | 'set',
  line: LineFacts,
  actor: ActorFacts,
  now: number,
): readonly Condition[] {
  const always = [permission(actor, line), notShared(actor), ...linked(line), clock(line), inspection(line, now), pending(line)]
  if (action === 'silence') return [...always, sounding(line)]
  const quiet = [...always, ...localLock(line), tags(line, actor)]
  if (action === 'set') return quiet
  // A detector has no position, and nothing opens when it tests itself.
  return [...quiet, fresh(line, now), ...(line.switches ? [closed(line), gap(line, now), quietHours(line)] : [])]
}

/** Tripping makes a line safe, and "already open" may be stale: only the actor's own rights can stand against it. */
export const tripBlocks = (actor: ActorFacts): readonly Condition[] =>
  [permission(actor), notShared(actor)].filter((each) => !each.met)
