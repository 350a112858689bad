import { describe, expect, test } from 'vitest'
import { createCalendar } from '../automation/calendar.ts'
import type { OrderAct } from './acts.ts'
import { afterStep } from './acts.ts'
import { newRound } from './clock.ts'
import type { OrderDays } from './due.ts'
import { dueReminder } from './due.ts'
import { dueOverdue, duePlan, isStillNews, noticesOf, notifiedAt } from './notice.ts'
import type { OrderState } from './order.ts'
import { day, hour, minute, newOrder, t0 } from './test-order.ts'

const time = { timeZone: 'Asia/Shanghai', calendar: createCalendar({}) }
const days: OrderDays = { validDays: 7, reminderDays: 1, workingDaysOnly: false }
const dispatched = (more: Partial<OrderState> = {}) =>
  newOrder({ status: 'dispatched', personInCharge: 'worker', clock: newRound(t0, more.priority ?? 'medium'), ...more })
/** 09:00 of the date so many days after its dispatch, which was at 09:00 itself. */
const nine = (after: number) => t0 + after * day

describe('who is notified of an act', () => {
  const processed = afterStep(dispatched(), { act: 'process' }, 'worker', t0 + hour)
  const accepted = afterStep(processed, { act: 'accept' }, 'founder', t0 + 2 * hour)
  const closed = afterStep(dispatched(), { act: 'close' }, 'founder', t0 + hour)
  test.each<[OrderAct, OrderState, OrderState, string | null, readonly string[]]>([
    ['dispatch', newOrder(), dispatched(), 'founder', ['dispatched worker']],
    ['dispatch', dispatched(), dispatched({ personInCharge: 'other' }), 'founder', ['dispatched other', 'reassigned worker']],
    ['dispatch', dispatched(), dispatched(), 'founder', ['dispatched worker']],
    ['dispatch', newOrder(), dispatched({ personInCharge: 'founder' }), 'founder', []],
    ['take', dispatched(), dispatched(), 'worker', []],
    ['decline', dispatched(), newOrder(), 'worker', ['declined founder']],
    ['decline', dispatched(), newOrder({ founder: null }), null, []],
    ['process', dispatched(), processed, 'worker', ['processed founder']],
    ['return', processed, dispatched(), 'founder', ['returned worker']],
    ['contradict', processed, dispatched(), null, ['returned worker', 'contradicted founder']],
    ['contradict', accepted, dispatched(), null, ['returned worker', 'reopened founder']],
    ['contradict', processed, dispatched({ personInCharge: 'founder' }), null, ['returned founder']],
    ['reopen', closed, dispatched(), 'approver', ['dispatched worker', 'reopened founder']],
    ['reopen', closed, newOrder(), 'founder', []],
    ['accept', processed, accepted, 'founder', []],
    ['close', dispatched(), closed, 'founder', []],
  ])('%s (case %#)', (act, before, after, actor, notified) => {
    expect(noticesOf(before, after, act, actor).map(({ why, to }) => `${why} ${to}`)).toEqual(notified)
  })

  test('is asked once more when it is sent: what was undone meanwhile is no news', () => {
    const other = dispatched({ personInCharge: 'other' })
    expect([isStillNews('dispatched', dispatched(), 'worker'), isStillNews('dispatched', other, 'worker')]).toEqual([true, false])
    expect([isStillNews('reassigned', other, 'worker'), isStillNews('reassigned', dispatched(), 'worker')]).toEqual([true, false])
    expect([isStillNews('returned', dispatched(), 'worker'), isStillNews('returned', processed, 'worker')]).toEqual([true, false])
    for (const why of ['processed', 'verified'] as const)
      expect([isStillNews(why, processed, 'founder'), isStillNews(why, accepted, 'founder')]).toEqual([true, false])
    expect([isStillNews('declined', newOrder(), 'founder'), isStillNews('declined', dispatched(), 'founder')]).toEqual([
      true,
      false,
    ])
    expect([isStillNews('contradicted', dispatched(), 'founder'), isStillNews('contradicted', processed, 'founder')]).toEqual([
      true,
      false,
    ])
    expect([isStillNews('reopened', newOrder(), 'founder'), isStillNews('reopened', accepted, 'founder')]).toEqual([true, false])
  })
})

test('at night, by the clock of its project, only what is critical is notified at once', () => {
  const at = (hours: number) => t0 - 9 * hour + hours * hour
  expect([6.9, 7, 12, 21.9].map((hours) => notifiedAt(at(hours), 'high', time))).toEqual([at(7), at(7), at(12), at(21.9)])
  expect([22, 23.5, 24, 30].map((hours) => notifiedAt(at(hours), 'high', time))).toEqual(Array(4).fill(at(31)))
  expect(notifiedAt(at(23), 'critical', time)).toBe(at(23))
})

describe('what is due after an act', () => {
  const plan = (after: OrderState, lateBefore: number | null, now: number, own: OrderDays = days) =>
    duePlan({ before: dispatched(), lateBefore, after }, own, time, { act: null, actor: null, now })

  test('is the next reminder, and when it is late', () => {
    const high = dispatched({ priority: 'high' })
    expect(plan(high, null, t0)).toEqual({ reminderAt: nine(1), overdueAt: nine(1), notices: [] })
    // Medium: three working days of ten hours from Monday 09:00 on.
    expect(plan(dispatched(), null, t0).overdueAt).toBe(nine(3))
  })

  test('of what is late at night is notified in the morning, unless it is critical', () => {
    const night = t0 + 14 * hour
    const late = (priority: 'critical' | 'high') => {
      const order = dispatched({ priority, clock: newRound(night - (priority === 'high' ? 24 : 4) * hour, priority) })
      return plan(order, null, t0 + 10 * hour).overdueAt
    }
    expect(late('high')).toBe(t0 + 22 * hour)
    expect(late('critical')).toBe(night)
  })

  test('is nothing of what is processed, closed or nobody’s, but for its approver', () => {
    const processed = afterStep(dispatched(), { act: 'process' }, 'worker', t0 + hour)
    expect(plan(processed, nine(3), t0 + hour)).toMatchObject({ reminderAt: nine(14), overdueAt: null })
    for (const act of ['close', 'decline'] as const)
      expect(plan(afterStep(dispatched(), { act }, 'worker', t0), nine(3), t0)).toMatchObject({
        reminderAt: null,
        overdueAt: null,
      })
  })

  test('says once that it is late: not again by what is done to it then, but when its days are cut short', () => {
    const late = nine(4)
    expect(plan(dispatched(), nine(3), late).overdueAt).toBeUndefined()
    expect(plan(dispatched(), null, late).overdueAt).toBeUndefined()
    const short = { ...days, validDays: 1 }
    expect(plan(dispatched({ priority: 'low' }), nine(7), nine(3), short).overdueAt).toBe(nine(3))
  })

  test('notifies by day whom the act concerns', () => {
    const night = t0 + 14 * hour
    const given = { before: newOrder(), lateBefore: null, after: dispatched({ clock: newRound(night, 'medium') }) }
    const { notices } = duePlan(given, days, time, { act: 'dispatch', actor: 'founder', now: night })
    expect(notices).toEqual([{ why: 'dispatched', to: 'worker', at: t0 + 22 * hour }])
  })
})

describe('a reminder that is due', () => {
  const due = (order: OrderState, dueAt: number, now = dueAt, own: OrderDays = days) =>
    dueReminder(order, own, time, { dueAt, now })

  test('is sent, and the next follows after now', () => {
    expect(due(dispatched(), nine(1))).toEqual({ reminder: { at: nine(1), to: ['person'], why: 'notProcessed' }, next: nine(2) })
    // Nobody was there for two days: the one that was due is sent, those between are not.
    expect(due(dispatched(), nine(1), nine(3) + hour)).toMatchObject({ reminder: { at: nine(1) }, next: nine(4) })
  })

  test('is not sent of what is paused, processed or not due by its days any more', () => {
    const paused = afterStep(dispatched(), { act: 'pause', until: nine(3) }, 'worker', t0 + hour)
    expect(due(paused, nine(1))).toEqual({ reminder: null, next: nine(2) })
    const processed = afterStep(dispatched(), { act: 'process' }, 'worker', nine(1))
    expect(due(processed, nine(1))).toEqual({ reminder: null, next: nine(15) })
    expect(due(dispatched(), nine(1), nine(1), { ...days, reminderDays: 3 })).toEqual({ reminder: null, next: nine(3) })
    expect(due(afterStep(dispatched(), { act: 'close' }, 'founder', t0), nine(1))).toEqual({ reminder: null, next: null })
  })

  test('is none of whoever was given the order once it was due', () => {
    const given = afterStep(dispatched(), { act: 'dispatch', to: 'other' }, 'founder', nine(1))
    expect(due(given, nine(1))).toEqual({ reminder: null, next: nine(2) })
  })

  test('is none of a critical order that was taken meanwhile', () => {
    const critical = dispatched({ priority: 'critical' })
    expect(due(critical, t0 + 2 * hour)).toMatchObject({ reminder: { why: 'notTaken' }, next: t0 + 4 * hour })
    const taken = afterStep(critical, { act: 'take' }, 'worker', t0 + 2 * hour + 1)
    expect(due(taken, t0 + 2 * hour, t0 + 2 * hour + 5)).toEqual({ reminder: null, next: nine(1) })
  })
})

test('that it is late is sent while it is: not of what is paused, processed or has more time by now', () => {
  const high = dispatched({ priority: 'high' })
  expect(dueOverdue(high, days, time, nine(1))).toEqual({ isDue: true, next: null })
  const paused = afterStep(high, { act: 'pause', until: nine(2) }, 'worker', nine(1) - minute)
  expect(dueOverdue(paused, days, time, nine(1))).toEqual({ isDue: false, next: nine(2) })
  expect(dueOverdue(dispatched(), days, time, nine(1))).toEqual({ isDue: false, next: nine(3) })
  const processed = afterStep(high, { act: 'process' }, 'worker', nine(1) - minute)
  expect(dueOverdue(processed, days, time, nine(1))).toEqual({ isDue: false, next: null })
})
