import { minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import type { PlannedTimer } from './conflict.ts'
import type { ConflictFacts } from './conflicts.ts'
import { conflicts } from './conflicts.ts'
import { occurrences } from './occurrences.ts'
import type { LiveLinkage } from './opposed.ts'
import { at, everyDay, scheduleOf, shanghai } from './test-timer.ts'
import type { TimerAction } from './timer.ts'

const [from, to] = [at('2026-11-23T00:00'), at('2026-12-07T00:00')]
type Points = readonly (readonly [string, TimerAction])[]

const planned = (
  timerId: number,
  points: Points,
  lines: readonly string[] = ['a'],
  more: Partial<PlannedTimer> = {},
): PlannedTimer => ({
  timerId,
  name: `timer ${timerId}`,
  due: occurrences(scheduleOf(points), shanghai, from, to),
  lines,
  sceneActions: null,
  hasOwner: true,
  broken: [],
  ...more,
})
const facts: ConflictFacts = {
  timeZone: 'Asia/Shanghai',
  quiet: [],
  tags: [],
  linkages: [],
  staggerMs: 1_000,
  canDo: () => true,
  to,
}
const keys = (timers: readonly PlannedTimer[], more: Partial<ConflictFacts> = {}) =>
  conflicts(timers, { ...facts, ...more }).map(({ key }) => key)

const day: Points = [
  ['08:00', 'close'],
  ['18:00', 'trip'],
]

test('a day of switching on and off is no conflict', () => {
  expect(conflicts([planned(1, day), planned(2, day, ['b'])], facts)).toEqual([])
})

test.each([
  ['opposite at one time', [['08:00', 'trip']], ['fight']],
  ['opposite within a minute', [['08:00:59', 'trip']], ['fight']],
  ['opposite a minute later', [['08:01', 'trip']], []],
  ['the same at one time', [['18:00', 'trip']], ['duplicate']],
  ['a test at one time', [['08:00', 'test']], []],
] as const)('two timers of one line that do %s', (_name, points, found) => {
  expect(keys([planned(1, day), planned(2, points)])).toEqual(found)
})

test('a conflict names both sides, the line and the first instant', () => {
  const [found] = conflicts([planned(1, day, ['a', 'b']), planned(2, [['08:00:30', 'trip']], ['c', 'b'])], facts)
  expect(found).toEqual({
    key: 'fight',
    timerId: 2,
    with: { kind: 'timer', id: 1 },
    line: 'b',
    at: at('2026-11-23T08:00') + 30_000,
    figure: null,
  })
})

test('a scene clashes on the lines that it acts on, and with what it does to them', () => {
  const scene = planned(2, [['08:00', 'run']], ['a', 'b'], { sceneActions: new Map([['b', 'trip']]) })
  expect(keys([planned(1, day, ['a']), scene])).toEqual([])
  expect(keys([planned(1, day, ['a', 'b']), scene])).toEqual(['fight'])
})

test.each([
  ['ends before the close', at('2026-11-23T07:00'), []],
  ['ends after the close', at('2026-11-23T09:00'), ['tagged']],
  ['has no known end', null, ['tagged']],
])('a close while a tag hangs that %s', (_name, expectedEnd, found) => {
  expect(keys([planned(1, day)], { tags: [{ line: 'a', by: 'Wang', expectedEnd }] })).toEqual(found)
  expect(keys([planned(1, day, ['b'])], { tags: [{ line: 'a', by: 'Wang', expectedEnd }] })).toEqual([])
})

test('a self-test in quiet hours is refused, beside them it is not', () => {
  const quiet = [{ days: everyDay, fromMinute: 22 * 60, toMinute: 6 * 60 }]
  expect(keys([planned(1, [['23:00', 'test']])], { quiet })).toEqual(['quietHours'])
  expect(keys([planned(1, [['12:00', 'test']])], { quiet })).toEqual([])
})

test('a linkage that undoes what the timer does is named', () => {
  const linkage: LiveLinkage = {
    ...{ linkageId: 5, match: 'all', activeHours: [], effects: [{ line: 'a', does: 'trip' }] },
    conditions: [{ kind: 'state', line: 'a', key: 'position', op: '=', value: 1, forS: 60 }],
  }
  expect(conflicts([planned(1, day)], { ...facts, linkages: [linkage] })).toMatchObject([
    { key: 'opposed', line: 'a', with: { kind: 'linkage', id: 5 }, at: at('2026-11-23T08:00') },
  ])
  expect(keys([planned(1, day, ['b'])], { linkages: [linkage] })).toEqual([])
})

const often = (count: number, everyMinutes: number): readonly PlannedTimer[] =>
  Array.from({ length: count }, (_, index) => {
    const minute = index * everyMinutes
    const text = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    return planned(index + 1, [[text, index % 2 ? 'trip' : 'close']])
  })

test('twenty operations a day are many, twenty-one wear the line', () => {
  expect(keys(often(20, 30))).toEqual([])
  expect(conflicts(often(21, 30), facts)).toMatchObject([{ key: 'wear', line: 'a', figure: 21, at: from }])
})

test('more than 120 operations in an hour are refused', () => {
  const seconds = (second: number) =>
    `00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}`
  const timers = (count: number) =>
    Array.from({ length: count }, (_, index) => planned(index + 1, [[seconds(index * 29), 'close']]))
  expect(keys(timers(120)).filter((key) => key !== 'duplicate')).toEqual(['wear'])
  expect(keys(timers(121)).filter((key) => key !== 'duplicate')).toEqual(['wearHour'])
})

test('closes that wait for longer than ten minutes are named with the wait', () => {
  const lines = Array.from({ length: 601 }, (_, index) => `line ${index}`)
  expect(keys([planned(1, day, lines)])).toEqual([])
  expect(conflicts([planned(1, day, [...lines, 'more'])], facts)).toMatchObject([{ key: 'queue', figure: 601_000 }])
  expect(keys([planned(1, day, lines.slice(0, 301)), planned(2, day, lines.slice(301, 602).concat('x'))])).toEqual(['queue'])
})

test('a close that no trip follows within seven days is named, where the timer also trips', () => {
  const due = (points: Points, days: number) => occurrences(scheduleOf(points, { type: 'weekly', days }), shanghai, from, to)
  const month = [
    ...due([['08:00', 'close']], 0b1),
    ...occurrences(scheduleOf([['18:00', 'trip']], { type: 'once', date: '2026-11-30' }), shanghai, from, to),
  ]
  const timer = planned(1, [], ['a'], { due: month.sort((one, other) => one.at - other.at) })
  expect(conflicts([timer], facts)).toMatchObject([{ key: 'neverOff', at: at('2026-11-23T08:00') }])
  expect(keys([planned(1, [['08:00', 'close']])])).toEqual([])
})

test('what a line cannot do, who is gone and what never comes is shown', () => {
  const canDo: ConflictFacts['canDo'] = (line, action) => line !== 'smoke' || action === 'test'
  expect(keys([planned(1, day, ['a', 'smoke'])], { canDo })).toEqual(['noAction'])
  expect(keys([planned(1, day, ['a'], { hasOwner: false, broken: ['gone'] })])).toEqual(['orphan', 'broken'])
  expect(keys([planned(1, [])])).toEqual(['noRuns'])
})

test('two thousand clashes are named up to a thousand, and fights are not left out for duplicates', () => {
  const timers = Array.from({ length: 60 }, (_, index) => planned(index + 1, [['08:00', index === 59 ? 'trip' : 'close']]))
  const found = conflicts(timers, { ...facts, staggerMs: minuteMs / 60 }).filter(
    ({ key }) => key === 'fight' || key === 'duplicate',
  )
  expect(found.filter(({ key }) => key === 'fight')).toHaveLength(59)
  expect(found.filter(({ key }) => key === 'duplicate')).toHaveLength(1_000)
})
