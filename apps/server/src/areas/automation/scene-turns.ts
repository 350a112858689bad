import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '@linewarden/contract'
import { isAsMeant, isOver, sceneMatch } from '@linewarden/rules/automation'
import { groupOperationById } from '../../store/control/group-operation.ts'
import type { TurnRules } from '../control/group-operation-turns.ts'
import type { AutomationDeps } from './deps.ts'

/** How often it is looked whether the lines that others wait for have come to their end. */
const lookMs = 250

/** When the closes of a scene have their turns, and when they have none. */
export function createSceneTurns({ database, control, clock }: AutomationDeps) {
  return { closingRules }

  /** A close never overtakes a trip of its scene: what they feed may be one installation from two sides. */
  function closingRules(closesId: string, tripsId: string | null, stopsCloses: boolean): TurnRules {
    return {
      source: 'scene',
      async ready(over) {
        if (tripsId === null) return null
        const lines = await overLines(tripsId, null, over)
        return stopsCloses && !lines.every(isAsMeant) ? new Refusal('scene stops closing') : null
      },
      leftOut({ line }) {
        const isSo = sceneMatch('close', control.interlocks.factsOf(line), clock()) === 'inForce'
        return isSo ? new Refusal('scene already so') : null
      },
      async after({ commandId }, refusal, over) {
        if (!stopsCloses) return null
        if (refusal) return new Refusal('scene stops closing')
        const lines = await overLines(closesId, commandId, over)
        return lines.every(isAsMeant) ? null : new Refusal('scene stops closing')
      },
    }
  }

  /** Waits until lines of a group operation are over, all or the one of this command, and says how they are. While it cannot be asked nothing is closed. */
  async function overLines(operationId: string, commandId: string | null, over: AbortSignal) {
    for (;;) {
      const operation = await groupOperationById(database, operationId).catch(() => null)
      const lines = (operation?.lines ?? [])
        .filter((line) => commandId === null || line.commandId === commandId)
        .map(({ state, command }) => ({ state, command: command?.state ?? null }))
      if (over.aborted || (lines.length > 0 && lines.every(isOver))) return lines
      await pause(lookMs, undefined, { signal: over }).catch(() => {})
    }
  }
}
