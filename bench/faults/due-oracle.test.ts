import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Executed, Journal, StoredOutcome } from './due-oracle.ts'
import { compareDues } from './due-oracle.ts'
import type { PlannedDue } from './due-plan.ts'
import { nights, planDues, wallOf } from './due-plan.ts'

const at = Date.UTC(2027, 5, 9, 1)
const hourMs = 3_600_000
const due = (line: number, action: 'trip' | 'close', dueAt = at): PlannedDue => ({ line, action, dueAt, ...wallOf(dueAt) })
const run = (index: number, more: Partial<StoredOutcome> = {}): StoredOutcome => ({
  ...{ due: index, dueAt: at, state: 'done', why: null, isEnded: true, commandIds: [`c${index}`] },
  ...more,
})
const executed = (index: number, line: number, action: string, more: Partial<Executed> = {}): Executed => ({
  ...{ id: `c${index}`, line, action, at: at + 1_000 },
  ...more,
})
/** Line 0 is sound, line 1 has a tag, nobody may operate line 2. */
const sound: Journal = {
  lines: ['sound', 'tagged', 'refused'],
  dues: [due(0, 'close'), due(1, 'trip'), due(1, 'close', at + 40_000), due(2, 'trip')],
  runs: [run(0), run(1), run(2, { dueAt: at + 40_000, state: 'refused' }), run(3, { state: 'refused' })],
  executed: [executed(0, 0, 'close'), executed(1, 1, 'trip')],
  ...{ clock: [], until: at + hourMs },
}
const counts = (journal: Journal) =>
  Object.entries(compareDues(journal)).flatMap(([what, each]) => (each.length > 0 ? [`${what} ${each.length}`] : []))

test('what was done in time, refused and stored is found good', () => {
  expect(counts(sound)).toEqual([])
})

test.each<[string, Partial<Journal>, string[]]>([
  ['a close before it was due', { executed: [executed(0, 0, 'close', { at: at - 1 })] }, ['closedOutsideWindow 1']],
  ['the last moment of a close', { executed: [executed(0, 0, 'close', { at: at + 36_000 })] }, []],
  ['a close after it', { executed: [executed(0, 0, 'close', { at: at + 36_001 })] }, ['closedOutsideWindow 1']],
  ['the last moment of a trip', { executed: [executed(1, 1, 'trip', { at: at + 90_000 })] }, []],
  ['a trip after it', { executed: [executed(1, 1, 'trip', { at: at + 90_001 })] }, ['trippedLate 1']],
  ['one order twice', { executed: [executed(0, 0, 'close'), executed(0, 0, 'close')] }, ['operatedTwice 1']],
  [
    'two orders of one instant',
    {
      runs: [run(0, { commandIds: ['c0', 'd0'] }), ...sound.runs.slice(1)],
      executed: [executed(0, 0, 'close'), executed(0, 0, 'close', { id: 'd0' })],
    },
    ['operatedTwice 1'],
  ],
  ['a run that never ended', { runs: [run(0, { isEnded: false }), ...sound.runs.slice(1)] }, ['dueWithoutOutcome 1']],
  ['an instant without a run', { runs: sound.runs.slice(1), executed: [] }, ['dueWithoutOutcome 1']],
  ['an instant that is not due yet', { runs: sound.runs.slice(1), executed: [], until: at }, []],
  ['a line without an owner that was tripped', { executed: [executed(3, 2, 'trip')] }, ['refusedOperated 1']],
  ['a close beneath a tag', { executed: [executed(2, 1, 'close', { at: at + 41_000 })] }, ['taggedClosed 1']],
  ['an order that no run knows', { executed: [executed(9, 0, 'close')] }, ['unplanned 1']],
  ['an order of another line', { executed: [executed(0, 1, 'close')] }, ['taggedClosed 1', 'unplanned 1']],
  ['an instant with two runs', { runs: [...sound.runs, run(0)] }, ['unplanned 1']],
  ['a run at another instant', { runs: [run(0, { dueAt: at + hourMs }), ...sound.runs.slice(1)] }, ['unplanned 1']],
  ['a close while the clock showed another hour', { clock: [{ at, aheadMs: -hourMs }], executed: [executed(0, 0, 'close')] }, []],
  [
    'a close while it had shown another hour for long',
    { clock: [{ at: at - hourMs, aheadMs: -hourMs }], executed: [executed(0, 0, 'close')] },
    ['closedOutsideWindow 1'],
  ],
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
      const journal: Journal = { lines: ['sound'], dues, runs, executed: done, clock: [], until: at + hourMs }
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

test.each([0, 1, 2])('a plan is the same for the same seed, with every kill and on its night (%i)', (seed) => {
  const plan = planDues(seed, { kills: 41, maxPauseMs: 20_000 })
  expect(planDues(seed, { kills: 41, maxPauseMs: 20_000 })).toEqual(plan)
  expect(plan.night).toBe(nights[seed])
  expect(plan.faults.filter((fault) => fault.do === 'kill')).toHaveLength(41)
  for (const { dueAt, date, time } of plan.dues)
    if (!time.startsWith('02:30') || plan.night !== 'spring') expect(wallOf(dueAt)).toEqual({ date, time })
})

test('in the hour that spring leaves out a timer is due when it is over, in the one that comes twice the first time', () => {
  const spring = planDues(1, { kills: 8, maxPauseMs: 20_000 })
  const gap = spring.dues.filter(({ time }) => time === '02:30:00')
  expect(gap.map(({ dueAt }) => dueAt)).toEqual(spring.lines.map(() => Date.UTC(2027, 2, 28, 1)))
  const autumn = planDues(2, { kills: 8, maxPauseMs: 20_000 })
  for (const { dueAt, time } of autumn.dues) {
    expect(time).toMatch(/^02:/)
    expect(dueAt).toBeLessThan(Date.UTC(2027, 9, 31, 1))
  }
})
