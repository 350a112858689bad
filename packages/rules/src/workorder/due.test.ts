import { describe, expect, test } from 'vitest'
import { createCalendar } from '../automation/calendar.ts'
import { dateText } from '../automation/civil-time.ts'
import { afterStep } from './acts.ts'
import { newRound } from './clock.ts'
import type { OrderDays } from './due.ts'
import { dueDay, dueDayOver, isSent, nextReminder } from './due.ts'
import type { OrderState } from './order.ts'
import { day, hour, newOrder, t0 } from './test-order.ts'

const time = { timeZone: 'Asia/Shanghai', calendar: createCalendar({}) }
const days: OrderDays = { validDays: 7, reminderDays: 1, workingDaysOnly: false }
const dispatched = (more: Partial<OrderState> = {}) =>
  newOrder({ status: 'dispatched', personInCharge: 'worker', clock: newRound(t0, more.priority ?? 'medium'), ...more })
/** 09:00 of the date so many days after its dispatch, which was at 09:00 itself. */
const nine = (after: number) => t0 + after * day

test('the due day is so many days after dispatch, of working days only those', () => {
  const text = (each: OrderDays) => dateText(dueDay(dispatched(), each, time) ?? 0)
  expect(text(days)).toBe('2026-11-23')
  expect(text({ ...days, workingDaysOnly: true })).toBe('2026-11-25')
  expect(dueDay(newOrder(), days, time)).toBeNull()
  expect(dueDayOver(dispatched(), days, time)).toBe(Date.UTC(2026, 10, 23, 16))
})

describe('a reminder', () => {
  test('comes at 09:00 each so many days, and not on the day of dispatch', () => {
    expect(nextReminder(dispatched(), days, time, t0)).toEqual({ at: nine(1), to: ['person'], why: 'notProcessed' })
    expect(nextReminder(dispatched(), days, time, nine(1))?.at).toBe(nine(2))
    expect(nextReminder(dispatched(), { ...days, reminderDays: 3 }, time, nine(3))?.at).toBe(nine(6))
  })

  test.each<[number, readonly string[]]>([
    [7, ['person']],
    [8, ['person', 'founder']],
    [14, ['person', 'founder']],
    [15, ['person', 'founder', 'administrator']],
  ])('%s days after dispatch goes to %j', (after, to) => {
    expect(nextReminder(dispatched(), days, time, nine(after) - 1)?.to).toEqual(to)
  })

  test('of a critical order that nobody takes comes every two hours', () => {
    const critical = dispatched({ priority: 'critical' })
    expect(nextReminder(critical, days, time, t0)).toEqual({ at: t0 + 2 * hour, to: ['person'], why: 'notTaken' })
    expect(nextReminder(critical, days, time, t0 + 5 * hour)?.at).toBe(t0 + 6 * hour)
    expect(nextReminder(afterStep(critical, { act: 'take' }, 'worker', t0 + hour), days, time, t0 + hour)?.at).toBe(nine(1))
  })

  test('of a processed order goes to the founder after 14 days and then to the administrator', () => {
    const processed = afterStep(dispatched(), { act: 'process' }, 'worker', nine(2))
    expect(nextReminder(processed, days, time, nine(2))).toEqual({ at: nine(16), to: ['founder'], why: 'notAccepted' })
    expect(nextReminder(processed, days, time, nine(16))).toEqual({ at: nine(30), to: ['administrator'], why: 'notAccepted' })
  })

  test('is none of what nobody has, and of what is over', () => {
    expect(nextReminder(newOrder(), days, time, t0)).toBeNull()
    expect(nextReminder(afterStep(dispatched(), { act: 'close' }, 'founder', t0), days, time, t0)).toBeNull()
  })

  test('is not sent of what is paused, closed or declined by then', () => {
    const paused = afterStep(dispatched(), { act: 'pause', until: nine(3) }, 'worker', t0)
    expect([isSent(paused, nine(1)), isSent(paused, nine(3)), isSent(dispatched(), nine(1))]).toEqual([false, true, true])
    for (const act of ['close', 'decline'] as const)
      expect(isSent(afterStep(dispatched(), { act }, 'worker', t0), nine(1))).toBe(false)
  })
})
