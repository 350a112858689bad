import { Refusal } from '@linewarden/contract'
import { isAsMeant, sceneMatch } from '@linewarden/rules/automation'
import { deadlineFor, verifyGraceMs } from '@linewarden/rules/control'
import type { TurnRules } from '../control/group-operation-turns.ts'
import type { PositionsBefore } from '../control/lines-begun.ts'
import { wasOpened } from '../control/lines-begun.ts'
import { minStaggerMs } from '../control/stagger.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinesOverDeps } from './lines-over.ts'
import { createLinesOver } from './lines-over.ts'

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
  { database, plant, ingest, control, clock }: LinesOverDeps & { control: Pick<AutomationDeps['control'], 'interlocks'> },
  monotonicMs: () => number = () => performance.now(),
) {
  const linesOver = createLinesOver({ database, plant, ingest, clock }, monotonicMs)
  return { closingRules }

  /** A close never overtakes a trip of its scene: what they feed may be one installation from two sides. Nor does it come late. */
  function closingRules({ closesId, tripsId, stopsCloses, before, fences = null }: Closes): TurnRules {
    const turnMs = minStaggerMs + (stopsCloses ? outcomeMs('close') : 0)
    return {
      ...{ source: 'scene', fences },
      lateAfterMs: (turn) => slackMs + (tripsId === null ? 0 : outcomeMs('trip') + slackMs) + turn * turnMs,
      async ready(over) {
        if (tripsId === null) return null
        const lines = await linesOver({ operationId: tripsId, timeoutMs: outcomeMs('trip') + slackMs, over })
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
        const lines = await linesOver({ operationId: closesId, commandId, timeoutMs: outcomeMs('close') + slackMs, over })
        if (!lines) return new Refusal('timed action missed')
        return lines.every(isAsMeant) ? null : new Refusal('scene stops closing')
      },
    }
  }
}
