import type { WorkOrder } from '@linewarden/contract'
import { queryWorkOrders, Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { DuePlan, OrderAct, OrderState, OrderTime } from '@linewarden/rules/workorder'
import { duePlan, lateAt } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { toEquipment } from '../../plant/live-topics.ts'
import type { OrderRow } from '../../store/workorder/order.ts'
import { daysOf, orderById, shownOrders } from '../../store/workorder/order.ts'
import type { NamedPerson } from '../../store/workorder/schema.ts'
import { timeOfProject, timesOfProjects } from '../automation/project-time.ts'
import type { WorkOrderDeps } from './deps.ts'
import { orderRecord } from './order-record.ts'

export type OrderAccess = ReturnType<typeof createOrderAccess>

/** Where an order is: a gateway of a project, or the project as a whole. */
type OrderPlace = Pick<OrderRow, 'project_id' | 'gateway_id'>

type WorkOrderAction =
  `workOrder.${'add' | 'join' | 'edit' | 'comment' | 'photo' | 'photoBack' | 'dispatch' | 'take' | 'decline' | 'pause' | 'resume' | 'process' | 'return' | 'accept' | 'close' | 'reopen' | 'contradict' | 'read'}`

/** Who sees an order, who can be in charge of it, and what everybody is shown of it. */
export function createOrderAccess({ database, plant, hub, clock, actorNow }: WorkOrderDeps) {
  return { seen, sees, records, record, time, canBeInCharge, fitPeople, nameOf, published, auditOf }

  /** As if there were no others than those that somebody sees. Equipment that an account is shared with comes without its people's orders. */
  async function seen(actor: Actor, orderId: number): Promise<OrderRow> {
    const row = await orderById(database.general, orderId)
    if (!row || !sees(actor, row)) throw new Refusal('work order not exists')
    return row
  }

  function sees(actor: Actor, row: OrderPlace): boolean {
    if (actor.shared) return false
    const gateway = row.gateway_id === null ? undefined : plant.gateways.get(row.gateway_id)
    return gateway ? actor.seesGateway(gateway) : actor.sees(row.project_id)
  }

  async function records(actor: Actor, orderIds: readonly number[]): Promise<WorkOrder[]> {
    const rows = await shownOrders(database.general, orderIds)
    const times = await timesOfProjects(database.general, [...new Set(rows.map(({ project_id }) => project_id))])
    const now = clock()
    return rows.flatMap((row) => {
      const time = times.get(row.project_id)
      return time && sees(actor, row) ? [orderRecord(row, actor, plant, time, now)] : []
    })
  }

  async function record(actor: Actor, orderId: number): Promise<WorkOrder> {
    const [found] = await records(actor, [orderId])
    if (!found) throw new Refusal('work order not exists')
    return found
  }

  function time(projectId: number): Promise<OrderTime> {
    return timeOfProject(database.general, { id: projectId })
  }

  /** Whoever is in charge sees the place and may open the page. */
  function canBeInCharge(person: Actor | null, place: OrderPlace): person is Actor {
    return person !== null && permits('hazard.workorder', person) && sees(person, place)
  }

  /** Reads the rights of people once for all orders that they are to get; what is returned refuses whoever cannot have one of a place. */
  async function fitPeople(accountIds: readonly string[]): Promise<(accountId: string, place: OrderPlace) => NamedPerson> {
    const people = new Map<string, Actor | null>()
    for (const id of accountIds) people.set(id, await actorNow(id))
    return (accountId, place) => {
      const person = people.get(accountId)
      if (!person || person.shared || !permits('hazard.workorder', person)) throw new Refusal('order person unfit')
      if (!sees(person, place)) throw new Refusal('order person blind', { name: nameOf(person) })
      return { id: person.accountId, name: nameOf(person) }
    }
  }

  function nameOf({ nickName, userName }: Pick<Actor, 'nickName' | 'userName'>): string {
    return nickName.trim() || userName
  }

  /** Whoever sees it asks for it again. */
  function published(row: Pick<OrderRow, 'order_id' | 'gateway_id' | 'project_id'>): void {
    const gateway = row.gateway_id === null ? undefined : plant.gateways.get(row.gateway_id)
    const message = { t: 'workOrder', OrderID: row.order_id } as const
    hub.publish({ live: [{ to: toEquipment(gateway, row.project_id), needs: queryWorkOrders, message }] })
  }

  function auditOf(actor: Pick<Actor, 'userName' | 'address'>, action: WorkOrderAction, projectId: number) {
    return by(actor, clock(), action, plant.projects.get(projectId)?.ownerId ?? null)
  }
}

/** What an act makes due of an order, and the column by which lists know when it will be late. */
export function duesAfter(
  before: Pick<OrderRow, 'overdue_at'> & { readonly state: OrderState },
  after: OrderState,
  row: Parameters<typeof daysOf>[0],
  time: OrderTime,
  by: { readonly act: OrderAct | null; readonly actor: string | null; readonly now: number },
): { readonly overdue_at: Date | null; readonly due: DuePlan } {
  const days = daysOf(row)
  const late = lateAt(after, days, time, by.now)
  const lateBefore = before.overdue_at?.getTime() ?? null
  return {
    overdue_at: late === null ? null : new Date(late),
    due: duePlan({ before: before.state, lateBefore, after }, days, time, by),
  }
}
