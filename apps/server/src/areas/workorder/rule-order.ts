import { aboutNothing } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { OrderState, OrderTime } from '@linewarden/rules/workorder'
import { afterStep, emptyClock } from '@linewarden/rules/workorder'
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
import { duesAfter } from './order-access.ts'
import { hazardOfAlarm } from './order-target.ts'

const system = { userName: 'system', address: '' }
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
  const days = { valid_days: rule.valid_days, reminder_days: rule.reminder_days, working_days_only: rule.working_days_only }
  const before = firstState(rule, event, now)
  const step = { at: new Date(now), actor: null, reason: `规则「${rule.name}」` }
  const line = event.line_id === null ? undefined : plant.lines.get(event.line_id)
  return (person) => {
    const state = person ? afterStep(before, { act: 'dispatch', to: person.id }, null, now) : before
    const by = { act: person ? ('dispatch' as const) : null, actor: null, now }
    const { overdue_at, due } = duesAfter({ overdue_at: null, state: before }, state, days, time, by)
    const audit = (action: 'workOrder.add' | 'workOrder.join') => ({
      ...access.auditOf(system, action, rule.project_id),
      ...{ subject: aboutNothing, target: event.label_zh, after: { rule: rule.name, person: person?.name ?? '' } },
    })
    return {
      ...{ due, now, eventId: event.event_id, hazard: hazardOfAlarm(event) },
      row: {
        ...{ project_id: rule.project_id, gateway_id: event.gateway_id, device_id: line?.device.id ?? event.device_id },
        ...{ line_id: event.line_id, type: rule.type, status: state.status, title: '' },
        ...{ description: `自动派单规则「${rule.name}」：${event.label_zh}`, priority: before.priority },
        ...{ founder_id: rule.owner_id, founder_name: rule.owner_name, person_id: person?.id ?? null },
        ...{ person_name: person?.name ?? '', helpers: '[]', alarm_at: event.raised_at, created_at: new Date(now) },
        ...{ ...days, clock: JSON.stringify(state.clock), overdue_at },
      },
      number: {
        owner: plant.projects.get(rule.project_id)?.ownerId ?? null,
        month: dateText(civilZone(time.timeZone).dayAt(now)).slice(0, 7).replace('-', ''),
      },
      steps: [
        { ...step, act: 'insert', to_status: 'undispatched' },
        ...(person
          ? [{ ...step, act: 'dispatch', from_status: 'undispatched', to_status: 'dispatched', person: person.name } as const]
          : []),
      ],
      joins: { ...step, act: 'join', to_status: 'undispatched' },
      audit: { add: audit('workOrder.add'), join: audit('workOrder.join') },
    }
  }
}

function firstState(rule: OrderRuleRow, event: EventRow, at: number): OrderState {
  const priority = rule.priority ?? event.priority
  return {
    ...{ status: 'undispatched', priority, founder: rule.owner_id, personInCharge: null, helpers: [], processor: null },
    ...{ closer: null, closedFrom: null, closedAt: null, acceptedAt: null, clock: emptyClock(priority, at) },
    ...{ returns: 0, reopened: 0 },
  }
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
