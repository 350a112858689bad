import type { List, Request, SceneRunEntry, sceneLog } from '@linewarden/contract'
import { isUnderWay } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { StoredExecution } from '../../store/automation/execution.ts'
import type { SceneExecutionLine } from '../../store/automation/scene-run.ts'
import { linesOfRuns, sceneRunsPage } from '../../store/automation/scene-run.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { commandRecord } from '../control/records.ts'
import type { AutomationDeps } from './deps.ts'
import { executionRecord } from './executions.ts'

/** Runs of scenes, newest first. The lines of one are told where one is asked for, of the others how many stand where. */
export function createSceneLog({ database, plant }: Pick<AutomationDeps, 'database' | 'plant'>) {
  return async (
    actor: Actor,
    project: PlantProject | null,
    body: Request<typeof sceneLog>['body'],
  ): Promise<List<SceneRunEntry>> => {
    const filter = {
      projectId: project?.id ?? null,
      sceneId: body.SceneID ?? null,
      executionId: body.RunID ?? null,
      state: body.State ?? null,
      name: body.Name?.trim() || null,
      from: body.From ?? null,
      to: body.To ?? null,
    }
    const { runs, total } = await withRowSecurity(database, actor.scope, (db) =>
      sceneRunsPage(db, filter, { page: body.Page ?? 1, size: body.Size ?? 10 }),
    )
    const lines = await linesOfRuns(
      database,
      runs.map(({ executionId }) => executionId),
    )
    const byRun = Map.groupBy(lines, ({ executionId }) => executionId)
    return { items: runs.map((run) => entryOf(actor, run, byRun.get(run.executionId) ?? [], body.RunID !== undefined)), total }
  }

  function entryOf(actor: Actor, run: StoredExecution, lines: readonly SceneExecutionLine[], withLines: boolean): SceneRunEntry {
    const seen = lines.flatMap((each) => {
      const line = plant.lines.get(each.lineId)
      return line && actor.seesGateway(line.device.gateway) ? [{ ...each, line }] : []
    })
    return {
      ...executionRecord(run),
      Reason: lines[0]?.reason ?? '',
      Whole: seen.length === lines.length,
      Counts: countsOf(seen),
      Lines: withLines
        ? seen.map(({ action, lineId, line, state, refusal, command }) => ({
            Action: action,
            LineID: lineId,
            ControllerID: line.device.controllerId,
            LineNo: line.lineNo,
            LineName: line.name,
            State: state,
            Refusal: refusal && { Key: refusal.key, Text: { ...refusal.text } },
            Command: command && commandRecord(command, line),
          }))
        : [],
    }
  }
}

type Outcome = Exclude<keyof SceneRunEntry['Counts'], 'Total'>

/** What became of a line, by what its equipment reported; that an order was sent proves nothing. */
function outcomeOf({ state, command }: Pick<SceneExecutionLine, 'state' | 'command'>): Outcome {
  if (state === 'waiting') return command && isUnderWay(command.state) ? 'UnderWay' : 'Waiting'
  if (state === 'skipped') return 'Already'
  if (state === 'refused') return 'Refused'
  if (state === 'missed') return 'Missed'
  if (state === 'stopped') return 'Stopped'
  if (!command || command.state === 'unknown') return 'Unknown'
  if (command.state === 'verified') return 'Verified'
  return isUnderWay(command.state) ? 'UnderWay' : 'Failed'
}

function countsOf(lines: readonly Pick<SceneExecutionLine, 'state' | 'command'>[]): SceneRunEntry['Counts'] {
  const outcomes = lines.map(outcomeOf)
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length
  return {
    Total: lines.length,
    Verified: count('Verified'),
    Already: count('Already'),
    UnderWay: count('UnderWay'),
    Waiting: count('Waiting'),
    Refused: count('Refused'),
    Failed: count('Failed'),
    Unknown: count('Unknown'),
    Missed: count('Missed'),
    Stopped: count('Stopped'),
  }
}
