import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { occurrences } from './occurrences.ts'
import type { WantingTimer } from './still-wanted.ts'
import { covers, onWindows, stillWanted } from './still-wanted.ts'
import { at, scheduleOf, shanghai } from './test-timer.ts'

const window = (timerId: number, from: string, to: string, more: Partial<WantingTimer> = {}): WantingTimer => ({
  timerId,
  name: `timer ${timerId}`,
  enabled: true,
  schedule: scheduleOf([
    [from, 'close'],
    [to, 'trip'],
  ]),
  ...more,
})
const day = window(1, '08:00', '12:00')
const wantedAt = (time: string, other: WantingTimer) =>
  stillWanted(1, [day, other], shanghai, at(`2026-11-24T${time}`))?.timerId ?? null

test.each([
  ['covers the end', window(2, '10:00', '14:00'), 2],
  ['begins where it ends', window(2, '12:00', '14:00'), 2],
  ['ends with it', window(2, '10:00', '12:00'), null],
  ['ended before', window(2, '08:00', '11:59'), null],
  ['begins later', window(2, '12:01', '14:00'), null],
  ['is disabled', window(2, '10:00', '14:00', { enabled: false }), null],
  ['goes over midnight', window(2, '22:00', '12:30'), 2],
  ['never trips', window(2, '10:00', '10:00', { schedule: scheduleOf([['10:00', 'close']]) }), null],
  ['is its own', window(1, '10:00', '14:00'), null],
  [
    'is skipped this time',
    window(2, '10:00', '14:00', {
      schedule: {
        ...window(2, '10:00', '14:00').schedule,
        skipNext: { since: at('2026-11-24T09:00'), until: at('2026-11-24T10:00') },
      },
    }),
    null,
  ],
] as const)('a trip at noon is skipped for a window that %s: %s', (_name, other, by) => {
  expect(wantedAt('12:00', other)).toBe(by)
})

const minuteText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
const anyTimers = fc
  .array(fc.tuple(fc.nat(95), fc.integer({ min: 1, max: 95 })), { minLength: 1, maxLength: 4 })
  .map((windows) =>
    windows.map(([start, length], index) => window(index + 1, minuteText(start * 15), minuteText(((start + length) % 96) * 15))),
  )

test('a line of several timers is on exactly while a window covers the instant', () => {
  const [begin, from, to] = ['2026-11-20T00:00', '2026-11-24T00:00', '2026-11-25T00:00'].map(at) as [number, number, number]
  fc.assert(
    fc.property(anyTimers, (timers) => {
      const due = timers.map(({ schedule }) => occurrences(schedule, shanghai, begin, to + 86_400_000))
      const windows = due.flatMap(onWindows)
      const actions = due
        .flatMap((each, index) => each.map(({ at: dueAt, action }) => ({ dueAt, action, timerId: index + 1 })))
        .sort((one, other) => one.dueAt - other.dueAt || (one.action === 'trip' ? -1 : 1))
      let isOn = false
      for (const { dueAt, action, timerId } of actions) {
        if (action === 'close') isOn = true
        else if (!stillWanted(timerId, timers, shanghai, dueAt)) isOn = false
        const isLastOfInstant = actions.findLast((each) => each.dueAt === dueAt)?.timerId === timerId
        if (dueAt >= from && dueAt < to && isLastOfInstant) expect(isOn).toBe(windows.some((each) => covers(each, dueAt)))
      }
    }),
    { numRuns: lawRuns(20) },
  )
})
