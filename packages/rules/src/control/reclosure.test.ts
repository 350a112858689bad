import { describe, expect, test } from 'vitest'
import {
  afterCorrection,
  afterFailedTry,
  afterOrderedTrip,
  afterTrip,
  mayReclose,
  notReclosing,
  reclosurePolicy,
} from './reclosure.ts'
import { testDue } from './self-test.ts'

const broken = (delays: readonly number[], residualMa: number | null | 'absent' = 100, switches = true) =>
  reclosurePolicy(delays, { residualMa, switches })
    .filter(({ met }) => !met)
    .map(({ key }) => key)

describe('automatic re-closing is allowed', () => {
  test('with up to three tries at 10, 60 and 300 s, above 30 mA', () => {
    expect(broken([10, 60, 300])).toEqual([])
    expect(broken([30])).toEqual([])
    expect(broken([10, 60, 300], 'absent')).toEqual([])
  })

  test.each([
    ['at 30 mA, which protects people', [10], 30, ['residual']],
    ['when the residual current is not known', [10], null, ['residual']],
    ['without a try', [], 100, ['tries']],
    ['a fourth time', [10, 60, 300, 600], 100, ['tries', 'delays']],
    ['sooner than 10 s', [9, 60], 100, ['delays']],
    ['sooner than 60 s the second time', [10, 59], 100, ['delays']],
  ] as const)('not %s', (_, delays, residualMa, rules) => {
    expect(broken(delays, residualMa)).toEqual(rules)
  })

  test('not where nothing can be closed', () => {
    expect(broken([10], 100, false)).toEqual(['switches'])
  })
})

test('what breaks the policy is said with its figure, and one that was not reported is not made up', () => {
  const why = (residualMa: number | null) => reclosurePolicy([5, 60], { residualMa, switches: true }).map((each) => each.why?.en)
  expect(why(30)).toEqual([undefined, '30 mA protects people: auto-reclose is not allowed', undefined, '5, 60 s is too short'])
  expect(why(null)[1]).toBe('Residual operating current not reported')
  expect(broken([10], 31)).toEqual([])
})

test.each(['overload', 'short', 'arc', 'manual', 'remote', 'overtemperature', 'selfTest', 'none', null])(
  'a line never closes by itself after %s',
  (cause) => {
    expect(mayReclose(cause)).toBe(false)
    expect(afterTrip(notReclosing, cause, [10], 0)).toEqual(notReclosing)
  },
)

test('three tries, then locked out until somebody sets it anew', () => {
  let state = notReclosing
  const due: (number | null)[] = []
  for (const at of [0, 20_000, 100_000]) {
    state = afterTrip(state, 'undervoltage', [10, 60, 300], at)
    due.push(state.nextAt)
  }
  expect(due).toEqual([10_000, 80_000, 400_000])
  const out = afterTrip(state, 'undervoltage', [10, 60, 300], 500_000)
  expect(out).toMatchObject({ nextAt: null, lockedOutAt: 500_000, lockedOutWhy: 'tries_used' })
  // Nor does a fault of the line itself let it begin anew.
  for (const cause of ['undervoltage', 'short', 'manual']) expect(afterTrip(out, cause, [10, 60, 300], 600_000)).toBe(out)
})

test('a try that came to nothing counts', () => {
  const first = afterTrip(notReclosing, 'overvoltage', [10, 60], 0)
  const second = afterFailedTry(first, [10, 60], 10_000)
  expect(second).toEqual({ attempts: 2, nextAt: 70_000, lockedOutAt: null, lockedOutWhy: null })
  expect(afterFailedTry(second, [10, 60], 70_000)).toMatchObject({
    nextAt: null,
    lockedOutAt: 70_000,
    lockedOutWhy: 'tries_used',
  })
})

describe('a self-test is due', () => {
  const plan = { enabled: true, everyDays: 31 }
  const day = 86_400_000
  test('31 days after the last that passed', () => {
    const last = { at: 0, result: 'passed' as const }
    expect(testDue(last, plan, 31 * day)).toEqual({ dueAt: 31 * day, overdue: false })
    expect(testDue(last, plan, 31 * day + 1).overdue).toBe(true)
  })
  test('at once when none was done, or the last one failed', () => {
    expect(testDue(null, plan, 0).overdue).toBe(true)
    expect(testDue({ at: 0, result: 'failed' }, plan, 1)).toEqual({ dueAt: null, overdue: true })
  })
  test('never where it is switched off', () => {
    expect(testDue(null, { enabled: false, everyDays: 31 }, 0).overdue).toBe(false)
  })
})

test('an ordered trip between the tries ends them, and no late failure of a try begins them anew', () => {
  const waiting = afterTrip(notReclosing, 'undervoltage', [10, 60], 0)
  const ended = afterOrderedTrip(waiting, 5_000)
  expect(ended).toMatchObject({ nextAt: null, lockedOutAt: 5_000, lockedOutWhy: 'person_tripped' })
  expect(afterFailedTry(ended, [10, 60], 6_000)).toBe(ended)
  expect(afterOrderedTrip(notReclosing, 5_000)).toBe(notReclosing)
})

test('a cause that is corrected ends the tries, a person as if the trip had been ordered here; a passing disturbance changes nothing', () => {
  const waiting = afterTrip(notReclosing, 'undervoltage', [10, 60], 0)
  expect(afterCorrection(waiting, 'overvoltage', 5_000)).toBeNull()
  expect(afterCorrection(waiting, 'short', 5_000)).toEqual(notReclosing)
  expect(afterCorrection(waiting, 'remote', 5_000)).toEqual(afterOrderedTrip(waiting, 5_000))
  expect(afterCorrection(waiting, 'manual', 5_000)).toMatchObject({ nextAt: null, lockedOutAt: 5_000 })
})

test('a trip that is ordered after a lock-out leaves when and why it was locked out', () => {
  const out = { ...notReclosing, attempts: 2, lockedOutAt: 500, lockedOutWhy: 'tries_used' as const }
  expect(afterOrderedTrip(out, 900)).toBe(out)
})
