import { expect, test } from 'vitest'
import type { DayItem } from './day-facts.ts'
import { byHour, countStates, stateOf } from './day-facts.ts'

const counts = {
  ...{ Total: 2, Verified: 2, Already: 0, UnderWay: 0, Waiting: 0, Refused: 0 },
  ...{ Failed: 0, Unknown: 0, Missed: 0, Skipped: 0, Stopped: 0 },
}
const item = (At: number, of: Partial<DayItem> = {}): DayItem => ({
  ...{
    At,
    TimerID: 1,
    Name: '夜班',
    Action: 'trip',
    SceneName: null,
    LineCount: 2,
    LineNames: ['A线1'],
    Tagged: 0,
    Clock: 'plain',
  },
  ...{ Run: null, Overdue: false, Skip: null, Foreseen: [], ...of },
})
const run = (State: NonNullable<DayItem['Run']>['State']): Pick<DayItem, 'Run'> => ({
  Run: { RunID: 'r', State, ClaimedAt: 1, Why: null, Counts: counts, Reasons: [] },
})
const left = {
  Outcome: 'skipped',
  Why: 'override',
  By: null,
  Count: 1,
  LineNames: ['A线1'],
} satisfies DayItem['Foreseen'][number]

test.each([
  ['what is to come', item(1), 'coming'],
  ['what is to come and will be left out for a line', item(1, { Foreseen: [left] }), 'troubled'],
  ['what a person skipped', item(1, { Skip: 'skipOnce' }), 'troubled'],
  ['what was done', item(1, run('done')), 'done'],
  ['what goes on', item(1, run('running')), 'coming'],
  ['what was missed', item(1, run('missed')), 'amiss'],
  ['what was left out on purpose', item(1, run('skipped')), 'troubled'],
  ['what was done in part', item(1, run('partly')), 'amiss'],
  ['what is due and claimed by nobody', item(1, { Overdue: true }), 'amiss'],
])('%s', (_, of, state) => expect(stateOf(of)).toBe(state))

test('each action is in one hour, at its first instant in the later one', () => {
  const hours = [
    { from: 0, to: 60, label: '00:00', offsetMs: null },
    { from: 60, to: 120, label: '01:00', offsetMs: null },
  ]
  const items = [item(0), item(59), item(60, run('done')), item(119)]
  expect(byHour(hours, items).map((hour) => hour.items.length)).toEqual([2, 2])
  expect(countStates(items)).toEqual({ done: 1, amiss: 0, coming: 3, troubled: 0 })
})
