import type { WorkOrder } from '@linewarden/contract'
import { queryWorkOrders, Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { OrderState, OrderTime } from '@linewarden/rules/workorder'
import { dueDayOver, overdueAt } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { toEquipment } from '../../plant/live-topics.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import type { OrderRow } from '../../store/workorder/order.ts'
import { orderById, shownOrders } from '../../store/workorder/order.ts'
import type { NamedPerson } from '../../store/workorder/schema.ts'
import { timeOfProject, timesOfProjects } from '../automation/project-time.ts'
import type { WorkOrderDeps } from './deps.ts'
import { orderRecord } from './order-record.ts'

export type OrderAccess = ReturnType<typeof createOrderAccess>

/** Where an order is: a gateway of a project, or the project as a whole. */
export interface OrderPlace {
  readonly projectId: number
  readonly gateway: PlantGateway | null
}

type WorkOrderAction =
  `workOrder.${'add' | 'join' | 'edit' | 'comment' | 'dispatch' | 'take' | 'decline' | 'pause' | 'resume' | 'process' | 'return' | 'accept' | 'close' | 'reopen' | 'contradict'}`

/** Who sees an order, who can be in charge of it, and what everybody is shown of it. */
export function createOrderAccess({ database, plant, hub, clock, actorNow }: WorkOrderDeps) {
  return { seen, sees, records, record, time, fitPerson, nameOf, published, auditOf, dueColumn }

  /** As if there were no others than those that somebody sees. Equipment that an account is shared with comes without its people's orders. */
  async function seen(actor: Actor, orderId: number): Promise<OrderRow> {
    const row = await orderById(database.general, orderId)
    if (!row || !sees(actor, row)) throw new Refusal('work order not exists')
    return row
  }

  function sees(actor: Actor, row: Pick<OrderRow, 'project_id' | 'gateway_id'>): boolean {
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

  /** Whoever is to be in charge sees the place and may open the page. */
  async function fitPerson(accountId: string, place: OrderPlace): Promise<NamedPerson> {
    const person = await actorNow(accountId)
    if (!person || person.shared || !permits('hazard.workorder', person)) throw new Refusal('order person unfit')
    const isSeen = place.gateway ? person.seesGateway(place.gateway) : person.sees(place.projectId)
    if (!isSeen) throw new Refusal('order person blind', { name: nameOf(person) })
    return { id: person.accountId, name: nameOf(person) }
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

  /** When it will have taken too long, by its clock or its due day. */
  function dueColumn(
    after: OrderState,
    row: Pick<OrderRow, 'valid_days' | 'reminder_days' | 'working_days_only'>,
    time: OrderTime,
    now: number,
  ): Date | null {
    if (after.status !== 'dispatched') return null
    const days = { validDays: row.valid_days, reminderDays: row.reminder_days, workingDaysOnly: row.working_days_only }
    const instants = [overdueAt(after.clock, time, now), dueDayOver(after, days, time)].filter((at) => at !== null)
    return instants.length === 0 ? null : new Date(Math.min(...instants))
  }
}
