import type { Request, startRun } from '@linewarden/contract'
import { aboutGroupOperation } from '@linewarden/contract'
import type { GroupAction } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { GroupOperation, NewGroupOperation } from '../../store/control/group-operation.ts'
import type { Order } from './gate.ts'
import { targetOf } from './gate.ts'
import { minStaggerMs } from './stagger.ts'

type Override = Exclude<Order['override'], undefined>

/** What somebody says of the group that they order. */
export type GroupOperationBody = Pick<
  Request<typeof startRun>['body'],
  'RunID' | 'Reason' | 'Grant' | 'Confirmed' | 'StaggerMs' | 'Override'
>

/** A group as it is stored before its first turn. */
export const newGroupOperation = (
  actor: Actor,
  action: GroupAction,
  orders: readonly Order[],
  body: GroupOperationBody,
  now: number,
): NewGroupOperation => ({
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
  action: GroupAction,
  lines: readonly PlantLine[],
  body: GroupOperationBody,
  now: number,
): readonly AuditEntry[] =>
  [...Map.groupBy(lines, tenantOfLine)].map(([tenant, own]) => ({
    ...by(actor, now, `run.${action}`, tenant),
    subject: aboutGroupOperation(body.RunID),
    after: {
      lines: own.map(targetOf),
      reason: body.Reason,
      ...(body.Confirmed && { confirmed: body.Confirmed }),
      ...(body.Override && { override: body.Override }),
    },
  }))

export const newOrders = (
  actor: Actor,
  action: GroupAction,
  lines: readonly PlantLine[],
  { RunID, Reason, Override }: GroupOperationBody,
) => lines.map((line) => orderOf(actor, { id: RunID, action, reason: Reason }, line, crypto.randomUUID(), Override ?? null))

/** Of the lines that had no turn, under the ids that were stored: no line has two commands of one group. */
export const ordersOf = (plant: Plant, actor: Actor, operation: GroupOperation, override: Override = null): readonly Order[] =>
  operation.lines.flatMap(({ lineId, commandId, state, command }) => {
    const line = plant.lines.get(lineId)
    return line && state === 'waiting' && !command ? [orderOf(actor, operation, line, commandId, override)] : []
  })

const orderOf = (
  actor: Actor,
  { id, action, reason }: Pick<GroupOperation, 'id' | 'action' | 'reason'>,
  line: PlantLine,
  commandId: string,
  override: Override,
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
  operationId: id,
  override,
})
