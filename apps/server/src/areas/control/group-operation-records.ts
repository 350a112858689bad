import type { GroupOperationRecord, GroupOperationSummary, MessageKey } from '@linewarden/contract'
import { getRun, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { groupOperationSeenBy } from '../../access/group-operation-seen.ts'
import type { Hub } from '../../plant/hub.ts'
import type { LiveTopic } from '../../plant/live-topics.ts'
import type { Plant } from '../../plant/plant.ts'
import type { GroupLineRefusal, GroupOperation } from '../../store/control/group-operation.ts'
import * as stored from '../../store/control/group-operation.ts'
import type { Database } from '../../store/core/database.ts'
import { commandRecord } from './records.ts'

/** The group operation as it is stored now. */
export async function groupOperationFound(database: Database, operationId: string): Promise<GroupOperation> {
  const operation = await stored.groupOperationById(database, operationId)
  if (!operation) throw new Refusal('operation not exists')
  return operation
}

/** A group operation as its calls answer it, with every line that is still in the plant. */
export function groupOperationRecord(plant: Plant, operation: GroupOperation): GroupOperationRecord {
  const Lines = operation.lines.flatMap(({ lineId, state, refusal, command }) => {
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
  return { ...headOf(operation), Whole: Lines.length === operation.lines.length, Lines }
}

export const groupOperationSummary = ({ counts, ...operation }: stored.GroupOperationSummary): GroupOperationSummary => ({
  ...headOf(operation),
  Total: Object.values(counts).reduce((sum, count) => sum + count, 0),
  Waiting: counts.waiting,
  Ordered: counts.ordered,
  Refused: counts.refused,
  Missed: counts.missed,
  Stopped: counts.stopped,
})

export function wordOf(refusal: Refusal): GroupLineRefusal {
  const { Message: key, Text: text, Detail } = refusal.envelope()
  const why = Detail?.why as Text | undefined
  // Nobody stands before the answer of this line: every condition that was not met is kept with it.
  if (key !== ('close not permitted' satisfies MessageKey) || !why) return { key, text }
  return { key, text: { zh: `${text.zh}：${why.zh}`, en: `${text.en}: ${why.en}` } }
}

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
}

/** Tells whoever watches how a group operation stands now. */
export async function publishGroupOperation({ database, plant, hub }: Deps, operationId: string): Promise<void> {
  const operation = await stored.groupOperationById(database, operationId).catch(() => null)
  if (operation?.accountId)
    hub.publish({ live: [groupOperationTopic(plant, groupOperationRecord(plant, operation), operation.accountId)] })
}

/** To whoever started it, as far as they see its lines. */
export const groupOperationTopic = (plant: Plant, operation: GroupOperationRecord, account: string): LiveTopic => ({
  to: { account },
  needs: getRun,
  message: (viewer) => ({ t: 'run', run: groupOperationSeenBy(viewer, plant, operation) }),
})

const headOf = (operation: Omit<GroupOperation, 'lines'>) => ({
  RunID: operation.id,
  Action: operation.action,
  Actor: operation.actor,
  Reason: operation.reason,
  StaggerMs: operation.staggerMs,
  StartedAt: operation.startedAt,
  EndedAt: operation.endedAt,
  StoppedBy: operation.stoppedBy,
})
