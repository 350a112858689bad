import type { PermitCondition } from '@linewarden/contract'
import type { Condition, LineFacts, Reach } from '@linewarden/rules/control'
import { clockNear } from '@linewarden/rules/monitor'
import type { AppliedInterlocks, PlantLine } from '../../plant/plant.ts'
import { knownInterlocks, pendingOf } from '../../plant/plant.ts'

export const conditionRecord = ({ key, met, what, why, clears, until }: Condition): PermitCondition => ({
  Key: key,
  Met: met,
  What: { ...what },
  Why: why && { ...why },
  Clears: clears && { ...clears },
  Until: until,
})

/** What the permit is evaluated from: the plant as last reported and committed. Tags and inspection: from the database where it was asked, else as the plant knows them. */
export function factsOf(
  line: PlantLine,
  { reach, quietUntil }: { reach: Reach; quietUntil: number | null },
  { inspectionUntil, tags, lockout, failedTest }: AppliedInterlocks = knownInterlocks(line),
): LineFacts {
  const { gateway } = line.device
  const state = (key: string) => line.states.get(key) ?? null
  return {
    link: gateway.link,
    reach,
    liveReceivedAt: line.liveReceivedAt,
    clockGood:
      line.liveAt !== null &&
      line.liveReceivedAt !== null &&
      clockNear(line.liveAt, line.liveReceivedAt) &&
      gateway.clockSynchronised !== false,
    position: oneOf(state('position'), ['open', 'closed']),
    // What the database refused only the plant knows, what another server was told only the database.
    tripCause: line.lockoutCause ?? lockout?.cause ?? state('trip.cause'),
    tripCauseRecorded: line.lockoutCause === null && lockout === null,
    localLock: reports(line, 'lock.local') ? oneOf(state('lock.local'), ['on', 'off']) : 'absent',
    selfTest: selfTestOf(line, failedTest !== null),
    inspectionUntil,
    tags,
    lastOperationAt: line.lastOperationAt,
    pending: pendingOf(line),
    sounder: reports(line, 'sounder') ? oneOf(state('sounder'), ['quiet', 'sounding']) : 'absent',
    quietUntil,
    switches: reports(line, 'position'),
  }
}

/** Failed as the equipment says it or as we measured it: a breaker that trips too slowly may well call itself sound. */
function selfTestOf(line: PlantLine, hasFailed: boolean): LineFacts['selfTest'] {
  if (!reports(line, 'selfTest')) return 'absent'
  return hasFailed || line.selfTest?.result === 'failed'
    ? 'failed'
    : oneOf(line.states.get('selfTest') ?? null, ['notDone', 'running', 'passed', 'failed'])
}

const reports = (line: PlantLine, state: string): boolean => line.device.family.states.some(({ key }) => key === state)

const oneOf = <const V extends string>(value: string | null, known: readonly V[]): V | null =>
  known.find((each) => each === value) ?? null
