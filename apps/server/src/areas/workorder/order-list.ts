import type { getWorkOrder, List, OrderTaker, queryWorkOrders, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { orderStatuses } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { eventsById } from '../../store/alarm/change.ts'
import { eventRecord } from '../../store/alarm/event-record.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { countOrders, listOrders } from '../../store/workorder/list.ts'
import { takersOf } from '../../store/workorder/people.ts'
import { stepsOf } from '../../store/workorder/step.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import { orderFilterOf } from './order-filter.ts'
import { photoRecord, photosOwner } from './order-photos.ts'
import { stepRecord } from './order-record.ts'

/** Lists of orders, one of them, and who can be in charge. */
export function createOrderList(deps: WorkOrderDeps, access: OrderAccess) {
  const { database, plant, clock, actorNow, photos } = deps
  return {
    async query(
      actor: Actor,
      project: PlantProject | null,
      body: Request<typeof queryWorkOrders>['body'],
    ): Promise<Reply<typeof queryWorkOrders>> {
      const { Page = 1, Size = 10, Sort, Board = false } = body
      const filter = orderFilterOf(deps, actor, project, body)
      const asked = { sort: Sort, page: Board ? 1 : Page, size: Size }
      const { ids, counts } = await withRowSecurity(database, actor.scope, async (db) => {
        const ids: number[] = []
        const lists = Board
          ? orderStatuses.flatMap((status) => ((filter.status ?? status) === status ? { ...filter, status } : []))
          : [filter]
        for (const each of lists) ids.push(...(await listOrders(db, each, asked)))
        return { ids, counts: await countOrders(db, filter) }
      })
      const items = await access.records(actor, ids)
      return { items, total: counts.total, about: { Statuses: counts.statuses, Views: counts.views, Columns: counts.columns } }
    },

    async get(actor: Actor, orderId: number): Promise<Reply<typeof getWorkOrder>> {
      const order = await access.seen(actor, orderId)
      const Order = await access.record(actor, orderId)
      const [events, steps, shown] = await Promise.all([
        eventsById(database, Order.EventIDs),
        stepsOf(database.general, orderId),
        photos.listOf(photosOwner(orderId)),
      ])
      return {
        Order,
        Events: events.map((row) => eventRecord(row, plant)),
        Steps: steps.map(stepRecord),
        Photos: shown.map((row) => photoRecord(actor, order, steps, row)),
      }
    },

    async people(actor: Actor, project: PlantProject, gatewayId: number | null): Promise<List<OrderTaker>> {
      if (actor.shared) throw new Refusal('access denied')
      const gateway = gatewayId === null ? null : plant.gateways.get(gatewayId)
      if (gateway === undefined || (gateway && (gateway.project !== project || !actor.seesGateway(gateway))))
        throw new Refusal('device not exists')
      const takers = await takersOf(database.general, project.ownerId, clock())
      const people = await Promise.all(takers.map(async (taker) => ({ taker, person: await actorNow(taker.accountId) })))
      const place = { project_id: project.id, gateway_id: gatewayId }
      const fit = people.filter(({ person }) => access.canBeInCharge(person, place))
      const items = fit.map(({ taker }) => ({
        ...{ AccountID: taker.accountId, Name: taker.name, JobName: taker.jobName },
        ...{ Open: taker.open, Overdue: taker.overdue },
      }))
      return { items, total: items.length }
    },
  }
}
