import type { OrderActChoice, OrderReading, OrderStep, OrderVerification, WorkOrder } from '@linewarden/contract'
import { textOf } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import type { OrderTime, SlaReading, Verification } from '@linewarden/rules/workorder'
import {
  actRefusal,
  dueDay,
  isActOf,
  isProved,
  openOrderStatuses,
  pauseAt,
  personActs,
  slaClock,
  transitions,
} from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { OrderRow, ShownOrder } from '../../store/workorder/order.ts'
import { daysOf, stateOf } from '../../store/workorder/order.ts'
import type { StepRow } from '../../store/workorder/step.ts'
import { refusalOf, unproved } from './order-words.ts'

/** An order as somebody is shown it. */
export function orderRecord(row: ShownOrder, actor: Actor, plant: Plant, time: OrderTime, now: number): WorkOrder {
  const state = stateOf(row)
  const due = dueDay(state, daysOf(row), time)
  const clock = row.status === 'undispatched' || row.status === 'closed' ? null : slaClock(row.clock, time, now)
  const pause = pauseAt(row.clock, now)
  return {
    ...{ OrderID: row.order_id, Number: row.number, Type: row.type, Status: row.status, Title: row.title },
    ...{ Description: row.description, Priority: row.priority, TimeZone: time.timeZone },
    Label: row.label_zh === null || row.label_en === null ? null : { zh: row.label_zh, en: row.label_en },
    AlarmKind: row.alarm_kind === 'journal' || row.alarm_kind === 'order' ? null : row.alarm_kind,
    ...placeOf(row, plant),
    Hazard:
      row.hazard_id === null || row.hazard_state === null
        ? null
        : { HazardID: row.hazard_id, State: row.hazard_state, Count: row.hazard_count ?? 0 },
    EventIDs: [...row.event_ids],
    PersonInCharge: row.person_name === '' ? null : { AccountID: row.person_id, Name: row.person_name },
    Helpers: row.helpers.map(({ id, name }) => ({ AccountID: id, Name: name })),
    Founder: { AccountID: row.founder_id, Name: row.founder_name },
    Processor: row.processor_name === '' ? null : { AccountID: row.processor_id, Name: row.processor_name },
    AlarmTime: timeOf(row.alarm_at),
    CreatedAt: row.created_at.getTime(),
    DispatchTime: row.clock.respondFrom,
    TakenAt: row.clock.takenAt,
    DealTime: timeOf(row.dealt_at),
    AcceptedAt: timeOf(row.accepted_at),
    ClosedAt: timeOf(row.closed_at),
    ...{ ValidDays: row.valid_days, ReminderDays: row.reminder_days, WorkingDaysOnly: row.working_days_only },
    DueDay: due === null ? null : dateText(due),
    Clock: clock && { Respond: readingOf(clock.respond), Resolve: readingOf(clock.resolve) },
    Paused: pause?.until && row.paused_why ? { Until: pause.until, Why: row.paused_why } : null,
    ...{ Cause: row.cause, Done: row.done, Parts: row.parts, LabourMin: row.labour_min },
    Verification: verificationRecord(row.verification),
    CloseReason: row.status === 'closed' ? row.close_reason : null,
    DuplicateOf: row.duplicate_number,
    ...{ Returns: row.returns, Reopened: row.reopened, Version: row.version },
    Acts: actsOf(row, actor, now),
  }
}

const timeOf = (at: Date | null): number | null => at?.getTime() ?? null
const readingOf = ({ usedMs, allowedMs, mark }: SlaReading): OrderReading => ({
  UsedMs: usedMs,
  AllowedMs: allowedMs,
  Mark: mark,
})

/** What its state lets happen, and why not by this person. */
export function actsOf(row: OrderRow, actor: Actor, now: number): OrderActChoice[] {
  const state = stateOf(row)
  return personActs
    .filter((act) => isActOf(state, act))
    .map((act) => {
      const refusal = actRefusal(state, act, actor, now)
      const verification = act === 'accept' ? row.verification : null
      const unverified = verification && !isProved(verification) && !actor.administrator
      const key = refusal?.key ?? (unverified ? ('order unverified' as const) : null)
      const detail = refusal ? refusalOf(refusal).detail : verification ? { why: unproved(verification) } : {}
      return {
        Act: act,
        Who: [...transitions[act].who],
        Refusal: key === null ? null : { Key: key, Text: textOf(key, detail) },
      }
    })
}

export function verificationRecord(verification: Verification | null): OrderVerification | null {
  if (!verification) return null
  const running = verification.state === 'running' || verification.state === 'noData' ? verification : null
  return {
    State: verification.state,
    HaveMs: running?.haveMs ?? 0,
    NeedMs: running?.needMs ?? 0,
    Missing: running?.missing ?? null,
  }
}

/** Names of what was taken out are not known any more. */
export function placeOf(row: OrderRow, plant: Plant) {
  const gateway = row.gateway_id === null ? undefined : plant.gateways.get(row.gateway_id)
  const line = row.line_id === null ? undefined : plant.lines.get(row.line_id)
  const device = line?.device ?? (row.device_id === null ? undefined : plant.devices.get(row.device_id))
  return {
    HouseID: row.project_id,
    DeviceID: row.gateway_id,
    ControllerID: device?.controllerId ?? null,
    LineID: row.line_id,
    LineNo: line?.lineNo ?? null,
    Where: {
      HouseName: plant.projects.get(row.project_id)?.name || null,
      GatewayName: gateway?.name || null,
      LineName: (line?.name ?? device?.name) || null,
    },
  }
}

export const stepRecord = (row: StepRow): OrderStep => ({
  StepID: row.step_id,
  At: row.at.getTime(),
  Act: row.act as OrderStep['Act'],
  From: row.from_status,
  To: row.to_status,
  Actor: row.actor,
  Text: row.reason,
  Person: row.person,
  Until: timeOf(row.until),
  Why: row.why as OrderStep['Why'],
  PhoneTime: timeOf(row.phone_at),
  ClockOffsetMs: row.offset_ms === null ? null : Number(row.offset_ms),
})

export const isOpen = ({ status }: Pick<OrderRow, 'status'>): boolean => openOrderStatuses.some((each) => each === status)
