import type { SubjectSource } from '../../audit/names.ts'
import { sameText } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { orderNames } from '../../store/workorder/order.ts'

/** Work orders in the audit log: by their numbers, as far as somebody sees them. */
export function workOrderSubjects({ database, plant }: { database: Database; plant: Plant }) {
  return {
    workOrder: {
      named: async (actor, ids) => {
        const orders = await withRowSecurity(database, actor.scope, ({ general }) => orderNames(general, ids.map(Number)))
        return new Map(orders.map(({ orderId, number }) => [String(orderId), sameText(number)]))
      },
      ownerOf: async (id) => {
        const [order] = await orderNames(database.general, [Number(id)])
        return order ? plant.projects.get(order.projectId)?.ownerId : undefined
      },
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
