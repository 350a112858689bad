import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { AlarmAct, AlarmCondition, AlarmStep } from './lifecycle.ts'
import { alarmActs, alarmAfter, callsAgain, dueStep, isShelved, isSilent, maxShelfMinutes } from './lifecycle.ts'

// The laws of an alarm's life, whatever happens to it and in whatever order.
const numRuns = lawRuns(1_000)
const hourMs = 3_600_000
const raised: AlarmCondition = { state: 'active', shelvedUntil: null, acknowledgedUntil: null, suppressed: null }

const anyPriority = fc.constantFrom<Priority>(...priorities)
/** What people, equipment and the server do: time is what passes in between. */
const anyStep = fc.record({
  act: fc.constantFrom<AlarmAct>(...alarmActs.filter((act) => act !== 'expire' && act !== 'shelfEnd')),
  after: fc.integer({ min: 0, max: 6 * hourMs }),
  until: fc.integer({ min: 1, max: 12 * hourMs }),
})
const anyLife = fc.array(anyStep, { maxLength: 30 })

interface Lived extends AlarmStep {
  readonly before: AlarmCondition
  readonly after: AlarmCondition
}

/** A life in which whatever is due is done at the next look, at once or late, and nobody shelves what is shelved. */
function live(steps: readonly { act: AlarmAct; after: number; until: number }[], priority: Priority): Lived[] {
  const lived: Lived[] = []
  let [alarm, now] = [raised, 0]
  const take = (step: AlarmStep) => {
    const after = alarmAfter(alarm, priority, step)
    lived.push({ ...step, before: alarm, after })
    alarm = after
  }
  for (const { act, after, until } of steps) {
    now += after
    for (let due = dueStep(alarm, now); due && alarm.state !== 'normal'; due = dueStep(alarm, now)) take(due)
    if (act === 'shelve' && (isShelved(alarm.shelvedUntil, now) || alarm.state === 'normal')) continue
    take({ act, at: now, until: now + until })
  }
  return lived
}

const law = (name: string, check: (lived: readonly Lived[], priority: Priority) => void) =>
  test(name, () =>
    fc.assert(
      fc.property(anyLife, anyPriority, (steps, priority) => check(live(steps, priority), priority)),
      { numRuns },
    ),
  )

law('an alarm is over only when it has returned and somebody has seen it, or its equipment is gone', (lived) => {
  let [isThere, isSeen] = [true, false]
  for (const { act, at, before, after } of lived) {
    if (act === 'raise') {
      // Whoever has put it on the shelf wants to hear of it no more until that is over, of what comes again there neither.
      isSeen = (isThere || isShelved(before.shelvedUntil, at)) && isSeen
      isThere = true
    }
    if (act === 'return') isThere = false
    // Whoever shelves it has seen it as well.
    if (act === 'acknowledge' || act === 'unshelve' || act === 'shelve') isSeen = true
    if (act === 'remove' || act === 'merge') [isThere, isSeen] = [false, true]
    if (after.state === 'normal' && before.state !== 'normal') expect([act, isThere, isSeen]).toEqual([act, false, true])
    if (isThere) expect(after.state).not.toBe('normal')
  }
})

law('nothing stays on the shelf for longer than eight hours', (lived) => {
  for (const { act, at, after } of lived)
    if (act === 'shelve' && after.shelvedUntil !== null)
      expect(after.shelvedUntil - at).toBeLessThanOrEqual(maxShelfMinutes * 60_000)
})

law('what is back from the shelf by itself and still there waits for somebody; back by hand somebody has seen it', (lived) => {
  for (const { act, before, after } of lived) {
    if (act === 'shelfEnd')
      expect([after.state, after.shelvedUntil]).toEqual([before.state === 'returned' ? 'normal' : 'active', null])
    if (act === 'unshelve') expect(['acknowledged', 'normal']).toContain(after.state)
  }
})

law('an acknowledgement holds as long as its priority allows, and is only of what is acknowledged', (lived, priority) => {
  for (const { act, at, after } of lived) {
    if (after.acknowledgedUntil !== null) expect([act, after.state]).toEqual([act, 'acknowledged'])
    if (act === 'acknowledge' && after.acknowledgedUntil !== null)
      expect(after.acknowledgedUntil - at).toBeLessThanOrEqual({ critical: 0.5, high: 4, medium: 24, low: 0 }[priority] * hourMs)
    if (act === 'expire') expect(after.state).toBe('active')
  }
})

law('whatever calls for somebody again is there, unacknowledged, and silent no more', (lived) => {
  for (const { act, at, after } of lived)
    if (callsAgain(act, after, at)) expect([after.state, isSilent(after, at)]).toEqual(['active', false])
})

test('one whose suppression is released calls for somebody again', () => {
  expect(callsAgain('release', raised, 0)).toBe(true)
  expect(callsAgain('release', { ...raised, state: 'acknowledged' }, 0)).toBe(false)
})

law('what is over is neither out of service nor acknowledged for a while', (lived) => {
  for (const { after } of lived)
    if (after.state === 'normal') expect([after.acknowledgedUntil, after.suppressed]).toEqual([null, null])
})
