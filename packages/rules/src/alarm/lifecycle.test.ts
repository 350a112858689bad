import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AlarmAct, AlarmState } from './lifecycle.ts'
import {
  activeAlarmStates,
  alarmAfter,
  announceAgainMs,
  foldAlarm,
  isAnnouncedAgain,
  isUnacknowledged,
  openAlarmStates,
  unacknowledgedStates,
} from './lifecycle.ts'

test.each([
  ['normal', 'raise', 'active'],
  ['active', 'acknowledge', 'acknowledged'],
  ['active', 'return', 'returned'],
  ['acknowledged', 'return', 'normal'],
  ['returned', 'acknowledge', 'normal'],
  ['returned', 'raise', 'active'],
  // What is so already stays so.
  ['active', 'raise', 'active'],
  ['acknowledged', 'raise', 'acknowledged'],
  ['acknowledged', 'acknowledge', 'acknowledged'],
  ['returned', 'return', 'returned'],
  ['normal', 'return', 'normal'],
  ['normal', 'acknowledge', 'normal'],
  ['acknowledged', 'expire', 'active'],
  ['returned', 'expire', 'returned'],
  ['acknowledged', 'shelve', 'acknowledged'],
  // By hand it comes back acknowledged, by itself unacknowledged where it is still there.
  ['active', 'unshelve', 'acknowledged'],
  ['returned', 'unshelve', 'normal'],
  ['active', 'shelfEnd', 'active'],
  ['acknowledged', 'shelfEnd', 'active'],
  ['returned', 'shelfEnd', 'normal'],
  ['active', 'suppress', 'active'],
  ['acknowledged', 'release', 'acknowledged'],
  ['returned', 'comment', 'returned'],
  ['active', 'remove', 'normal'],
  ['acknowledged', 'merge', 'normal'],
] as const)('%s, then %s: %s', (state, event, next) => {
  expect(foldAlarm(state, event)).toBe(next)
})

test('of what is over only the shelf goes on, unless it left that', () => {
  const shelved = { state: 'returned', shelvedUntil: 500, acknowledgedUntil: 7, suppressed: 'tag' } as const
  const over = { state: 'normal', acknowledgedUntil: null, suppressed: null }
  expect(alarmAfter(shelved, 'high', { act: 'acknowledge', at: 100 })).toEqual({ ...over, shelvedUntil: 500 })
  for (const act of ['unshelve', 'shelfEnd', 'remove', 'merge'] as const)
    expect(alarmAfter(shelved, 'high', { act, at: 100 })).toEqual({ ...over, shelvedUntil: null })
})

test('an event that cannot be acknowledged waits for nobody', () => expect(isUnacknowledged(null)).toBe(false))

const anyEvents = fc.array(fc.constantFrom<AlarmAct>('raise', 'return', 'acknowledge'), { maxLength: 20 })
const after = (events: readonly AlarmAct[]) => events.reduce<AlarmState>(foldAlarm, 'normal')

test('an alarm is normal again only when it has both returned and been seen', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const raised = events.lastIndexOf('raise')
      const since = events.slice(raised + 1)
      if (raised >= 0 && !since.includes('return')) expect(after(events)).not.toBe('normal')
      if (after(events) === 'normal' && raised >= 0) expect(events).toContain('acknowledge')
    }),
  )
})

test('an acknowledgement never makes an active alarm disappear', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      expect(after([...events, 'raise', 'acknowledge'])).toBe('acknowledged')
    }),
  )
})

test('which states still need somebody is decided by what can still happen in them', () => {
  expect(openAlarmStates).toEqual(['active', 'acknowledged', 'returned'])
  expect(activeAlarmStates).toEqual(['active', 'acknowledged'])
  expect(unacknowledgedStates).toEqual(['active', 'returned'])
  expect([...openAlarmStates, 'normal' as const, null].map(isUnacknowledged)).toEqual([true, false, true, false, false])
})

test('an alarm that chatters is announced again after ten minutes, not with each time', () => {
  expect(isAnnouncedAgain('high', 1_000, 1_000 + announceAgainMs - 1)).toBe(false)
  expect(isAnnouncedAgain('high', 1_000, 1_000 + announceAgainMs)).toBe(true)
})

test('what endangers people is announced with each time: somebody re-closed onto the fault', () => {
  expect(isAnnouncedAgain('critical', 1_000, 1_001)).toBe(true)
})
