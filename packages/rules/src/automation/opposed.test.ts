import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { civilZone } from './civil-time.ts'
import type { PlannedTimer } from './conflict.ts'
import { actionOn } from './conflict.ts'
import type { LinkageCondition, LinkagePicture } from './linkage.ts'
import { combine, meets } from './linkage.ts'
import { enabledLinkage, foldLinkage } from './linkage-fold.ts'
import { isActiveAt } from './linkage-hours.ts'
import type { LiveLinkage } from './opposed.ts'
import { oppositionsOf } from './opposed.ts'
import { at } from './test-timer.ts'

const zone = civilZone('Asia/Shanghai')
const [from, hourMs] = [at('2026-11-23T00:00'), 3_600_000]
/** A load that stands while a line is closed. */
const load = 7

const planned = (
  due: readonly (readonly [hour: number, action: 'trip' | 'close' | 'run'])[],
  lines: readonly string[],
  scene: readonly (readonly [string, 'trip' | 'close'])[] | null = null,
): PlannedTimer => ({
  ...{ timerId: 1, name: 't', lines, sceneActions: scene && new Map(scene), hasOwner: true, broken: [] },
  due: due.map(([hour, action], index) => ({
    ...{ at: from + hour * hourMs, pointNo: index + 1, action, date: '', clock: 'plain' as const, skip: null, merged: [] },
  })),
})

type Condition = LiveLinkage['conditions'][number]
const closed: Condition = { kind: 'state', line: 'a', key: 'position', op: '=', value: 1, forS: 0 }
const linkage = (conditions: readonly Condition[], more: Partial<LiveLinkage> = {}): LiveLinkage => ({
  ...{ linkageId: 5, match: 'all', activeHours: [], effects: [{ line: 'a', does: 'trip' }], conditions },
  ...more,
})
const day = planned(
  [
    [8, 'close'],
    [18, 'trip'],
  ],
  ['a', 'b'],
)
const instants = (timer: PlannedTimer, rule: LiveLinkage) =>
  oppositionsOf(timer, rule, zone).map((each) => [each.line, (each.at - from) / hourMs])

test.each<readonly [string, LiveLinkage, readonly (readonly [string, number])[]]>([
  ['trips what was closed', linkage([closed]), [['a', 8]]],
  ['acts on another line of the timer', linkage([closed], { effects: [{ line: 'b', does: 'trip' }] }), [['b', 8]]],
  ['does the same', linkage([closed], { effects: [{ line: 'a', does: 'close' }] }), []],
  ['acts on a line of nobody', linkage([closed], { effects: [{ line: 'c', does: 'trip' }] }), []],
  ['waits until the timer has tripped by itself', linkage([{ ...closed, forS: 10 * 3_600 }]), []],
  ['waits for less', linkage([{ ...closed, forS: 10 * 3_600 - 1 }]), [['a', 8]]],
  ['needs something else as well', linkage([closed, { ...closed, line: 'c' }]), []],
  ['needs one of both', linkage([closed, { ...closed, line: 'c' }], { match: 'any' }), [['a', 8]]],
  ['rests at that hour', linkage([closed], { activeHours: [{ days: 127, from: '20:00', to: '07:00' }] }), []],
  ['is met in any position', linkage([{ ...closed, op: '>=', value: 0 }]), []],
  ['reads a load that a close may bring', linkage([{ ...closed, kind: 'point', key: 'current.a', op: '>', value: 1 }]), []],
])('a linkage that %s', (_name, rule, found) => expect(instants(day, rule)).toEqual(found))

test('a load that is gone after a trip closes the line again', () => {
  const low: Condition = { kind: 'point', line: 'a', key: 'power.total', op: '<', value: 0.1, forS: 60 }
  expect(instants(day, linkage([low], { effects: [{ line: 'a', does: 'close' }] }))).toEqual([['a', 18]])
})

const keys = [
  ['state', 'position'],
  ['state', 'trip.cause'],
  ['point', 'current.a'],
  ['link', 'link'],
] as const
const anyLine = fc.constantFrom('a', 'b', 'c')
const anySwitch = fc.constantFrom('trip' as const, 'close' as const)
const anyCondition = fc
  .record({
    what: fc.constantFrom(...keys),
    line: anyLine,
    op: fc.constantFrom('>', '>=', '<', '<=', '=', '!=' as const),
    value: fc.constantFrom(0, 1, 0.5, 9),
    forS: fc.constantFrom(0, 60, 3_600, 7_200, 40_000),
  })
  .map(({ what: [kind, key], ...rest }): Condition => ({ kind, key, ...rest }))
const anyTimer = fc
  .record({
    hours: fc.uniqueArray(fc.integer({ min: 0, max: 47 }), { minLength: 1, maxLength: 6 }),
    acts: fc.array(anySwitch, { minLength: 6, maxLength: 6 }),
    lines: fc.constantFrom(['a'], ['b'], ['a', 'b']),
    scene: fc.option(fc.uniqueArray(fc.tuple(anyLine, anySwitch), { selector: ([line]) => line, maxLength: 2 })),
  })
  .map(({ hours, acts, lines, scene }) =>
    planned(
      hours.toSorted((one, other) => one - other).map((hour, index) => [hour, scene ? 'run' : acts[index]!]),
      lines,
      scene,
    ),
  )
const anyLinkage = fc.record({
  linkageId: fc.constant(5),
  match: fc.constantFrom('all' as const, 'any' as const),
  conditions: fc.array(anyCondition, { minLength: 1, maxLength: 3 }),
  activeHours: fc.constantFrom([], [{ days: 1, from: '06:00', to: '12:00' }], [{ days: 127, from: '20:00', to: '04:00' }]),
  effects: fc.uniqueArray(fc.record({ line: anyLine, does: anySwitch }), { selector: ({ line }) => line, minLength: 1 }),
})

/** What lines say once a timer has acted: nothing of a load that a close may bring, no cause of what is closed. */
const reported = (does: 'trip' | 'close') => ({
  ...{ 'state position': does === 'trip' ? 0 : 1, 'state trip.cause': does === 'trip' ? 9 : 0 },
  'point current.a': does === 'trip' ? 0 : load,
})
const keyOf = ({ kind, key }: Pick<Condition, 'kind' | 'key'>) => `${kind} ${key}`
const notMet = ({ op, value }: Condition) =>
  ({ '>': value, '>=': value - 1, '<': value, '<=': value + 1, '=': value + 1, '!=': value })[op]
const doneTo = (timer: PlannedTimer, index: number, line: string) => {
  const does = timer.lines.includes(line) ? actionOn(timer, timer.due[index]!.action, line) : null
  return does === 'test' ? null : does
}

/** The linkage itself, folded over what its lines would say before this run and after it and those that follow. */
function firesAfter(timer: PlannedTimer, index: number, rule: LiveLinkage): number | null {
  const conditions = rule.conditions.map(
    (each): LinkageCondition => ({ ...each, key: keyOf(each), release: 0, periodMs: 100 * 24 * hourMs }),
  )
  const folded = { match: rule.match, conditions }
  const picture = (instant: number, does: (line: string) => 'trip' | 'close' | null): LinkagePicture => ({
    ...{ at: instant, mark: 'live' },
    values: rule.conditions.flatMap((each) => {
      const done = does(each.line)
      const value = done && reported(done)[keyOf(each) as keyof ReturnType<typeof reported>]
      return value == null ? [] : [{ line: each.line, key: keyOf(each), value }]
    }),
  })
  // It has been so for longer than any condition waits.
  const began = timer.due[index]!.at - 48 * hourMs
  const before = picture(began, (line) => {
    const does = doneTo(timer, index, line)
    return does && (does === 'trip' ? 'close' : 'trip')
  })
  const others: LinkagePicture = {
    ...{ at: began - 1_000, mark: 'live' },
    values: rule.conditions.flatMap((each) =>
      before.values.some(({ line, key }) => line === each.line && key === keyOf(each))
        ? []
        : [{ line: each.line, key: keyOf(each), value: notMet(each) }],
    ),
  }
  let { state } = foldLinkage(folded, enabledLinkage(folded, others.at - 1), [others, before], timer.due[index]!.at - 1)
  const shown = new Map([...others.values, ...before.values].map(({ line, key, value }) => [`${line} ${key}`, value]))
  let metFirst: readonly boolean[] | undefined
  for (let next = index; next < timer.due.length; next++) {
    const until = timer.due[next + 1]?.at ?? timer.due[next]!.at + 48 * hourMs
    const after = picture(timer.due[next]!.at, (line) => doneTo(timer, next, line))
    for (const { line, key, value } of after.values) shown.set(`${line} ${key}`, value)
    // What another run makes of a condition ends what this one has brought about.
    const met = rule.conditions.map((each) => meets({ ...each, release: 0 }, false, shown.get(`${each.line} ${keyOf(each)}`)!))
    if (combine(rule.match, met) !== true || (metFirst && met.some((each, nth) => each !== metFirst?.[nth]))) return null
    metFirst ??= met
    const { state: later, firings } = foldLinkage(folded, state, [after], until - 1)
    if (firings[0]) return firings[0].at
    state = later
  }
  return null
}

test('what opposes a timer is what the folded linkage does after each of its runs, and nothing else', () => {
  let opposed = 0
  fc.assert(
    fc.property(anyTimer, anyLinkage, (timer, rule) => {
      // One condition of a line and key, so that what is said of it can be not met before.
      fc.pre(new Set(rule.conditions.map((each) => `${each.line} ${keyOf(each)}`)).size === rule.conditions.length)
      // A load beyond what a condition is about is not known to whoever plans.
      fc.pre(
        rule.conditions.every(
          ({ kind, op, value }) => kind !== 'point' || (value < load && op !== '>' && op !== '>=' && op !== '!='),
        ),
      )
      const expected = new Map<string, number>()
      timer.due.forEach(({ at: instant }, index) => {
        const fired = firesAfter(timer, index, rule)
        if (fired === null || !isActiveAt(rule.activeHours, zone, fired)) return
        for (const { line, does } of rule.effects) {
          const done = doneTo(timer, index, line)
          if (done !== null && done !== does && !expected.has(line)) expected.set(line, instant)
        }
      })
      opposed += expected.size
      expect(new Map(oppositionsOf(timer, rule, zone).map((each) => [each.line, each.at]))).toEqual(expected)
    }),
    { numRuns: lawRuns(2_000) },
  )
  expect(opposed).toBeGreaterThan(0)
})
