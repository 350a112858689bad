import type { PhoneAct, WorkOrder } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import type { OrderStep, OrderTime, PersonAct } from '@linewarden/rules/workorder'
import { actRefusal, afterStep, hazardAfter } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { Acted, OrderAsked } from '../../store/workorder/act.ts'
import { actOnOrders } from '../../store/workorder/act.ts'
import type { OrderColumns, OrderRow } from '../../store/workorder/order.ts'
import { columnsOf, ordersById, stateOf } from '../../store/workorder/order.ts'
import type { NamedPerson } from '../../store/workorder/schema.ts'
import type { NewStep } from '../../store/workorder/step.ts'
import { wasMovedSince } from '../../store/workorder/step.ts'
import { timesOfProjects } from '../automation/project-time.ts'
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

/** What a person asks of an order, and what they do to it as it was found; that throws what refuses it before anything else does. */
interface Intended {
  readonly asked: Asked
  readonly given: (row: OrderRow) => PersonStep
}

/** Carries out what a person does to orders: once per intent, on each as they saw it. */
export function createOrderRun({ database, clock }: WorkOrderDeps, access: OrderAccess) {
  return { run, runSeveral }

  async function run(actor: Actor, asked: Asked, given: (row: OrderRow) => PersonStep): Promise<WorkOrder> {
    const [refused] = await runSeveral(actor, [{ asked, given }])
    if (refused) throw refused
    return access.record(actor, asked.OrderID)
  }

  /** Of each order once, all in one transaction; answers what refuses each. Null: it is done, or was before. */
  async function runSeveral(actor: Actor, intended: readonly Intended[]): Promise<readonly (Refusal | null)[]> {
    const rows = await ordersById(
      database.general,
      intended.map(({ asked }) => asked.OrderID),
    )
    const projects = [...new Set([...rows.values()].map(({ project_id }) => project_id))]
    const times = await timesOfProjects(database.general, projects)
    const begun = intended.map(({ asked, given }) =>
      refusedOr(() => {
        const found = rows.get(asked.OrderID)
        const time = found && times.get(found.project_id)
        if (!time || !access.sees(actor, found)) throw new Refusal('work order not exists')
        return { found, act: actOf(actor, asked, given(found), time) }
      }),
    )
    const acts = begun.flatMap((each) => (each instanceof Refusal ? [] : each.act))
    const acted = (acts.length === 0 ? [] : await actOnOrders(database, acts)).values()
    return begun.map((each) => {
      if (each instanceof Refusal) return each
      const isDone = refusedOr(() => refuseUnlessDone(acted.next().value ?? 'gone'))
      if (isDone === true) access.published(each.found)
      return isDone instanceof Refusal ? isDone : null
    })
  }

  function actOf(actor: Actor, { OrderID, Version, ActID, Phone }: Asked, person: PersonStep, time: OrderTime): OrderAsked {
    const now = clock()
    return {
      orderId: OrderID,
      act: { id: ActID, actor: actor.accountId, version: Phone ? null : Version, name: person.act },
      async decide(row, trx) {
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
      },
    }
  }
}

function refusedOr<T>(work: () => T): T | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const auditedNote = ({ note, named }: PersonStep) => ({
  ...(named?.[0] && { person: named[0].name }),
  ...(note?.reason && { reason: note.reason }),
  ...(note?.why && { why: note.why }),
})

/** False: the same intent was carried out before. */
export function refuseUnlessDone(acted: Acted | Refusal): boolean {
  if (acted instanceof Refusal) throw acted
  if (acted === 'gone') throw new Refusal('work order not exists')
  if (acted === 'used') throw new Refusal('order act used')
  if (acted === 'changed') throw new Refusal('changed meanwhile')
  return acted === 'done'
}
