import { Loop } from '../../lib/every.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { LinkageOrdered, LinkageOrderRow } from '../../store/automation/linkage-order.ts'
import { decideOrder, orderFailed, waitingOrders } from '../../store/automation/linkage-order.ts'
import { orderById } from '../../store/workorder/order.ts'
import type { NewOrder } from '../../store/workorder/write.ts'
import { insertOrJoin, joinOrder } from '../../store/workorder/write.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import { orderBySystem } from './system-order.ts'

const everyMs = 2_000
const atOnce = 50

/** Makes the orders that firings of linkages asked for, once what they trip is under way: each once, whichever server comes first; docs/adr/0150. */
export function createLinkageOrders(deps: WorkOrderDeps, access: OrderAccess) {
  const { database, plant, clock, log, actorNow } = deps
  const loop = new Loop(everyMs, make, {
    ...{ log, failed: 'orders of linkages could not be made; it is tried again', spaced: true, unref: true },
  })
  return {
    start: () => void loop.start(),
    close: () => loop.close(),
    look: loop.tickAnew,
  }

  async function make(): Promise<void> {
    for (const row of await waitingOrders(database.general, { now: clock(), limit: atOnce }))
      try {
        await ordered(row)
      } catch (error) {
        // What is wrong with one keeps none of the others from its turn, and is told when it is news.
        if (await orderFailed(database.general, row, { error, now: clock() }))
          log.error({ err: error, linkage: row.linkage_id }, 'a linkage could not have its work order made; it is tried again')
      }
  }

  async function ordered(row: LinkageOrderRow): Promise<void> {
    const order = await orderOf(row)
    const done = await decideOrder(database, row, async (trx, open): Promise<LinkageOrdered> => {
      if (typeof order === 'string') return { outcome: 'refused', why: order }
      const inserted = open === null ? await insertOrJoin(trx, order) : await joinOrder(trx, open, null, order)
      if (!inserted) return { outcome: 'refused', why: 'gone' }
      return { outcome: inserted.joined ? 'joined' : 'made', orderId: inserted.orderId }
    })
    if (!done || done.outcome === 'refused') return
    const stored = await orderById(database.general, done.orderId)
    if (stored) access.published(stored)
  }

  /** By whoever answers for the linkage, with the rights of now; or why there is none. */
  async function orderOf(row: LinkageOrderRow): Promise<NewOrder | 'owner' | 'gone'> {
    const line = plant.lines.get(row.line_id)
    if (line?.device.gateway.project.id !== row.project_id) return 'gone'
    const place = { project_id: row.project_id, gateway_id: line.device.gateway.id }
    const owner = row.owner_id === null ? null : await actorNow(row.owner_id)
    if (!access.canBeInCharge(owner, place)) return 'owner'
    const { title, priority, personId } = row.wanted
    const person = personId === null ? null : await actorNow(personId)
    const orders = orderBySystem(
      { plant, access },
      {
        ...{ place: placeOf(line), type: 'repair', priority, title: title || row.name, alarmAt: row.at },
        description: `联动「${row.name}」触发：${line.name}`,
        days: { valid_days: 7, reminder_days: 1, working_days_only: false },
        owner: { id: owner.accountId, name: access.nameOf(owner) },
        ...{ reason: `联动「${row.name}」`, target: title || row.name, audited: { linkage: row.linkage_id } },
        ...{ hazard: null, eventId: null, time: await access.time(row.project_id), now: clock() },
      },
    )
    return orders(access.canBeInCharge(person, place) ? { id: person.accountId, name: access.nameOf(person) } : null)
  }
}

const placeOf = ({ id, device }: PlantLine) => ({
  ...{ project_id: device.gateway.project.id, gateway_id: device.gateway.id, device_id: device.id, line_id: id },
})
