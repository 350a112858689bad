import type { RunRecord, RunSummary } from '@linewarden/contract'
import { getRun, Refusal } from '@linewarden/contract'
import { runSeenBy } from '../../access/run-seen.ts'
import type { Hub } from '../../plant/hub.ts'
import type { LiveTopic } from '../../plant/live-topics.ts'
import type { Plant } from '../../plant/plant.ts'
import type { RunRefusal, StoredRun } from '../../store/control/run.ts'
import * as stored from '../../store/control/run.ts'
import type { Database } from '../../store/core/database.ts'
import { commandRecord } from './records.ts'

/** The group operation as it is stored now. */
export async function runFound(database: Database, runId: string): Promise<StoredRun> {
  const run = await stored.runById(database, runId)
  if (!run) throw new Refusal('operation not exists')
  return run
}

/** A group operation as its calls answer it, with every line that is still in the plant. */
export function runRecord(plant: Plant, run: StoredRun): RunRecord {
  const Lines = run.lines.flatMap(({ lineId, state, refusal, command }) => {
    const line = plant.lines.get(lineId)
    if (!line) return []
    return {
      LineID: lineId,
      ControllerID: line.device.controllerId,
      LineNo: line.lineNo,
      LineName: line.name,
      State: state,
      Refusal: refusal && { Key: refusal.key, Text: { ...refusal.text } },
      Command: command && commandRecord(command, line),
    }
  })
  return { ...headOf(run), Whole: Lines.length === run.lines.length, Lines }
}

export const runSummary = ({ counts, ...run }: stored.RunSummary): RunSummary => ({
  ...headOf(run),
  Total: Object.values(counts).reduce((sum, count) => sum + count, 0),
  Waiting: counts.waiting,
  Ordered: counts.ordered,
  Refused: counts.refused,
  Missed: counts.missed,
  Stopped: counts.stopped,
})

export function wordOf(refusal: Refusal): RunRefusal {
  const { Message: key, Text: text } = refusal.envelope()
  return { key, text }
}

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
}

/** Tells whoever watches how a group operation stands now. */
export async function publishRun({ database, plant, hub }: Deps, runId: string): Promise<void> {
  const run = await stored.runById(database, runId).catch(() => null)
  if (run?.accountId) hub.publish({ live: [runTopic(plant, runRecord(plant, run), run.accountId)] })
}

/** To whoever started it, as far as they see its lines. */
export const runTopic = (plant: Plant, run: RunRecord, account: string): LiveTopic => ({
  to: { account },
  needs: getRun,
  message: (viewer) => ({ t: 'run', run: runSeenBy(viewer, plant, run) }),
})

const headOf = (run: Omit<StoredRun, 'lines'>) => ({
  RunID: run.id,
  Action: run.action,
  Actor: run.actor,
  Reason: run.reason,
  StaggerMs: run.staggerMs,
  StartedAt: run.startedAt,
  EndedAt: run.endedAt,
  StoppedBy: run.stoppedBy,
})
