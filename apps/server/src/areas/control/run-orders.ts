import type { Request, startRun } from '@linewarden/contract'
import { aboutRun } from '@linewarden/contract'
import type { RunAction } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { NewRun, StoredRun } from '../../store/control/run.ts'
import type { Order } from './gate.ts'
import { targetOf } from './gate.ts'
import { minStaggerMs } from './stagger.ts'

/** What somebody says of the group that they order. */
export type RunBody = Pick<Request<typeof startRun>['body'], 'RunID' | 'Reason' | 'Grant' | 'Confirmed' | 'StaggerMs'>

/** A group as it is stored before its first turn. */
export const newRun = (actor: Actor, action: RunAction, orders: readonly Order[], body: RunBody, now: number): NewRun => ({
  id: body.RunID,
  action,
  accountId: actor.accountId,
  sessionId: actor.sessionId,
  actor: actor.userName,
  reason: body.Reason,
  staggerMs: Math.max(body.StaggerMs ?? minStaggerMs, minStaggerMs),
  startedAt: now,
  lines: orders.map(({ line, commandId }) => ({ lineId: line.id, commandId, state: 'waiting', refusal: null, command: null })),
})

/** Each owner reads of their own lines. */
export const startAudits = (
  actor: Actor,
  action: RunAction,
  lines: readonly PlantLine[],
  body: RunBody,
  now: number,
): readonly AuditEntry[] =>
  [...Map.groupBy(lines, tenantOfLine)].map(([tenant, own]) => ({
    ...by(actor, now, `run.${action}`, tenant),
    subject: aboutRun(body.RunID),
    after: { lines: own.map(targetOf), reason: body.Reason, ...(body.Confirmed && { confirmed: body.Confirmed }) },
  }))

export const newOrders = (actor: Actor, action: RunAction, lines: readonly PlantLine[], { RunID, Reason }: RunBody) =>
  lines.map((line) => orderOf(actor, { id: RunID, action, reason: Reason }, line, crypto.randomUUID()))

/** Of the lines that had no turn, under the ids that were stored: no line has two commands of one group. */
export const ordersOf = (plant: Plant, actor: Actor, run: StoredRun): readonly Order[] =>
  run.lines.flatMap(({ lineId, commandId, state, command }) => {
    const line = plant.lines.get(lineId)
    return line && state === 'waiting' && !command ? [orderOf(actor, run, line, commandId)] : []
  })

const orderOf = (
  actor: Actor,
  { id, action, reason }: Pick<StoredRun, 'id' | 'action' | 'reason'>,
  line: PlantLine,
  commandId: string,
): Order => ({
  line,
  action,
  actor,
  source: 'group',
  reason,
  commandId,
  grant: null,
  grantRedeemed: true,
  deadlineMs: null,
  runId: id,
})
