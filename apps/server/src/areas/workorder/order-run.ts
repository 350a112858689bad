import type { PhoneAct, WorkOrder } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import type { OrderStep, PersonAct } from '@linewarden/rules/workorder'
import { actRefusal, afterStep, hazardAfter } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { OrderColumns, OrderRow } from '../../store/workorder/order.ts'
import { columnsOf, stateOf } from '../../store/workorder/order.ts'
import type { NamedPerson } from '../../store/workorder/schema.ts'
import type { NewStep } from '../../store/workorder/step.ts'
import { wasMovedSince } from '../../store/workorder/step.ts'
import type { Acted } from '../../store/workorder/write.ts'
import { actOnOrder } from '../../store/workorder/write.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import { duesAfter } from './order-access.ts'
import { refusalOf } from './order-words.ts'
import { phoneColumns } from './phone-times.ts'

export interface Asked {
  readonly OrderID: number
  readonly Version: number
  readonly ActID: string
  /** It waited on a phone. */
  readonly Phone?: PhoneAct
}

/** What an act does beside its transition. */
export interface PersonStep {
  readonly act: PersonAct
  readonly step: OrderStep
  readonly note?: Partial<NewStep>
  readonly named?: readonly NamedPerson[]
  readonly columns?: (row: OrderRow, trx: Kysely<Schema>, now: number) => Promise<OrderColumns> | OrderColumns
  /** Throws what refuses it, once nothing else does. */
  readonly check?: (row: OrderRow, trx: Kysely<Schema>, now: number) => Promise<void> | void
  readonly isVerified?: () => boolean
}

/** Carries out what a person does to an order: once per intent, on the order as they saw it. */
export function createOrderRun({ database, clock }: WorkOrderDeps, access: OrderAccess) {
  return { run, runQuietly }

  async function run(actor: Actor, asked: Asked, given: (row: OrderRow) => PersonStep): Promise<WorkOrder> {
    await runQuietly(actor, asked, given)
    return access.record(actor, asked.OrderID)
  }

  async function runQuietly(
    actor: Actor,
    { OrderID, Version, ActID, Phone }: Asked,
    given: (row: OrderRow) => PersonStep,
  ): Promise<void> {
    const found = await access.seen(actor, OrderID)
    const person = given(found)
    const [time, now] = [await access.time(found.project_id), clock()]
    const act = { id: ActID, actor: actor.accountId, version: Phone ? null : Version, name: person.act }
    const acted = await actOnOrder(database, { orderId: OrderID, act }, async (row, trx) => {
      if (Phone && (await wasMovedSince(trx, { orderId: OrderID, stepId: Phone.SeenStep, actorId: actor.accountId })))
        throw new Refusal('changed meanwhile')
      const before = stateOf(row)
      const refused = actRefusal(before, person.act, actor, now)
      if (refused) throw refusalOf(refused)
      await person.check?.(row, trx, now)
      const after = afterStep(before, person.step, actor.accountId, now)
      const own = { id: actor.accountId, name: access.nameOf(actor) }
      const by = { act: person.act, actor: actor.accountId, now }
      const { overdue_at, due } = duesAfter({ overdue_at: row.overdue_at, state: before }, after, row, time, by)
      return {
        ...{ due, now },
        columns: {
          ...columnsOf(row, after, [...(person.named ?? []), own]),
          ...(await person.columns?.(row, trx, now)),
          overdue_at,
        },
        step: {
          ...{ act_id: ActID, at: new Date(now), act: person.act, from_status: row.status, to_status: after.status },
          ...{ actor_id: actor.accountId, actor: own.name },
          ...person.note,
          ...phoneColumns(Phone, now),
        },
        hazard: hazardAfter(after.status, person.isVerified?.() ?? false),
        audit: {
          ...access.auditOf(actor, `workOrder.${person.act}`, row.project_id),
          ...{ subject: about('workOrder', OrderID), target: row.number },
          before: { status: row.status, person: row.person_name },
          after: { status: after.status, ...auditedNote(person) },
        },
      }
    })
    if (refuseUnlessDone(acted)) access.published(found)
  }
}

const auditedNote = ({ note, named }: PersonStep) => ({
  ...(named?.[0] && { person: named[0].name }),
  ...(note?.reason && { reason: note.reason }),
  ...(note?.why && { why: note.why }),
})

/** False: the same intent was carried out before. */
export function refuseUnlessDone(acted: Acted): boolean {
  if (acted === 'gone') throw new Refusal('work order not exists')
  if (acted === 'used') throw new Refusal('order act used')
  if (acted === 'changed') throw new Refusal('changed meanwhile')
  return acted === 'done'
}
