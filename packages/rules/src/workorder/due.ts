import { dayMs } from '@linewarden/equipment'
import type { CivilDay } from '../automation/civil-time.ts'
import { civilZone } from '../automation/civil-time.ts'
import type { OrderTime } from './clock.ts'
import { isPaused, overdueAt } from './clock.ts'
import type { OrderState } from './order.ts'

/** How long an order may take, and how often whoever has it is reminded. */
export interface OrderDays {
  readonly validDays: number
  readonly reminderDays: number
  readonly workingDaysOnly: boolean
}

/** An order that many days processed waits for its approver. */
export const acceptDays = 14
const reminderSecond = 9 * 3_600
/** A critical order that nobody takes. */
const untakenEveryMs = 2 * 3_600_000
const horizonDays = 800

export type Reminded = 'person' | 'founder' | 'administrator'

export interface Reminder {
  readonly at: number
  readonly to: readonly Reminded[]
  readonly why: 'notTaken' | 'notProcessed' | 'notAccepted'
}

/** The last day on which it is on time, local; null: nobody has it. */
export function dueDay({ clock }: Pick<OrderState, 'clock'>, days: OrderDays, time: OrderTime): CivilDay | null {
  return clock.resolveFrom === null ? null : daysAfter(clock.resolveFrom, days.validDays, days, time)
}

/** The first instant after its due day. */
export function dueDayOver(order: Pick<OrderState, 'clock'>, days: OrderDays, time: OrderTime): number | null {
  const day = dueDay(order, days, time)
  return day === null ? null : (instantOf(time, day + 1, 0) ?? null)
}

/** The first instant at which it is late, by its clock or by its due day, if nothing happens to it; null: nobody has it, or neither runs out. */
export function lateAt(
  order: Pick<OrderState, 'clock' | 'status'>,
  days: OrderDays,
  time: OrderTime,
  now: number,
): number | null {
  if (order.status !== 'dispatched') return null
  const instants = [overdueAt(order.clock, time, now), dueDayOver(order, days, time)].filter((at) => at !== null)
  return instants.length === 0 ? null : Math.min(...instants)
}

/** The next reminder after an instant, if nothing happens to the order until then; null: none. It is asked once more when it is due. */
export function nextReminder(
  order: Pick<OrderState, 'clock' | 'status' | 'priority'>,
  days: OrderDays,
  time: OrderTime,
  after: number,
): Reminder | null {
  if (order.status === 'processed') return unaccepted(order, time, after)
  if (order.status !== 'dispatched') return null
  const daily = unprocessed(order, days, time, after)
  const { respondFrom, takenAt } = order.clock
  if (order.priority !== 'critical' || takenAt !== null || respondFrom === null) return daily
  const times = Math.max(1, Math.floor((after - respondFrom) / untakenEveryMs) + 1)
  const urgent: Reminder = { at: respondFrom + times * untakenEveryMs, to: ['person'], why: 'notTaken' }
  return daily && daily.at <= urgent.at ? daily : urgent
}

/**
 * The reminder that is due, if the order as it is now has one at this very instant, and the next one after now. What was done to the order
 * meanwhile counts: nobody is reminded of what they took, processed or were given after it was due.
 */
export function dueReminder(
  order: Pick<OrderState, 'clock' | 'status' | 'priority'>,
  days: OrderDays,
  time: OrderTime,
  { dueAt, now }: { readonly dueAt: number; readonly now: number },
): { readonly reminder: Reminder | null; readonly next: number | null } {
  const planned = nextReminder(order, days, time, dueAt - 1)
  const isLater = order.status === 'dispatched' && (order.clock.respondFrom ?? 0) >= dueAt
  return {
    reminder: planned?.at === dueAt && !isLater && isSent(order, now) ? planned : null,
    next: nextReminder(order, days, time, Math.max(now, dueAt))?.at ?? null,
  }
}

/** Whether it is sent, as the order is when it is due: of what is paused nobody is reminded. */
export const isSent = ({ clock, status }: Pick<OrderState, 'clock' | 'status'>, now: number): boolean =>
  status === 'processed' || (status === 'dispatched' && !isPaused(clock, now))

function unprocessed({ clock }: Pick<OrderState, 'clock'>, days: OrderDays, time: OrderTime, after: number): Reminder | null {
  if (clock.resolveFrom === null) return null
  const zone = civilZone(time.timeZone)
  const first = zone.dayAt(clock.resolveFrom)
  const due = daysAfter(clock.resolveFrom, days.validDays, days, time)
  const twice = daysAfter(clock.resolveFrom, 2 * days.validDays, days, time)
  const from = Math.max(first + days.reminderDays, zone.dayAt(after) - 1)
  for (let day = from; day < from + horizonDays; day++) {
    if ((day - first) % days.reminderDays !== 0) continue
    const at = instantOf(time, day, reminderSecond)
    if (at === undefined || at <= after || at <= clock.resolveFrom) continue
    const to: Reminded[] = ['person']
    if (day > due) to.push('founder')
    if (day > twice) to.push('administrator')
    return { at, to, why: 'notProcessed' }
  }
  return null
}

function unaccepted({ clock }: Pick<OrderState, 'clock'>, time: OrderTime, after: number): Reminder | null {
  const processedAt = clock.interruptions.findLast(({ processed, until }) => processed && until === null)?.from
  if (processedAt === undefined) return null
  const first = civilZone(time.timeZone).dayAt(processedAt)
  for (let round = 1; round < horizonDays / acceptDays; round++) {
    const at = instantOf(time, first + round * acceptDays, reminderSecond)
    if (at !== undefined && at > after) return { at, to: [round === 1 ? 'founder' : 'administrator'], why: 'notAccepted' }
  }
  return null
}

/** The date so many days after an instant; of working days those that are workdays. */
function daysAfter(from: number, count: number, { workingDaysOnly }: OrderDays, time: OrderTime): CivilDay {
  let day = civilZone(time.timeZone).dayAt(from)
  if (!workingDaysOnly) return day + count
  const last = day + horizonDays
  for (let left = count; left > 0 && day < last; ) {
    day++
    if (time.calendar.classOf(day).class === 'workday') left--
  }
  return day
}

/** Where the wall clock leaps over it, the first instant after. */
export const instantOf = ({ timeZone }: OrderTime, day: CivilDay, second: number): number | undefined =>
  civilZone(timeZone).resolve(day, second)?.at ?? civilZone(timeZone).resolve(day + 1, second)?.at ?? day * dayMs
