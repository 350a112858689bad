import type { Priority } from '@linewarden/equipment'
import { civilZone } from '../automation/civil-time.ts'
import type { OrderAct } from './acts.ts'
import type { OrderTime } from './clock.ts'
import { pauseAt } from './clock.ts'
import type { OrderDays, Reminder } from './due.ts'
import { instantOf, lateAt, nextReminder } from './due.ts'
import type { OrderState } from './order.ts'

/** What somebody is notified of because it was done, or came by itself. */
const actNotices = [
  ...(['dispatched', 'reassigned', 'returned'] as const),
  ...(['processed', 'declined', 'verified', 'contradicted', 'reopened'] as const),
] as const
export type ActNotice = (typeof actNotices)[number]

/** What somebody is notified of at all: also what is due by its clock and its days. */
export type NoticeWhy = ActNotice | Reminder['why'] | 'overdue'

/** To whom it goes, by the ids of their accounts. */
interface Notice {
  readonly why: ActNotice
  readonly to: string
}

type Concerned = Pick<OrderState, 'status' | 'personInCharge' | 'founder'>

/** Whom an act concerns, other than whoever did it; `actor` null: it came by itself. Each is notified once of an act. */
export function noticesOf(before: Concerned, after: Concerned, act: OrderAct, actor: string | null): readonly Notice[] {
  const notices = concerned(before, after, act).flatMap(({ why, to }) => (to === null || to === actor ? [] : { why, to }))
  return notices.filter(({ to }, index) => notices.findIndex((each) => each.to === to) === index)
}

function concerned(before: Concerned, after: Concerned, act: OrderAct): readonly { why: ActNotice; to: string | null }[] {
  const { founder, personInCharge: person } = after
  switch (act) {
    case 'dispatch': {
      const isTaken = before.status === 'dispatched' && before.personInCharge !== person
      return [{ why: 'dispatched', to: person }, ...(isTaken ? [{ why: 'reassigned' as const, to: before.personInCharge }] : [])]
    }
    case 'return':
      return [{ why: 'returned', to: person }]
    case 'process':
      return [{ why: 'processed', to: founder }]
    case 'decline':
      return [{ why: 'declined', to: founder }]
    case 'contradict':
      return [
        { why: 'returned', to: person },
        { why: before.status === 'accepted' ? 'reopened' : 'contradicted', to: founder },
      ]
    case 'reopen':
      return [
        ...(after.status === 'dispatched' ? [{ why: 'dispatched' as const, to: person }] : []),
        { why: 'reopened', to: founder },
      ]
    default:
      return []
  }
}

/** Whether it is still so when it is sent: what was undone meanwhile is no news to anybody. */
export function isStillNews(why: ActNotice, { status, personInCharge }: Concerned, to: string): boolean {
  switch (why) {
    case 'dispatched':
    case 'returned':
      return status === 'dispatched' && personInCharge === to
    case 'reassigned':
      return personInCharge !== to
    case 'processed':
    case 'verified':
      return status === 'processed'
    case 'declined':
      return status === 'undispatched'
    case 'contradicted':
      return status === 'dispatched'
    case 'reopened':
      return status === 'dispatched' || status === 'undispatched'
  }
}

const night = { fromSecond: 22 * 3_600, toSecond: 7 * 3_600 } as const

/** When somebody is notified of what happens at an instant: at night, by the clock of its project, only of what is critical. */
export function notifiedAt(at: number, priority: Priority, time: OrderTime): number {
  if (priority === 'critical') return at
  const day = civilZone(time.timeZone).dayAt(at)
  const morning = instantOf(time, day, night.toSecond) ?? at
  if (at < morning) return morning
  const evening = instantOf(time, day, night.fromSecond) ?? at
  return at < evening ? at : (instantOf(time, day + 1, night.toSecond) ?? at)
}

/** What is due of an order from now on. */
export interface DuePlan {
  readonly reminderAt: number | null
  /** When whoever has it is notified that it is late; undefined: as it was planned before. */
  readonly overdueAt: number | null | undefined
  readonly notices: readonly (Notice & { readonly at: number })[]
}

/** What is due once an act has left an order so. `lateBefore`: when it was to be late before the act; `act` null: nobody is notified of it. */
export function duePlan(
  { before, lateBefore, after }: { readonly before: Concerned; readonly lateBefore: number | null; readonly after: OrderState },
  days: OrderDays,
  time: OrderTime,
  { act, actor, now }: { readonly act: OrderAct | null; readonly actor: string | null; readonly now: number },
): DuePlan {
  return {
    reminderAt: nextReminder(after, days, time, now)?.at ?? null,
    overdueAt: overduePlanned(lateBefore, lateAt(after, days, time, now), after.priority, time, now),
    notices: (act === null ? [] : noticesOf(before, after, act, actor)).map((notice) => ({
      ...notice,
      at: notifiedAt(now, after.priority, time),
    })),
  }
}

/** Late once is notified once: what was late before the act, or comes back late, is no news by it. */
function overduePlanned(lateBefore: number | null, late: number | null, priority: Priority, time: OrderTime, now: number) {
  if (late === null) return null
  if (late > now) return notifiedAt(late, priority, time)
  return lateBefore === null || lateBefore <= now ? undefined : notifiedAt(now, priority, time)
}

/** Whether whoever has it is notified that it is late, as the order is when that is due; else when it is to be asked again, null: not at all. */
export function dueOverdue(
  order: Pick<OrderState, 'clock' | 'status' | 'priority'>,
  days: OrderDays,
  time: OrderTime,
  now: number,
): { readonly isDue: boolean; readonly next: number | null } {
  const late = lateAt(order, days, time, now)
  if (late === null) return { isDue: false, next: null }
  const pause = pauseAt(order.clock, now)
  if (pause?.until) return { isDue: false, next: pause.until }
  return late <= now ? { isDue: true, next: null } : { isDue: false, next: notifiedAt(late, order.priority, time) }
}
