import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wallOf } from './due-civil.ts'
import type { Journal, StoredOutcome } from './due-oracle.ts'
import { compareDues } from './due-oracle.ts'
import type { PlannedDue } from './due-plan.ts'
import { nights, planDues } from './due-plan.ts'
import type { Executed, LinkageRun, Rise } from './rise-oracle.ts'

const at = Date.UTC(2027, 5, 9, 1)
const [secondMs, hourMs] = [1_000, 3_600_000]
let timers = 0
const due = (line: number, action: 'trip' | 'close', dueAt = at, more: Partial<PlannedDue> = {}): PlannedDue => ({
  ...{ timer: timers++, pointNo: 1, dueAt, isScene: false, isWanted: false, does: [{ line, action }] },
  ...more,
})
const run = (index: number, more: Partial<StoredOutcome> = {}): StoredOutcome => ({
  ...{ due: index, dueAt: at, state: 'done', why: null, isEnded: true, commandIds: [`c${index}`] },
  ...more,
})
const executed = (index: number | string, line: number, action: string, more: Partial<Executed> = {}): Executed => ({
  ...{ id: `c${index}`, line, action, at: at + secondMs },
  ...more,
})
const firing: LinkageRun = { linkage: 0, isLater: false, isEnded: true, commandIds: ['cf'] }
const later: LinkageRun = { linkage: 0, isLater: true, isEnded: true, commandIds: ['cl'] }
const rise: Rise = { linkage: 0, from: at, to: at + 100 * secondMs, mustAct: true }
const risen = [executed('f', 5, 'trip'), executed('l', 5, 'close', { at: at + 16 * secondMs })]
const quiet: Journal['linkages'] = { rises: [], runs: [], near: new Map(), left: [] }
/** Line 0 is sound, line 1 has a tag, nobody may operate line 2, 3 has two windows, line 5 is the target of a linkage. */
const sound: Journal = {
  plan: {
    lines: ['sound', 'sound', 'refused', 'window', 'source', 'target', 'scene', 'scene'],
    dues: [
      ...[due(0, 'close'), due(1, 'trip'), due(1, 'close', at + 40_000), due(2, 'trip')],
      due(3, 'trip', at, { isWanted: true }),
      due(6, 'trip', at, {
        isScene: true,
        does: [
          { line: 6, action: 'trip' },
          { line: 7, action: 'close' },
        ],
      }),
    ],
    linkages: [{ source: 4, target: 5 }],
  },
  runs: [
    ...[run(0), run(1), run(2, { dueAt: at + 40_000, state: 'refused' }), run(3, { state: 'refused' })],
    ...[run(4, { state: 'skipped', why: 'stillWanted' }), run(5, { commandIds: ['c5', 's5'] })],
  ],
  executed: [
    ...[executed(0, 0, 'close'), executed(1, 1, 'trip'), executed(5, 6, 'trip')],
    ...[executed(5, 7, 'close', { id: 's5', at: at + 60_000 }), ...risen],
  ],
  linkages: { ...quiet, rises: [rise], runs: [firing, later] },
  ...{ clock: [], tags: [{ line: 1, at: 0 }], databaseKills: [], until: at + hourMs },
}
const counts = (journal: Journal) =>
  Object.entries(compareDues(journal)).flatMap(([what, each]) => (each.length > 0 ? [`${what} ${each.length}`] : []))
const without = (index: number) => sound.runs.filter(({ due: own }) => own !== index)
const but = (id: string, ...instead: readonly Executed[]) => [...sound.executed.filter((each) => each.id !== id), ...instead]
const linkages = (more: Partial<Journal['linkages']>): Partial<Journal> => ({ linkages: { ...sound.linkages, ...more } })

test('what was done in time, refused, left out and stored is found good', () => {
  expect(counts(sound)).toEqual([])
})

test.each<[string, Partial<Journal>, string[]]>([
  ['a close before it was due', { executed: but('c0', executed(0, 0, 'close', { at: at - 1 })) }, ['closedOutsideWindow 1']],
  ['the last moment of a close', { executed: but('c0', executed(0, 0, 'close', { at: at + 36_000 })) }, []],
  ['a close after it', { executed: but('c0', executed(0, 0, 'close', { at: at + 36_001 })) }, ['closedOutsideWindow 1']],
  ['the last close of a scene', { executed: but('s5', executed(5, 7, 'close', { id: 's5', at: at + 97_000 })) }, []],
  [
    'a close of a scene after it',
    { executed: but('s5', executed(5, 7, 'close', { id: 's5', at: at + 97_001 })) },
    ['closedOutsideWindow 1'],
  ],
  ['the last moment of a trip', { executed: but('c1', executed(1, 1, 'trip', { at: at + 90_000 })) }, []],
  ['a trip after it', { executed: but('c1', executed(1, 1, 'trip', { at: at + 90_001 })) }, ['trippedLate 1']],
  ['one order twice', { executed: [...sound.executed, executed(0, 0, 'close')] }, ['operatedTwice 1']],
  [
    'two orders of one instant',
    {
      runs: [run(0, { commandIds: ['c0', 'd0'] }), ...without(0)],
      executed: [...sound.executed, executed(0, 0, 'close', { id: 'd0' })],
    },
    ['operatedTwice 1'],
  ],
  ['a run that never ended', { runs: [run(0, { isEnded: false }), ...without(0)] }, ['dueWithoutOutcome 1']],
  ['an instant without a run', { runs: without(0), executed: but('c0') }, ['dueWithoutOutcome 1']],
  ['an instant that is not due yet', { runs: without(2), until: at + 40_000 }, []],
  ['a line without an owner that was tripped', { executed: [...sound.executed, executed(3, 2, 'trip')] }, ['refusedOperated 1']],
  ['a close beneath a tag', { executed: [...sound.executed, executed(2, 1, 'close', { at: at + 41_000 })] }, ['taggedClosed 1']],
  ['a close that was on its way when the tag came', { tags: [{ line: 0, at: at - 4_000 }] }, []],
  ['one that was ordered after it', { tags: [{ line: 0, at: at - 4_001 }] }, ['taggedClosed 1']],
  [
    'a trip inside the window of another timer',
    { executed: [...sound.executed, executed(4, 3, 'trip')] },
    ['trippedWhileWanted 1'],
  ],
  [
    'while nobody can read whose timer that is',
    { executed: [...sound.executed, executed(4, 3, 'trip')], databaseKills: [at - 18_000] },
    [],
  ],
  ['an order that no run knows', { executed: [...sound.executed, executed(9, 0, 'close')] }, ['unplanned 1']],
  ['an order of another line', { executed: but('c0', executed(0, 1, 'trip')) }, ['unplanned 1']],
  ['what a scene does not do', { executed: but('s5', executed(5, 6, 'close', { id: 's5' })) }, ['unplanned 1']],
  ['an instant with two runs', { runs: [...sound.runs, run(0)] }, ['unplanned 1']],
  ['a run at another instant', { runs: [run(0, { dueAt: at + hourMs }), ...without(0)] }, ['unplanned 1']],
  ['a run that nobody planned', { runs: [...sound.runs, run(0, { due: null, commandIds: [] })] }, ['unplanned 1']],
  [
    'a close while the clock showed another hour',
    { clock: [{ at, aheadMs: -hourMs }], executed: [executed(0, 0, 'close')], linkages: quiet },
    [],
  ],
  [
    'a close while it had shown another hour for long',
    { clock: [{ at: at - hourMs, aheadMs: -hourMs }], executed: [executed(0, 0, 'close')], linkages: quiet },
    ['closedOutsideWindow 1'],
  ],
  // Linkages.
  [
    'a rise of which nothing is stored',
    { ...linkages({ runs: [] }), executed: sound.executed.slice(0, 4) },
    ['dueWithoutOutcome 1'],
  ],
  [
    'a rise of which it is stored why it did not act',
    { ...linkages({ runs: [], near: new Map([[0, 1]]) }), executed: sound.executed.slice(0, 4) },
    [],
  ],
  [
    'a rise that nobody could know of',
    { ...linkages({ runs: [], rises: [{ ...rise, mustAct: false }] }), executed: sound.executed.slice(0, 4) },
    [],
  ],
  ['a delayed action that still waits', linkages({ left: [0] }), ['dueWithoutOutcome 1']],
  ['a run of a linkage that never ended', linkages({ runs: [firing, { ...later, isEnded: false }] }), ['dueWithoutOutcome 1']],
  ['two runs of one rise', linkages({ runs: [firing, later, { ...firing, commandIds: [] }] }), ['operatedTwice 1']],
  [
    'two trips of one rise',
    {
      ...linkages({ runs: [{ ...firing, commandIds: ['cf', 'cg'] }, later] }),
      executed: [...sound.executed, executed('g', 5, 'trip')],
    },
    ['operatedTwice 1'],
  ],
  ['the last trip of a rise', { executed: but('cf', executed('f', 5, 'trip', { at: rise.to + 95_000 })) }, []],
  ['a trip after it', { executed: but('cf', executed('f', 5, 'trip', { at: rise.to + 95_001 })) }, ['trippedLate 1']],
  ['a trip before it', { executed: but('cf', executed('f', 5, 'trip', { at: at - 1 })) }, ['trippedLate 1']],
  [
    'a close before its delay is over',
    { executed: but('cl', executed('l', 5, 'close', { at: at + 13_999 })) },
    ['closedOutsideWindow 1'],
  ],
  ['the last close of a rise', { executed: but('cl', executed('l', 5, 'close', { at: at + 62_000 })) }, []],
  ['a close after it', { executed: but('cl', executed('l', 5, 'close', { at: at + 62_001 })) }, ['closedOutsideWindow 1']],
  ['a close though the load was gone by then', linkages({ rises: [{ ...rise, to: at + 15_000 }] }), ['closedOutsideWindow 1']],
  ['a close at the rise', { ...linkages({ runs: [{ ...firing, commandIds: ['cf', 'cl'] }] }) }, ['closedOutsideWindow 1']],
  ['a linkage that operates another line', { executed: but('cf', executed('f', 0, 'trip')) }, ['unplanned 1']],
])('%s', (_, difference, found) => {
  expect(counts({ ...sound, ...difference })).toEqual(found)
})

test('any number of sound instants with any delays inside their windows is found good, and one that is spoilt is found', () => {
  const delays = fc.array(fc.integer({ min: 0, max: 36_000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(delays, fc.nat(), fc.constantFrom('late', 'twice', 'lost', 'early'), (each, which, how) => {
      const dues = each.map((_, index) => due(0, 'close', at + index * 60_000))
      const runs = dues.map(({ dueAt }, index) => run(index, { dueAt }))
      const done = each.map((delay, index) => executed(index, 0, 'close', { at: at + index * 60_000 + delay }))
      const plan: Journal['plan'] = { lines: ['sound'], dues, linkages: [] }
      const journal: Journal = {
        plan,
        runs,
        executed: done,
        clock: [],
        tags: [],
        databaseKills: [],
        linkages: quiet,
        until: at + hourMs,
      }
      expect(counts(journal)).toEqual([])
      const index = which % each.length
      const one = done[index] as Executed
      const moved = (to: number) => ({ ...journal, executed: done.with(index, { ...one, at: to }) })
      const dueAt = at + index * 60_000
      const [spoilt, found] = {
        late: [moved(dueAt + 36_001), 'closedOutsideWindow 1'] as const,
        early: [moved(dueAt - 1), 'closedOutsideWindow 1'] as const,
        twice: [{ ...journal, executed: [...done, one] }, 'operatedTwice 1'] as const,
        lost: [
          { ...journal, runs: runs.toSpliced(index, 1), executed: done.toSpliced(index, 1) },
          'dueWithoutOutcome 1',
        ] as const,
      }[how]
      expect(counts(spoilt)).toEqual([found])
    }),
    { numRuns: process.env.TEST_LONG ? 10_000 : 500 },
  )
})

const planOf = (seed: number, kills = 41) => planDues(seed, { kills, maxPauseMs: 20_000 })

test.each([0, 1, 2])('a plan is the same for the same seed, with every kill and on its night (%i)', (seed) => {
  const plan = planOf(seed)
  expect(planOf(seed)).toEqual(plan)
  expect(plan.night).toBe(nights[seed])
  expect(plan.faults.filter((fault) => fault.do === 'kill')).toHaveLength(41)
  for (const { timer, pointNo, dueAt } of plan.dues) {
    const { date, points } = plan.timers[timer]!
    const time = points[pointNo - 1]?.at
    if (time !== '02:30:00' || plan.night !== 'spring') expect(wallOf(plan.timeZone, dueAt)).toEqual({ date, time })
  }
})

test.each([0, 1, 2])('between two operations of a line by timers lie more than the ten seconds that it needs (%i)', (seed) => {
  const plan = planOf(seed)
  const ofLines = Map.groupBy(
    plan.dues
      .filter(({ isWanted, timer }) => !isWanted && plan.timers[timer]?.points[0]?.at !== '02:30:00')
      .flatMap(({ does, dueAt, isScene }) => does.map((act) => ({ ...act, dueAt, isScene }))),
    ({ line }) => line,
  )
  for (const [line, acts] of ofLines) {
    const sorted = acts.toSorted((one, other) => one.dueAt - other.dueAt)
    for (const [index, { action, dueAt }] of sorted.entries()) {
      const last = sorted[index - 1]
      // The second of two windows closes what is closed already.
      if (last && !(action === 'close' && last.action === 'close'))
        expect([line, dueAt - last.dueAt > 10_000]).toEqual([line, true])
    }
  }
})

test('a linkage rises less often than it may close one line in an hour, and tags come in the middle', () => {
  const plan = planOf(0, 1_000)
  for (const rises of Map.groupBy(plan.rises, ({ linkage }) => linkage).values())
    for (const [index, { at: from }] of rises.entries())
      if (index > 0) expect(from - rises[index - 1]!.at).toBeGreaterThan(600_000)
  const lengthMs = plan.endsAt - plan.beginsAt
  const inMiddle = plan.tags.filter(({ at: from }) => from > 0)
  expect(inMiddle).toHaveLength(2)
  for (const { at: from } of inMiddle) expect(from / lengthMs).toBeGreaterThan(0.2)
  for (const { at: from } of inMiddle) expect(from / lengthMs).toBeLessThan(0.8)
})

test('in the hour that spring leaves out a timer is due when it is over, in the one that comes twice the first time', () => {
  const spring = planOf(1, 8)
  const gap = spring.dues.filter(({ timer }) => spring.timers[timer]?.points[0]?.at === '02:30:00')
  expect(gap.map(({ dueAt }) => dueAt)).toEqual(Array.from({ length: 8 }, () => Date.UTC(2027, 2, 28, 1)))
  const autumn = planOf(2, 8)
  expect(autumn.endsAt).toBeGreaterThan(Date.UTC(2027, 9, 31, 1))
  for (const { points } of autumn.timers) for (const { at: time } of points) expect(time).toMatch(/^02:/)
  for (const { dueAt } of autumn.dues) expect(dueAt).toBeLessThan(Date.UTC(2027, 9, 31, 1))
})

test('a trip is left out only inside the window of a timer that is in the plan', () => {
  const wantedOf = (seed: number, kills: number) => {
    const { dues } = planOf(seed, kills)
    const of = (timer: number, action: string) => dues.find((due) => due.timer === timer && due.does[0]?.action === action)
    const wanted = dues.filter(({ isWanted }) => isWanted)
    for (const { timer, dueAt, does } of wanted) {
      const others = dues.filter((other) => other.timer !== timer && other.does[0]?.line === does[0]?.line)
      const isInside = others.some(
        (other) => (of(other.timer, 'close')?.dueAt ?? dueAt) < dueAt && (of(other.timer, 'trip')?.dueAt ?? 0) > dueAt,
      )
      expect([seed, kills, timer, isInside]).toEqual([seed, kills, timer, true])
    }
    return wanted.length
  }
  for (const kills of [8, 24, 41, 60]) for (const seed of [0, 1, 2]) expect(wantedOf(seed, kills)).toBeGreaterThan(0)
})
