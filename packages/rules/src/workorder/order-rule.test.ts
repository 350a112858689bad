import type { Priority } from '@linewarden/equipment'
import { dayMs, hourMs, minuteMs, priorities } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { PastAlarm, RuledAlarm, RuleOfOrders } from './order-rule.ts'
import { onDuty, orderRuleProblems, previewOrders, ruleDueAt, ruleOrdersPerHour } from './order-rule.ts'
import { t0 } from './test-order.ts'

const rule = (more: Partial<RuleOfOrders> = {}): RuleOfOrders => ({ keys: [], priorities: ['critical'], afterMin: 10, ...more })
const alarm = (more: Partial<RuledAlarm> = {}): RuledAlarm => ({
  ...{ key: 'current.alarm', priority: 'critical', raisedAt: t0, acknowledgedAt: null, returnedAt: null, isFolded: false },
  ...more,
})

describe('a rule', () => {
  const due = t0 + 10 * minuteMs
  test.each<[string, Partial<RuleOfOrders>, Partial<RuledAlarm>, number | null]>([
    ['sends for what stands unacknowledged for ten minutes', {}, {}, due],
    ['not for what was acknowledged before', {}, { acknowledgedAt: due }, null],
    ['nor for what returned before', {}, { returnedAt: due }, null],
    ['but for what was acknowledged after', {}, { acknowledgedAt: due + 1 }, due],
    ['at once also for what returned', { afterMin: 0 }, { returnedAt: t0 + 1 }, t0],
    ['not of another priority', {}, { priority: 'high' }, null],
    ['not of another key', { keys: ['temperature.alarm'] }, {}, null],
    ['of its key', { keys: ['current.alarm'] }, {}, due],
    ['of a key and a priority only of both', { keys: ['current.alarm'] }, { priority: 'low' }, null],
    ['never for a folded child', { afterMin: 0 }, { isFolded: true }, null],
  ])('%s', (_, of, is, at) => {
    expect(ruleDueAt(rule(of), alarm(is))).toBe(at)
  })
})

test('people are on duty in turn, each so many days', () => {
  const rota = { people: ['a', 'b', 'c'], everyDays: 7, fromDay: 100 }
  expect([99, 100, 106, 107, 120, 121].map((day) => onDuty(rota, day))).toEqual(['a', 'a', 'a', 'b', 'c', 'a'])
  expect(onDuty({ ...rota, people: [] }, 100)).toBe(null)
})

test('a rule has a name, says which alarms, and one way to whoever goes', () => {
  const fine = { name: 'n', keys: ['a'], priorities: [] as Priority[], personId: null, rota: null }
  const keysOf = (more: object) => orderRuleProblems({ ...fine, ...more }).map(({ key }) => key)
  expect([keysOf({}), keysOf({ name: ' ' }), keysOf({ keys: [] })]).toEqual([
    [],
    ['order rule nameless'],
    ['order rule of everything'],
  ])
  expect(keysOf({ personId: 'p', rota: { people: ['p'], everyDays: 1, fromDay: 0 } })).toEqual(['order rule two ways'])
})

const past = fc.array(
  fc.record({
    ...{ key: fc.constantFrom('a', 'b'), priority: fc.constantFrom(...priorities), place: fc.constantFrom('1', '2', '3') },
    ...{ raisedAt: fc.integer({ min: 0, max: 30 * dayMs }), acknowledgedAt: fc.constant(null), isFolded: fc.boolean() },
    returnedAt: fc.option(fc.integer({ min: 0, max: 31 * dayMs }), { nil: null }),
  }) satisfies fc.Arbitrary<PastAlarm>,
  { maxLength: 60 },
)

test('each alarm is in at most one order, join or summary, and no hour has more orders than it may', () => {
  fc.assert(
    fc.property(past, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 90 }), (alarms, afterMin, validDays) => {
      const of = rule({ priorities: ['critical', 'high'], afterMin })
      const is = previewOrders(of, validDays, alarms)
      const due = alarms.flatMap((each) => ruleDueAt(of, each) ?? [])
      expect(is.orders + is.joined + is.summarised).toBe(due.length)
      expect(is.alarms).toBe(alarms.length)
      expect(is.summaries).toBeLessThanOrEqual(is.summarised)
    }),
    { numRuns: lawRuns(2_000) },
  )
})

test('what comes beyond twenty in an hour is in one summary, and of one place and key there is one order', () => {
  const of = (nth: number, place: string): PastAlarm => ({ ...alarm({ raisedAt: t0 + nth * 1_000 }), place })
  const at = rule({ afterMin: 0 })
  const flood = Array.from({ length: ruleOrdersPerHour + 7 }, (_, nth) => of(nth, `p${nth}`))
  expect(previewOrders(at, 7, flood)).toMatchObject({ orders: ruleOrdersPerHour, summarised: 7, summaries: 1, joined: 0 })
  const same = Array.from({ length: 5 }, (_, nth) => of(nth, 'p'))
  expect(previewOrders(at, 7, same)).toMatchObject({ orders: 1, joined: 4, worst: [{ place: 'p current.alarm', times: 5 }] })
  const later = [of(0, 'p'), { ...of(0, 'p'), raisedAt: t0 + 8 * dayMs + hourMs }]
  expect(previewOrders(at, 7, later)).toMatchObject({ orders: 2, joined: 0 })
})
