import type { LinkageEvidence, LinkageLogEntry, linkageLog, Reply, Request } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { ExecutionLine } from '../../store/automation/execution-list.ts'
import { linesOfExecutions } from '../../store/automation/execution-list.ts'
import type { LinkageLogRow } from '../../store/automation/linkage-log.ts'
import { linkageLogCounts, linkageLogPage, namedRuns } from '../../store/automation/linkage-log.ts'
import type { OrderOfRun } from '../../store/automation/linkage-order.ts'
import { ordersOfRuns } from '../../store/automation/linkage-order.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { commandRecord } from '../control/records.ts'
import type { AutomationDeps } from './deps.ts'
import { visibleLine } from './linkage-lines.ts'
import { placeOf, wireTruth } from './linkage-named.ts'
import type { LinkageTrace } from './linkage-trace.ts'
import { placeFilter } from './place-filter.ts'

/** What linkages did, newest first, and where it is asked for what they nearly did; of each as much as the reader sees. */
export function createLinkageLog({ database, plant }: Pick<AutomationDeps, 'database' | 'plant'>) {
  return async (
    actor: Actor,
    project: PlantProject | null,
    body: Request<typeof linkageLog>['body'],
  ): Promise<Reply<typeof linkageLog>> => {
    const stretch = {
      ...placeFilter(actor, plant, project, body),
      ...{ linkageId: body.LinkageID, name: body.Name?.trim() || undefined, from: body.From, to: body.To },
    }
    const filter = {
      ...{ ...stretch, executionId: body.RunID, states: body.States, shadow: body.Shadow, why: body.Why || undefined },
      ...{ ran: body.Ran ?? true, near: body.Near ?? false },
    }
    const { rows, total, counts, named } = await withRowSecurity(database, actor.scope, async ({ general }) => {
      const page = await linkageLogPage(general, filter, { page: body.Page ?? 1, size: body.Size ?? 10 })
      const before = page.rows.flatMap(({ cause, parentId }) => [...cause, ...(parentId === null ? [] : [parentId])])
      return { ...page, counts: await linkageLogCounts(general, stretch), named: await namedRuns(general, before) }
    })
    const lines = await linesOfExecutions(
      database.general,
      rows.flatMap(({ executionId }) => executionId ?? []),
    )
    const orders = Map.groupBy(
      await ordersOfRuns(
        database.general,
        rows.flatMap(({ executionId }) => executionId ?? []),
      ),
      ({ run_id }) => run_id,
    )
    const byRun = Map.groupBy(lines, ({ executionId }) => executionId)
    const items = rows.map((row) =>
      entryOf(actor, row, byRun.get(row.executionId ?? '') ?? [], orders.get(row.executionId ?? '') ?? [], named),
    )
    return { items, total, about: aboutOf(counts) }
  }

  function entryOf(
    actor: Actor,
    row: LinkageLogRow,
    lines: readonly ExecutionLine[],
    orders: readonly OrderOfRun[],
    named: Awaited<ReturnType<typeof namedRuns>>,
  ): LinkageLogEntry {
    const trace = row.trace as Partial<LinkageTrace>
    const conditions = trace.conditions ?? []
    const wouldHave = trace.wouldHave ?? []
    const seenConditions = conditions.flatMap((each) => {
      const line = visibleLine(plant, actor, each.lineId)
      return line ? [{ ...each, line }] : []
    })
    const seenActions = wouldHave.filter(({ lineId }) => lineId === null || visibleLine(plant, actor, lineId) !== null)
    const seenLines = lines.flatMap((each) => {
      const line = visibleLine(plant, actor, each.lineId)
      return line ? [{ ...each, line }] : []
    })
    return {
      ...{ RunID: row.executionId, LinkageID: row.linkageId, HouseID: row.projectId, Name: row.name },
      ...{ At: trace.at ?? row.at, EndedAt: row.endedAt, State: row.state, Why: row.why, Mode: trace.mode ?? 'live' },
      ...{ Actor: actor.shared ? null : row.actor, Cause: [...row.cause], ParentRunID: row.parentId },
      Chain: [...new Set([...row.cause, ...(row.parentId === null ? [] : [row.parentId])])].flatMap((executionId) => {
        const run = named.get(executionId)
        return run ? [{ RunID: executionId, Name: run.name, At: run.at }] : []
      }),
      Conditions: seenConditions.map(
        (each): LinkageEvidence => ({
          ...{ Kind: each.kind, ...placeOf(each.line), Key: each.key, Op: each.op, Limit: each.limit },
          Family: each.line.device.family.key,
          ...{ Value: each.value, AgeMs: each.ageMs, State: wireTruth(each.truth), Since: each.since },
        }),
      ),
      Whole: ![...conditions, ...wouldHave, ...lines, ...orders.map(({ line_id }) => ({ lineId: line_id }))].some(({ lineId }) =>
        isHidden(actor, lineId),
      ),
      WouldHave: seenActions.map(({ kind, lineId, sceneId }) => ({
        ...{ Kind: kind, ...placeOf(lineId === null ? null : visibleLine(plant, actor, lineId)), SceneID: sceneId },
      })),
      Lines: seenLines.map(({ action, lineId, line, state, refusal, command }) => ({
        ...{
          Action: action === 'trip' ? action : 'close',
          LineID: lineId,
          ControllerID: line.device.controllerId,
          LineNo: line.lineNo,
          LineName: line.name,
        },
        ...{ State: state, Refusal: refusal && { Key: refusal.key, Text: { ...refusal.text } } },
        Command: command && commandRecord(command, line),
      })),
      Orders: orders.flatMap((each) => orderRecord(plant, actor, each)),
    }
  }

  /** What was removed is hidden from nobody: it is there no more. */
  function isHidden(actor: Actor, lineId: number | null): boolean {
    const line = plant.lines.get(lineId ?? 0)
    return line !== undefined && !actor.seesGateway(line.device.gateway)
  }
}

function orderRecord(
  plant: Plant,
  actor: Actor,
  { line_id, outcome, why, order_id, number }: OrderOfRun,
): LinkageLogEntry['Orders'] {
  const line = visibleLine(plant, actor, line_id)
  if (!line) return []
  const isShown = order_id !== null && number !== null && !actor.shared && permits('hazard.workorder', actor)
  const Order = isShown ? { OrderID: order_id, Number: number } : null
  return [{ ...placeOf(line), Outcome: outcome ?? 'waiting', Why: why, Order }]
}

const aboutOf = ({ states, near }: Awaited<ReturnType<typeof linkageLogCounts>>): Reply<typeof linkageLog>['about'] => ({
  States: states.flatMap(({ state, shadow, count }) => (shadow ? [] : [{ State: state, Count: count }])),
  Shadow: states.reduce((sum, { shadow, count }) => sum + (shadow ? count : 0), 0),
  Near: near.map(({ why, count }) => ({ Why: why, Count: count })),
})
