import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '@linewarden/contract'
import type { RunLine } from '@linewarden/rules/automation'
import { isAsMeant, isOver, sceneMatch } from '@linewarden/rules/automation'
import { deadlineFor, verifyGraceMs } from '@linewarden/rules/control'
import type { GroupOperationLine } from '../../store/control/group-operation.ts'
import { groupOperationById } from '../../store/control/group-operation.ts'
import type { TurnRules } from '../control/group-operation-turns.ts'
import type { PositionsBefore } from '../control/lines-begun.ts'
import { wasOpened } from '../control/lines-begun.ts'
import { minStaggerMs } from '../control/stagger.ts'
import type { AutomationDeps } from './deps.ts'

/** How often it is looked whether the lines that others wait for have come to their end. */
const lookMs = 250
/** So much later than the slowest equipment a close may be: other closes of the project share its stagger. */
const slackMs = 30_000
/** When whatever an order comes to is known at the latest. */
const outcomeMs = (action: 'trip' | 'close') => deadlineFor(action) + verifyGraceMs

interface Closes {
  readonly closesId: string
  /** Null: it trips nothing. */
  readonly tripsId: string | null
  readonly stopsCloses: boolean
  readonly before: PositionsBefore
  readonly fences?: ReadonlyMap<number, number> | null
}

/** When the closes of a scene have their turns, and when they have none. `monotonicMs`: time that no clock step moves. */
export function createSceneTurns(
  {
    database,
    plant,
    control,
    clock,
  }: Pick<AutomationDeps, 'database' | 'plant' | 'clock'> & { control: Pick<AutomationDeps['control'], 'interlocks'> },
  monotonicMs: () => number = () => performance.now(),
) {
  return { closingRules }

  /** A close never overtakes a trip of its scene: what they feed may be one installation from two sides. Nor does it come late. */
  function closingRules({ closesId, tripsId, stopsCloses, before, fences = null }: Closes): TurnRules {
    const turnMs = minStaggerMs + (stopsCloses ? outcomeMs('close') : 0)
    return {
      ...{ source: 'scene', fences },
      lateAfterMs: (turn) => slackMs + (tripsId === null ? 0 : outcomeMs('trip') + slackMs) + turn * turnMs,
      async ready(over) {
        if (tripsId === null) return null
        const lines = await overLines(tripsId, null, outcomeMs('trip') + slackMs, over)
        if (!lines) return new Refusal('timed action missed')
        return stopsCloses && !lines.every(isAsMeant) ? new Refusal('scene stops closing') : null
      },
      leftOut({ line }) {
        const isSo = sceneMatch('close', control.interlocks.factsOf(line), clock()) === 'inForce'
        return isSo ? new Refusal('scene already so') : null
      },
      refusedNow: (line, startedAt) =>
        wasOpened(line, before.get(line.id), startedAt) ? new Refusal('scene tripped meanwhile') : null,
      async after({ commandId }, refusal, over) {
        if (!stopsCloses) return null
        if (refusal) return new Refusal('scene stops closing')
        const lines = await overLines(closesId, commandId, outcomeMs('close') + slackMs, over)
        if (!lines) return new Refusal('timed action missed')
        return lines.every(isAsMeant) ? null : new Refusal('scene stops closing')
      },
    }
  }

  /**
   * Waits until lines of a group operation are over, all or the one of this command, and says how they are. While it cannot be asked nothing
   * is closed; null: for so long that nothing is any more.
   */
  async function overLines(operationId: string, commandId: string | null, timeoutMs: number, over: AbortSignal) {
    for (const until = monotonicMs() + timeoutMs; ; ) {
      const operation = await groupOperationById(database, operationId).catch(() => null)
      const lines = (operation?.lines ?? []).filter((line) => commandId === null || line.commandId === commandId).map(runLineOf)
      if (monotonicMs() > until) return null
      if (over.aborted || (lines.length > 0 && lines.every(isOver))) return lines
      await pause(lookMs, undefined, { signal: over }).catch(() => {})
    }
  }

  /** A trip that was left to one under way is over once that is, and as meant only where the line stands open by then. */
  function runLineOf({ lineId, state, refusal, command }: GroupOperationLine): RunLine {
    if (state !== 'skipped' || refusal?.key !== 'underWay') return { state, command: command?.state ?? null }
    const line = plant.lines.get(lineId)
    if ([...(line?.underWay.values() ?? [])].includes('trip')) return { state: 'waiting', command: null }
    return { state: line?.states.get('position') === 'open' ? state : 'refused', command: null }
  }
}
