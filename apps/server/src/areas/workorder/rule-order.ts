import type { OrderTime } from '@linewarden/rules/workorder'
import type { Plant } from '../../plant/plant.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { linkEvent } from '../../store/workorder/hazard-order.ts'
import { raiseOrderFlood } from '../../store/workorder/order-flood.ts'
import type { OrderRuleRow, RuleWork } from '../../store/workorder/order-rule.ts'
import type { NamedPerson } from '../../store/workorder/schema.ts'
import { insertStep } from '../../store/workorder/step.ts'
import type { NewOrder } from '../../store/workorder/write.ts'
import { insertOrJoin } from '../../store/workorder/write.ts'
import type { OrderAccess } from './order-access.ts'
import { hazardOfAlarm } from './order-target.ts'
import { orderBySystem } from './system-order.ts'

const summaryTitle = '自动派单超限：一小时内报警过多'
const summaryText = '一小时内按规则应派的工单超过 20 张，其余报警并入本单。请先查明共同原因，再逐条处理。'

interface Given {
  readonly rule: OrderRuleRow
  readonly event: EventRow
  readonly time: OrderTime
  readonly now: number
}

/** The order that a rule makes of an alarm, for whoever gets it; null: nobody yet. */
export function orderByRule(
  { plant, access }: { readonly plant: Plant; readonly access: OrderAccess },
  { rule, event, time, now }: Given,
): (person: NamedPerson | null) => NewOrder {
  const line = event.line_id === null ? undefined : plant.lines.get(event.line_id)
  return orderBySystem(
    { plant, access },
    {
      place: {
        ...{ project_id: rule.project_id, gateway_id: event.gateway_id, device_id: line?.device.id ?? event.device_id },
        line_id: event.line_id,
      },
      ...{ type: rule.type, priority: rule.priority ?? event.priority, title: '' },
      description: `自动派单规则「${rule.name}」：${event.label_zh}`,
      days: { valid_days: rule.valid_days, reminder_days: rule.reminder_days, working_days_only: rule.working_days_only },
      owner: { id: rule.owner_id, name: rule.owner_name },
      ...{ alarmAt: event.raised_at, reason: `规则「${rule.name}」`, target: event.label_zh, audited: { rule: rule.name } },
      ...{ hazard: hazardOfAlarm(event), eventId: event.event_id, time, now },
    },
  )
}

/** One order for what comes beyond the limit, with the fault that says so. Answers it, and the fault where it is raised by this. */
export async function summarised(
  { trx, summaryId, finish }: RuleWork,
  order: NewOrder,
): Promise<{ readonly orderId: number; readonly fault: EventRow | null } | null> {
  if (summaryId !== null && order.eventId !== null) {
    await linkEvent(trx, summaryId, order.eventId)
    await finish('summary', summaryId)
    return { orderId: summaryId, fault: null }
  }
  const row = { ...order.row, title: summaryTitle, description: summaryText, priority: 'high' as const }
  const inserted = await insertOrJoin(trx, { ...order, hazard: null, row })
  if (!inserted) return null
  await insertStep(trx, inserted.orderId, {
    ...{ at: new Date(order.now), act: 'comment', to_status: 'undispatched', reason: summaryText },
  })
  await finish('summary', inserted.orderId)
  return { orderId: inserted.orderId, fault: await raiseOrderFlood(trx, row.project_id, order.now) }
}
