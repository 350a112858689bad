import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { Override, OverrideFact, RunSource } from './override.ts'
import { containedBlock, foldOverride, maxOverrideMs, overrideSkip, runSources, sceneActions } from './override.ts'

const now = 1_000_000
const stay: Override = { kind: 'stay', since: now }
const until: Override = { kind: 'until', since: now, until: now + 100 }
const next: Override = { kind: 'next', since: now }

test.each([
  ['no word', null, 'close', 'timer', null],
  ['next', next, 'close', 'timer', null],
  ['next', next, 'trip', 'timer', null],
  ['until', until, 'close', 'timer', 'override'],
  ['until', until, 'trip', 'timer', 'override'],
  ['until', until, 'test', 'timer', 'override'],
  ['until', until, 'trip', 'timedScene', 'override'],
  ['until', until, 'close', 'linkage', 'override'],
  ['until', until, 'trip', 'linkage', null],
  ['until', until, 'close', 'scene', null],
  ['until', until, 'trip', 'person', null],
  ['stay', stay, 'close', 'timer', 'personTripped'],
  ['stay', stay, 'close', 'timedScene', 'personTripped'],
  ['stay', stay, 'close', 'linkage', 'personTripped'],
  ['stay', stay, 'trip', 'timer', null],
  ['stay', stay, 'close', 'scene', null],
  ['stay', stay, 'close', 'person', null],
] as const)('with %s (%o) a %s by %s is left out as %s', (_name, override, action, source, why) => {
  expect(overrideSkip(override, action, source, now + 50)).toBe(why)
})

test('what is due at the end of an override is done', () => {
  expect(overrideSkip(until, 'close', 'timer', now + 99)).toBe('override')
  expect(overrideSkip(until, 'close', 'timer', now + 100)).toBeNull()
})

test.each([
  ['a trip', null, { kind: 'personTrip', at: now, wish: null }, stay],
  ['a trip until the next action', null, { kind: 'personTrip', at: now, wish: 'next' }, next],
  ['a trip until a time', stay, { kind: 'personTrip', at: now, wish: { until: now + 100 } }, until],
  ['a trip by hand on site', until, { kind: 'tripByHand', at: now }, stay],
  ['a close', stay, { kind: 'personClose', at: now, wish: null }, null],
  ['a close until a time', stay, { kind: 'personClose', at: now, wish: { until: now + 100 } }, until],
  ['a release', stay, { kind: 'release', at: now }, null],
  ['a timed action', next, { kind: 'timedAction', at: now }, null],
  ['a timed action', stay, { kind: 'timedAction', at: now }, stay],
  ['a timed action', until, { kind: 'timedAction', at: now }, until],
  ['the last moment', until, { kind: 'tick', at: now + 99 }, until],
  ['the end', until, { kind: 'tick', at: now + 100 }, null],
  ['a year', stay, { kind: 'tick', at: now + 1e12 }, stay],
] as const)('after %s of %o, %o, the word is %o', (_name, before, fact, after) => {
  expect(foldOverride(before, fact as OverrideFact)).toEqual(after)
})

test('an override ends after fourteen days at the latest', () => {
  expect(foldOverride(null, { kind: 'personClose', at: now, wish: { until: now + 10 * maxOverrideMs } })).toEqual({
    kind: 'until',
    since: now,
    until: now + maxOverrideMs,
  })
})

const anyFact: fc.Arbitrary<OverrideFact> = fc.oneof(
  fc.record({ kind: fc.constantFrom('tripByHand', 'release', 'timedAction', 'tick'), at: fc.nat(1_000) }),
  fc.record({
    kind: fc.constantFrom('personTrip', 'personClose'),
    at: fc.nat(1_000),
    wish: fc.oneof(fc.constant(null), fc.constant('next' as const), fc.record({ until: fc.nat(2_000) })),
  }),
) as fc.Arbitrary<OverrideFact>

test("after a person's trip nothing timed closes the line without a person's word", () => {
  fc.assert(
    fc.property(fc.array(anyFact), fc.constantFrom<RunSource>('timer', 'timedScene', 'linkage'), (facts, source) => {
      let [override, mayClose, now] = [null as Override | null, true, 0]
      for (const fact of facts) {
        now += fact.at
        override = foldOverride(override, { ...fact, at: now })
        // A wish with an end is a person's word that timed actions come again.
        if (fact.kind === 'personTrip' || fact.kind === 'tripByHand') mayClose = fact.kind === 'personTrip' && fact.wish !== null
        if (fact.kind === 'personClose' || fact.kind === 'release') mayClose = true
        if (!mayClose) expect(overrideSkip(override, 'close', source, now)).toBe('personTripped')
      }
    }),
    { numRuns: lawRuns(200) },
  )
})

test('no override keeps back a trip of a linkage or anything a person does', () => {
  for (const override of [stay, until, next]) {
    expect(overrideSkip(override, 'trip', 'linkage', now)).toBeNull()
    for (const source of runSources.filter((each) => each === 'person' || each === 'scene'))
      for (const action of sceneActions) expect(overrideSkip(override, action, source, now)).toBeNull()
  }
})

const timer = { timerId: 7, enabled: true }
const scene = { sceneId: 9, running: true }
test.each([
  ['a trip', 'trip', [timer], [scene], 'refuse', false, null],
  ['a close of a line in a timer', 'close', [timer], [], 'ask', false, { why: 'schedule contain this line', timerIds: [7] }],
  ['a close with an override', 'close', [timer], [], 'ask', true, null],
  ['a close to the letter', 'close', [timer], [], 'refuse', true, { why: 'schedule contain this line', timerIds: [7] }],
  ['a close where timers are free', 'close', [timer], [], 'free', false, null],
  ['a close of a line in a disabled timer', 'close', [{ ...timer, enabled: false }], [], 'ask', false, null],
  ['a close during a scene', 'close', [], [scene], 'free', false, { why: 'scene contain this line', sceneIds: [9] }],
  ['a close after a scene', 'close', [], [{ ...scene, running: false }], 'ask', false, null],
  ['a close during a scene with an override', 'close', [timer], [scene], 'ask', true, null],
] as const)('%s (%s) is refused as it should be', (_name, action, timers, scenes, mode, hasOverride, block) => {
  expect(containedBlock(action, { timers, scenes }, mode, hasOverride)).toEqual(block)
})
