import { setTimeout as pause } from 'node:timers/promises'
import type { RunLine } from '@linewarden/rules/automation'
import { isOver } from '@linewarden/rules/automation'
import type { PositionValidity } from '../../plant/line-state.ts'
import { positionNow } from '../../plant/line-state.ts'
import type { GroupOperationLine } from '../../store/control/group-operation.ts'
import { groupOperationById } from '../../store/control/group-operation.ts'
import type { AutomationDeps } from './deps.ts'

/** How often it is looked whether the lines that others wait for have come to their end. */
const lookMs = 250

/** Whose lines, which of them (null: all), for how long, and until when anybody still waits. */
interface Awaited {
  readonly operationId: string
  readonly commandId?: string | null
  readonly timeoutMs: number
  readonly over: AbortSignal
}

export type LinesOverDeps = Pick<AutomationDeps, 'database' | 'plant' | 'clock'> & { readonly ingest: PositionValidity }

/** When lines of group operations are over, for whoever waits for them. `monotonicMs`: time that no clock step moves. */
export function createLinesOver(
  { database, plant, ingest, clock }: LinesOverDeps,
  monotonicMs: () => number = () => performance.now(),
) {
  /**
   * Waits until lines of a group operation are over, all or the one of this command, and says how they are. While it cannot be asked they are
   * not; null: for so long that nobody waits any more.
   */
  return async function linesOver({
    operationId,
    commandId = null,
    timeoutMs,
    over,
  }: Awaited): Promise<readonly RunLine[] | null> {
    for (const until = monotonicMs() + timeoutMs; ; ) {
      const operation = await groupOperationById(database, operationId).catch(() => null)
      const lines = (operation?.lines ?? []).filter((line) => commandId === null || line.commandId === commandId).map(runLineOf)
      if (monotonicMs() > until) return null
      if (over.aborted || (lines.length > 0 && lines.every(isOver))) return lines
      await pause(lookMs, undefined, { signal: over }).catch(() => {})
    }
  }

  /** A trip that was left to one under way is over once that is, and as meant only where the line is reported to stand open by then. */
  function runLineOf({ lineId, state, refusal, command }: GroupOperationLine): RunLine {
    if (state !== 'skipped' || refusal?.key !== 'underWay') return { state, command: command?.state ?? null }
    const line = plant.lines.get(lineId)
    if ([...(line?.underWay.values() ?? [])].includes('trip')) return { state: 'waiting', command: null }
    const isOpen = line && positionNow(ingest, line, clock()) === 'open'
    return { state: isOpen ? state : 'refused', command: null }
  }
}
