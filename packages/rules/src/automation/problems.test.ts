import { expect, test } from 'vitest'
import type { NamedLine } from './definition-problem.ts'
import type { LinkedRule } from './linkage-loop.ts'
import type { LinkageDraft } from './linkage-problems.ts'
import { linkageProblems } from './linkage-problems.ts'
import { sceneProblems } from './scene-problems.ts'
import { at, dailySchedule, everyDay, shanghai } from './test-timer.ts'
import type { TimerPoint } from './timer.ts'
import type { TimerDraft } from './timer-problems.ts'
import { rareMonthDays, timerProblems } from './timer-problems.ts'

const breaker: NamedLine = { inProject: true, actions: ['trip', 'close', 'selfTest'] }
const now = at('2026-11-24T12:00')

const timer: TimerDraft = {
  name: '走廊照明',
  function: 'switch',
  period: dailySchedule.period,
  points: dailySchedule.points,
  exceptions: [],
  lines: new Map([['a', breaker]]),
  scene: null,
}
const ofTimer = (more: Partial<TimerDraft>, count = 0) =>
  timerProblems({ ...timer, ...more }, shanghai, count, now).map(({ key, field }) => `${key} ${field}`)
const bounds = { fromDate: null, toDate: null }
const point = (time: TimerPoint['at'], more: Partial<TimerPoint> = {}): TimerPoint => ({
  pointNo: 1,
  at: time,
  action: 'trip',
  ...more,
})

test('a timer that is filled in may be saved', () => {
  expect(ofTimer({})).toEqual([])
})

test('an empty form is refused all at once', () => {
  expect(ofTimer({ name: ' ', function: null, period: null, points: [], lines: new Map() })).toEqual([
    'name missing Name',
    'function missing Function',
    'type missing Type',
    'time missing Points',
    'device missing Lines',
  ])
})

test.each<[string, Partial<TimerDraft>, readonly string[]]>([
  ['33 characters', { name: '𠮷'.repeat(33) }, ['name too long Name']],
  ['no day of the week', { period: { type: 'weekly', days: 0, ...bounds } }, ['period missing Period.Days']],
  ['half a day', { period: { type: 'weekly', days: 1.5, ...bounds } }, ['number out of range Period.Days']],
  ['no class', { period: { type: 'calendar', classes: [], ...bounds } }, ['period missing Period.Classes']],
  ['no day of the month', { period: { type: 'monthly', days: [], ...bounds } }, ['period missing Period.Days']],
  ['the 32nd', { period: { type: 'monthly', days: [32, -1], ...bounds } }, ['number out of range Period.Days']],
  ['30 February', { period: { type: 'once', date: '2027-02-30', ...bounds } }, ['date wrong Period.Date']],
  [
    'this morning',
    { period: { type: 'once', date: '2026-11-24', ...bounds }, points: [point('08:00')] },
    ['timer past Period.Date'],
  ],
  ['this evening', { period: { type: 'once', date: '2026-11-24', ...bounds }, points: [point('18:00')] }, []],
  [
    'an end before its beginning',
    { period: { type: 'weekly', days: 1, fromDate: '2026-12-02', toDate: '2026-12-01' } },
    ['dates reversed Period.ToDate'],
  ],
  [
    'a date that is none',
    { period: { type: 'weekly', days: 1, fromDate: 'soon', toDate: null } },
    ['date wrong Period.FromDate'],
  ],
  ['24:00', { points: [point('24:00')] }, ['time wrong Points.0.At']],
  ['one time twice', { points: [point('08:00'), point('08:00:00', { pointNo: 2 })] }, ['timer points clash Points.1.At']],
  ['one number twice', { points: [point('08:00'), point('09:00')] }, ['listed twice Points.1.PointNo']],
  ['a test in a timer that switches', { points: [point('08:00', { action: 'test' })] }, ['action unknown Points.0.Action']],
  ['the sun in a weekly timer', { points: [point({ sun: 'rise', offsetMin: 0 })] }, ['time wrong Points.0.At']],
  ['a line of another project', { lines: new Map([['a', { ...breaker, inProject: false }]]) }, ['line not in project Lines.a']],
  ['a line that is not there', { lines: new Map([['a', null]]) }, ['device not exists Lines.a']],
  ['a line that cannot close', { lines: new Map([['a', { inProject: true, actions: ['trip'] }]]) }, ['action unknown Lines.a']],
  ['a scene without a scene', { function: 'scene', points: [point('08:00', { action: 'run' })] }, ['scene missing SceneID']],
  ['a scene', { function: 'scene', points: [point('08:00', { action: 'run' })], scene: 'fits', lines: new Map() }, []],
  [
    'a scene that is not there',
    { function: 'scene', points: [point('08:00', { action: 'run' })], scene: 'unknown' },
    ['scene not exists SceneID'],
  ],
  [
    'a scene seen in part',
    { function: 'scene', points: [point('08:00', { action: 'run' })], scene: 'part' },
    ['scene seen in part SceneID'],
  ],
  [
    'a scene that is disabled',
    { function: 'scene', points: [point('08:00', { action: 'run' })], scene: 'disabled' },
    ['scene disabled SceneID'],
  ],
  [
    'exceptions that overlap',
    {
      exceptions: [
        { fromDate: '2026-12-01', toDate: '2026-12-05', points: 'none' },
        { fromDate: '2026-12-05', toDate: '2026-12-06', points: [point('25:00')] },
      ],
    },
    ['time wrong Exceptions.1.Do.0.At', 'dates overlap Exceptions.1.FromDate'],
  ],
])('a timer with %s is refused by field', (_name, more, found) => {
  expect(ofTimer(more)).toEqual(found)
})

test('what is too many is named with how many may be', () => {
  const points = Array.from({ length: 8 }, (_, index) => point(`0${index}:00`, { pointNo: index + 1 }))
  expect(ofTimer({ points })).toEqual([])
  expect(ofTimer({ points: [...points, point('09:00', { pointNo: 9 })] })).toContain('too many Points')
  const lines = (count: number) => new Map(Array.from({ length: count }, (_, index) => [`line ${index}`, breaker]))
  expect(ofTimer({ lines: lines(500) })).toEqual([])
  expect(ofTimer({ lines: lines(501) })).toEqual(['too many Lines'])
  expect([ofTimer({}, 1_999), ofTimer({}, 2_000)]).toEqual([[], ['too many HouseID']])
})

test('by the sun a project needs its position', () => {
  const sun: TimerDraft = {
    ...timer,
    period: { type: 'sun', days: everyDay, ...bounds },
    points: [point({ sun: 'set', offsetMin: 181 })],
  }
  const keys = (position: typeof shanghai.position) => timerProblems(sun, { ...shanghai, position }, 0, now).map(({ key }) => key)
  expect(keys(null)).toEqual(['position missing', 'number out of range'])
  expect(keys(shanghai.position)).toEqual(['number out of range'])
})

test('days that some months do not have are named', () => {
  expect(rareMonthDays([1, 28, 29, 31, -1])).toEqual([29, 31])
})

const item = { line: 'a', action: 'trip', order: 0, known: breaker } as const
test.each([
  ['one item', [item], []],
  ['no item', [], ['device missing Items']],
  ['a line twice', [item, { ...item, action: 'close' as const }], ['listed twice Items.1']],
  ['a line that is not there', [{ ...item, known: null }], ['device not exists Items.0']],
  ['an order below the first', [{ ...item, order: -1 }], ['number out of range Items.0.Order']],
])('a scene with %s is answered by field', (_name, items, found) => {
  expect(sceneProblems({ name: '下班', items }).map(({ key, field }) => `${key} ${field}`)).toEqual(found)
})

const source = { line: breaker, hasKey: true, barsCloses: false }
const linkage: LinkageDraft = {
  name: '过温跳闸',
  conditions: [{ kind: 'point', line: 'a', key: 'temperature.a', op: '>', value: 80, release: 4, forS: 60, source }],
  actions: [{ kind: 'trip', target: breaker, closes: false, delayS: 0 }],
  activeHours: [],
  cooldownS: 300,
  maxPerHour: 6,
  maxPerDay: 24,
  mayClose: false,
}
const condition = linkage.conditions[0]!
const close = { kind: 'close', target: breaker, closes: true, delayS: 0 } as const
const own: LinkedRule = { linkageId: 1, conditions: [{ kind: 'point', line: 'a', key: 'current.a' }], effects: [] }
const ofLinkage = (more: Partial<LinkageDraft>, rule = own) =>
  linkageProblems({ ...linkage, ...more }, rule, [], new Map()).map(({ key, field }) => `${key} ${field}`)

test.each<[string, Partial<LinkageDraft>, readonly string[]]>([
  ['everything in its place', {}, []],
  [
    'nothing',
    { name: '', conditions: [], actions: [] },
    ['name missing Name', 'condition missing Conditions', 'action missing Actions'],
  ],
  [
    'a point that the family has not',
    { conditions: [{ ...condition, source: { ...source, hasKey: false } }] },
    ['point unknown Conditions.0.Key'],
  ],
  [
    'a line that is not there',
    { conditions: [{ ...condition, source: { ...source, line: null } }] },
    ['device not exists Conditions.0'],
  ],
  ['no number', { conditions: [{ ...condition, value: Number.NaN }] }, ['number out of range Conditions.0.Value']],
  ['a close that nobody allowed', { actions: [close] }, ['linkage may not close MayClose']],
  ['a close that was allowed', { actions: [close], mayClose: true }, []],
  [
    'a close on smoke',
    { actions: [close], mayClose: true, conditions: [{ ...condition, source: { ...source, barsCloses: true } }] },
    ['linkage may not close Conditions'],
  ],
  ['a trip on smoke', { conditions: [{ ...condition, source: { ...source, barsCloses: true } }] }, []],
  [
    'limits out of range',
    { cooldownS: 59, maxPerHour: 21, maxPerDay: 0 },
    ['number out of range CooldownS', 'number out of range MaxPerHour', 'number out of range MaxPerDay'],
  ],
  [
    'an hour that is none',
    { activeHours: [{ days: 0, from: '8', to: '18:00' }] },
    ['number out of range ActiveHours.0.Days', 'time wrong ActiveHours.0.From'],
  ],
  ['nine conditions', { conditions: Array(9).fill(condition) }, ['too many Conditions']],
])('a linkage with %s is answered by field', (_name, more, found) => {
  expect(ofLinkage(more)).toEqual(found)
})

test('a loop is refused with its path', () => {
  const loop: LinkedRule = { ...own, effects: [{ kind: 'close', line: 'a' }] }
  expect(linkageProblems({ ...linkage, actions: [close], mayClose: true }, loop, [own], new Map())).toEqual([
    { key: 'linkage loop', field: null, detail: { path: [{ linkageId: 1, line: 'a' }] } },
  ])
})
