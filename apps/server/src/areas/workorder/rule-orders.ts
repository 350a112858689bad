import { civilZone } from '@linewarden/rules/automation'
import type { OrderTime, RuledAlarm } from '@linewarden/rules/workorder'
import { onDuty, ruleDueAt, ruleOrdersPerHour } from '@linewarden/rules/workorder'
import { Loop } from '../../lib/every.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { eventById } from '../../store/alarm/event.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import { orderById } from '../../store/workorder/order.ts'
import { endOrderFloods } from '../../store/workorder/order-flood.ts'
import type { OrderRuleRow, RuleCandidate } from '../../store/workorder/order-rule.ts'
import { enabledRules, ruleCandidates, underRule } from '../../store/workorder/order-rule.ts'
import type { NamedPerson } from '../../store/workorder/schema.ts'
import { insertOrJoin } from '../../store/workorder/write.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import { orderByRule, summarised } from './rule-order.ts'

const everyMs = 5_000
const atOnce = 50

/** Rules make orders of alarms: each alarm once, whichever rule and whichever server comes first; docs/adr/0144. */
export function createRuleOrders(deps: WorkOrderDeps, access: OrderAccess) {
  const { database, plant, hub, clock, log, actorNow } = deps
  const loop = new Loop(everyMs, evaluate, {
    ...{ log, failed: 'rules that make work orders could not be evaluated; it is tried again', spaced: true, unref: true },
  })
  return {
    start: () => void loop.start(),
    close: () => loop.close(),
    look: loop.tickAnew,
  }

  async function evaluate(): Promise<void> {
    for (const rule of await enabledRules(database.general)) {
      const found = await ruleCandidates(database.general, rule, { now: clock(), limit: atOnce })
      for (const alarm of found) await tried(rule, alarm)
    }
    for (const row of await endOrderFloods(database, clock())) hub.publish({ live: [eventTopic(plant, row, false)] })
  }

  /** What is wrong with one alarm keeps none of the others from its turn. */
  async function tried(rule: OrderRuleRow, alarm: RuleCandidate): Promise<void> {
    try {
      await send(rule, alarm)
    } catch (error) {
      log.error(
        { err: error, rule: rule.rule_id, event: alarm.eventId },
        'a rule could not make its work order; it is tried again',
      )
    }
  }

  async function send(rule: OrderRuleRow, { eventId, ...alarm }: RuleCandidate): Promise<void> {
    const now = clock()
    if (!isDue(rule, alarm, now)) return
    const event = await eventById(database, eventId)
    if (!event) return
    const time = await access.time(rule.project_id)
    const person = await personOf(rule, event, time, now)
    const orders = orderByRule({ plant, access }, { rule, event, time, now })
    const sent = await underRule(database, { rule, eventId, now }, async (work) => {
      if (!isDue(rule, work.alarm, now)) return null
      if (work.madeInHour >= ruleOrdersPerHour) return summarised(work, orders(null))
      const inserted = await insertOrJoin(work.trx, orders(person))
      if (!inserted) return null
      await work.finish(inserted.joined ? 'joined' : 'made', inserted.orderId)
      return { orderId: inserted.orderId, fault: null }
    })
    if (sent === null) return
    const stored = await orderById(database.general, sent.orderId)
    if (stored) access.published(stored)
    if (sent.fault) hub.publish({ live: [eventTopic(plant, sent.fault, true)] })
  }

  function isDue(rule: OrderRuleRow, alarm: RuledAlarm, now: number): boolean {
    const at = ruleDueAt({ keys: rule.keys, priorities: rule.priorities, afterMin: rule.after_min }, alarm)
    return at !== null && at <= now
  }

  /** Whoever gets it, if they see the place and may open the page by now; null: nobody yet. */
  async function personOf(rule: OrderRuleRow, event: EventRow, time: OrderTime, now: number): Promise<NamedPerson | null> {
    const id = rule.rota ? onDuty(rule.rota, civilZone(time.timeZone).dayAt(now)) : rule.person_id
    const person = id === null ? null : await actorNow(id)
    return access.canBeInCharge(person, event) ? { id: person.accountId, name: access.nameOf(person) } : null
  }
}
