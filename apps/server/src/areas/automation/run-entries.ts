import type { RunEntry } from '@linewarden/contract'
import type { LineOutcome } from '@linewarden/rules/automation'
import { isAmiss, lineOutcome } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { StoredExecution } from '../../store/automation/execution.ts'
import type { LineGroup } from '../../store/automation/execution-list.ts'
import { lineGroupsOf } from '../../store/automation/execution-list.ts'
import type { AutomationDeps } from './deps.ts'
import { executionRecord } from './executions.ts'

/** So many reasons of a run are named in a list, each with so many lines. */
const namedReasons = 3
const namedLines = 2

/** Runs as a log lists them: how many of their lines stand where, and why not all stand as they were meant to. */
export function createRunEntries({ database, plant }: Pick<AutomationDeps, 'database' | 'plant'>) {
  return async (actor: Actor, executions: readonly StoredExecution[]): Promise<readonly RunEntry[]> => {
    const groups = await lineGroupsOf(
      database.general,
      executions.map(({ executionId }) => executionId),
    )
    const byRun = Map.groupBy(groups, ({ executionId }) => executionId)
    return executions.map((execution) => entryOf(actor, execution, byRun.get(execution.executionId) ?? []))
  }

  function entryOf(actor: Actor, execution: StoredExecution, groups: readonly LineGroup[]): RunEntry {
    const seen = groups.map((group) => ({
      ...group,
      outcome: lineOutcome({ state: group.state, why: group.refusal?.key ?? null, command: group.command }),
      lines: group.lineIds.flatMap((lineId) => {
        const line = plant.lines.get(lineId)
        return line && actor.seesGateway(line.device.gateway) ? [line] : []
      }),
    }))
    const count = (outcome: LineOutcome) =>
      seen.reduce((sum, group) => sum + (group.outcome === outcome ? group.lines.length : 0), 0)
    return {
      ...executionRecord(execution),
      Action: actionOf(execution),
      Reason: groups[0]?.reason ?? '',
      Whole: seen.every(({ lines, lineIds }) => lines.length === lineIds.length),
      Counts: {
        Total: seen.reduce((sum, { lines }) => sum + lines.length, 0),
        Verified: count('verified'),
        Already: count('already'),
        UnderWay: count('underWay'),
        Waiting: count('waiting'),
        Refused: count('refused'),
        Failed: count('failed'),
        Unknown: count('unknown'),
        Missed: count('missed'),
        Skipped: count('skipped'),
        Stopped: count('stopped'),
      },
      Reasons: seen
        .filter(({ outcome, lines, refusal }) => lines.length > 0 && (isAmiss(outcome) || outcome === 'skipped') && refusal)
        .sort(
          (one, other) => Number(isAmiss(other.outcome)) - Number(isAmiss(one.outcome)) || other.lines.length - one.lines.length,
        )
        .slice(0, namedReasons)
        .map(({ outcome, refusal, lines }) => ({
          Outcome: outcome,
          Key: refusal?.key ?? '',
          Text: { zh: refusal?.text.zh ?? '', en: refusal?.text.en ?? '' },
          Count: lines.length,
          LineNames: lines.slice(0, namedLines).map(({ name }) => name),
        })),
    }
  }
}

/** What a timer was due for; null of what has no action of its own. */
const actionOf = ({ trace: { action } }: StoredExecution): RunEntry['Action'] =>
  action === 'trip' || action === 'close' || action === 'test' || action === 'run' ? action : null
