import type { Client } from '@linewarden/client'
import type { Reply, Request } from '@linewarden/contract'
import {
  explainWarning,
  lineWarnings,
  listWarningRules,
  previewWarningRule,
  queryWarnings,
  undoNormalChange,
  warningDetails,
} from '@linewarden/contract'
import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import { levelPriority } from '@linewarden/rules/warning'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { diceOf } from '../../kit/warning-truth/dice.ts'
import type { TrueFault } from '../../kit/warning-truth/line-truth.ts'
import { lineTruth } from '../../kit/warning-truth/line-truth.ts'
import { firstDayOf, makeOfPlan, storeHours } from '../../kit/warning-truth/seeded-hours.ts'
import { hot, step } from '../../kit/warning-truth/sudden.ts'

// A recorded past of lines whose faults are known, judged by the night as it came and tried out afterwards. Noon in Shanghai.
const now = Date.UTC(2026, 10, 24, 4)
const [today, offsetHours] = [Math.floor(now / dayMs), 8]
const firstDay = firstDayOf(today, 63)

type Asked = Request<typeof previewWarningRule>['body']
type PlantLine = NonNullable<ReturnType<Stack['server']['plant']['lineAt']>>

let stack: Stack
let client: pg.Client
let reader: Client
let part: Client

const houseOf = (name: string) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0
function lineOf(lineNo: number, device = 'A-T1'): PlantLine {
  const line = stack.server.plant.lineAt(device, lineNo)
  if (!line) throw new Error('the small plan has eight lines')
  return line
}

const faults: readonly (readonly TrueFault[])[] = [
  [],
  [step(40, 60)],
  [hot(45, 45)],
  [step(50, 45), hot(50, 30)],
  [step(44, 150)],
  // It was there before the stretch that is tried out, and raises nothing in it.
  [step(24, 90)],
  [hot(52, 14)],
  [],
]

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, expects: /early warning/ })
  client = await stack.server.database.connect()
  for (const line of stack.server.plant.lines.values()) line.reported.set('leakage.trip', 300)
  for (const [index, own] of faults.entries()) {
    const line = lineOf(index + 1)
    await client.query('delete from line_look where line_id = $1', [line.id])
    const truth = lineTruth(17 + index, today - firstDay, makeOfPlan(diceOf(17 + index)), own)
    await storeHours(client, line, truth, { firstDay, offsetHours })
  }
  await stack.server.warning.nightly.look()
  const { accounts } = stack.server
  const person = async (userName: string, privilege: string, projectIds: number[]) => {
    const roleId = await accounts.createRole({ number: userName, name: userName, privileges: ['devmon', privilege], buttons: [] })
    await accounts.createAccount({ userName, password: 'Duty-7391', kind: 'sub', roleId, projectIds })
    return signedIn(stack.url, { userName, password: 'Duty-7391' }, () => now)
  }
  reader = await person('reader', 'devmon.faultalarm', [houseOf('项目A')])
  part = await person('other', 'advance.warning', [houseOf('项目B')])
})
afterAll(async () => {
  await client?.end()
  await stack?.close()
})

/** The rule as it is in force, with what is changed of it. */
async function asked(Key: string, change: Partial<Asked> = {}): Promise<Asked> {
  const { items } = await stack.client.call(listWarningRules, { query: { HouseID: houseOf('项目A') } })
  const rule = items.find((each) => each.Key === Key)
  if (!rule) throw new Error(Key)
  const { Enabled, Priority, Targets, Except } = rule
  return { ...{ HouseID: houseOf('项目A'), Key, Enabled, Params: [], Priority, Targets, Except }, ...change }
}
const preview = async (key: string, change: Partial<Asked> = {}): Promise<Reply<typeof previewWarningRule>> =>
  stack.client.call(previewWarningRule, { body: await asked(key, change) })

/** What the night raised by itself in the stretch, by key and line. */
async function raisedBy(key: string): Promise<string[]> {
  const { rows } = await client.query<{ line_id: number; point: string | null }>(
    'select line_id, point from event join warning_evidence using (event_id) where key = $1 order by line_id, point',
    [key],
  )
  return rows.map(({ line_id, point }) => `${line_id} ${point}`)
}

test.each(['leakage.step', 'leakage.drift', 'contact', 'load.growth'])(
  'tried out over what is recorded, %s raises what it raised in it',
  async (key) => {
    const { New, Present, Noisiest, More, Fewer } = await preview(key)
    expect([More, Fewer, Present]).toEqual([0, 0, New])
    const raised = await raisedBy(key)
    const before = key === 'leakage.step' ? 1 : 0
    expect(New.Findings).toBe(raised.length - before)
    expect(Noisiest.map((each) => each.New).reduce((sum, each) => sum + each, 0)).toBe(New.Findings)
    for (const { LineID } of Noisiest) expect(raised.some((each) => each.startsWith(`${LineID} `))).toBe(true)
  },
)

test('what is found by days, by lines and for how long adds up', async () => {
  const found = await preview('leakage.step')
  expect(found.New.Findings).toBeGreaterThanOrEqual(3)
  expect(found.PerDay.reduce((sum, day) => sum + day.New, 0)).toBe(found.New.Findings)
  expect(found.PerDay.reduce((sum, day) => sum + day.Both, 0)).toBe(found.New.Findings)
  expect(found.Days).toBe(30)
  expect(found.PerDay.at(-1)?.Day).toBe('2026-11-23')
  expect(found.New.LongestHours).toBeGreaterThanOrEqual(24)
  expect(found.Lines).toBe(9)
  expect(found.Evaluated).toBe(8)
  expect(found.NotEvaluated).toEqual([{ Reason: 'notMeasured', Lines: 1 }])
  expect(found.CoveragePercent).toBeGreaterThan(70)
})

test('a stricter rule raises no more, a milder one no fewer, and the difference is told', async () => {
  const strict = await preview('leakage.step', {
    Params: [
      { Name: 'stepShare', Value: 0.3 },
      { Name: 'hourlyShare', Value: 0.5 },
    ],
  })
  expect(strict.New.Findings).toBeLessThan(strict.Present.Findings)
  expect(strict.Fewer).toBeGreaterThan(0)
  const mild = await preview('contact', {
    Params: [
      { Name: 'noticeK', Value: 2 },
      { Name: 'minExcessK', Value: 4 },
    ],
  })
  expect(mild.New.Findings).toBeGreaterThanOrEqual(mild.Present.Findings)
  expect(mild.Fewer).toBe(0)
})

test('a noisy rule is told with the figure that would halve it', async () => {
  const { New, Noisy, NoisyAbove, Halving } = await preview('contact')
  expect([NoisyAbove, Noisy]).toEqual([0.9, true])
  if (!Halving) throw new Error('some figure halves it')
  expect(Halving.Findings).toBeLessThanOrEqual(New.Findings / 2)
  const halved = await preview('contact', { Params: [{ Name: Halving.Name, Value: Halving.Value }] })
  expect(halved.New.Findings).toBe(Halving.Findings)
})

test('lines that it leaves out are none of it, and switched off it raises nothing', async () => {
  const without = await preview('leakage.step', { Except: [lineOf(2).id] })
  expect([without.Excepted, without.Lines, without.Fewer]).toEqual([1, 8, 1])
  expect(await preview('leakage.step', { Enabled: false })).toMatchObject({
    Lines: 0,
    New: { Findings: 0 },
    CoveragePercent: null,
  })
  const other = await preview('leakage.step', { Targets: { Kind: 'families', Families: ['smoke'], LineIDs: [] } })
  expect([other.Lines, other.New.Findings, other.Present.Findings > 0]).toEqual([1, 0, true])
})

test('nothing is saved', async () => {
  const count = async () =>
    (await client.query('select (select count(*) from event) as events, (select count(*) from warning_rule) as rules')).rows[0]
  const before = await count()
  await preview('contact', { Params: [{ Name: 'noticeK', Value: 2 }] })
  expect(await count()).toEqual(before)
})

test('a stretch that is too wide, ends before it begins, or a figure out of range is refused', async () => {
  const From = now - 30 * dayMs - 1
  expect(await outcomeOf(preview('contact', { From }))).toBe('preview too wide')
  expect(await outcomeOf(preview('contact', { From: now, To: now - 1 }))).toBe('invalid parameter')
  expect(await outcomeOf(preview('contact', { Params: [{ Name: 'noticeK', Value: 99 }] }))).toBe('rule out of range')
  expect(await outcomeOf(preview('harmonic', { Enabled: true }))).toBe('rule not measurable')
  expect(await outcomeOf(stack.client.call(previewWarningRule, { body: { ...(await asked('contact')), Key: 'toast' } }))).toBe(
    'warning rule not exists',
  )
})

test('who asks anew while one runs waits for its end and is answered', async () => {
  const body = await asked('contact')
  const both = await Promise.all([1, 2].map(() => outcomeOf(stack.client.call(previewWarningRule, { body }))))
  expect(both).toEqual(['done', 'done'])
})

test('rules are tried out by who holds their page, on projects that they see whole', async () => {
  const body = await asked('contact')
  expect(await outcomeOf(reader.call(previewWarningRule, { body }))).toBe('access denied')
  expect(await outcomeOf(part.call(previewWarningRule, { body }))).toBe('project not exists')
  const own = await part.call(previewWarningRule, { body: { ...body, HouseID: houseOf('项目B') } })
  expect(own.New.Findings).toBe(0)
})

async function record(line: PlantLine, from: number, values: (minute: number) => readonly (number | null)[], minutes: number) {
  const at = Array.from({ length: minutes }, (_, minute) => from + minute * minuteMs)
  const rows = at.map((each, minute) => ({ at: new Date(each), values: values(minute) }))
  for (const {
    at: when,
    values: [a = null, b = null, c = null, va = null, vb = null, vc = null],
  } of rows)
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, v1, v2, v3, v4, v5) values ($1, $2, $2, 0, $3, $4, $5, $6, $7, $8)
       on conflict do nothing`,
      [line.id, when, a, b, c, va, vb, vc],
    )
  await client.query(
    `insert into reading_hour (line_id, hour, count, min, mean, max, quality)
     select line_id, date_trunc('hour', at), count(*), array[min(v0), min(v1), min(v2), min(v3), min(v4), min(v5)],
       array[avg(v0), avg(v1), avg(v2), avg(v3), avg(v4), avg(v5)]::real[], array[max(v0), max(v1), max(v2), max(v3), max(v4), max(v5)], 0
     from reading where line_id = $1 and at >= $2 and at < $3 group by 1, 2
     on conflict (line_id, hour) do update set min = excluded.min, max = excluded.max`,
    [line.id, new Date(from), new Date(from + minutes * minuteMs)],
  )
}

test('what lasts too long is found in the samples of the hours that pass its limit, over the turn of an hour too', async () => {
  const line = lineOf(1, 'B-T1')
  const limit = line.reported.get('overload.alarm') ?? line.ratedCurrentA ?? 0
  const HouseID = houseOf('项目B')
  const begins = Math.floor((now - 3 * hourMs) / hourMs) * hourMs
  const lasts = (minute: number) => (minute < 9 || (minute >= 53 && minute < 67) ? limit + 1 : limit / 2)
  // Nine minutes are none; fourteen are one, seven of them in each of two hours, whatever is missing of it.
  await record(line, begins, (minute) => [minute === 58 ? null : lasts(minute), 1, 1, 230, 230, 230], 90)
  const found = await preview('overcurrent', { HouseID })
  expect(found.New.Findings).toBe(1)
  expect(found.Noisiest[0]).toMatchObject({ LineID: line.id, New: 1 })
  expect(found.New.LongestHours).toBeLessThan(1)
  expect((await preview('overcurrent', { HouseID, Params: [{ Name: 'minutes', Value: 20 }] })).New.Findings).toBe(0)
  expect((await preview('overcurrent', { HouseID, Params: [{ Name: 'minutes', Value: 5 }] })).New.Findings).toBe(2)
})

test('a neutral that breaks and a phase that is lost are found with what was before them', async () => {
  const HouseID = houseOf('项目B')
  const begins = Math.floor((now - 5 * hourMs) / hourMs) * hourMs
  for (const line of stack.server.plant.lines.values()) line.states.set('position', 'closed')
  await client.query(
    `update line_state set states = states || '{"position": "closed"}' where line_id in (select line_id from line)`,
  )
  await record(
    lineOf(2, 'B-T1'),
    begins,
    (minute) => [5, 5, 5, ...(minute >= 70 && minute < 80 ? [262, 206, 221] : [230, 230, 230])],
    110,
  )
  await record(
    lineOf(3, 'B-T1'),
    begins,
    (minute) => [5, 5, 5, ...(minute >= 70 && minute < 80 ? [8, 230, 231] : [230, 230, 230])],
    110,
  )
  expect((await preview('neutral', { HouseID })).Noisiest.map(({ LineNo }) => LineNo)).toEqual([2])
  expect((await preview('phaseLoss', { HouseID })).Noisiest.map(({ LineNo }) => LineNo)).toEqual([3])
})

async function happen(
  key: string,
  place: { gateway: number; line: number | null },
  acts: readonly (readonly [string, number])[],
) {
  const { rows } = await client.query<{ event_id: string }>(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
     values ('fault', $1, $2, $2, $2, 'normal', $3, $4, $5, $6, $6) returning event_id`,
    [levelPriority('warning', 'medium'), key, houseOf('项目B'), place.gateway, place.line, new Date(acts[0]?.[1] ?? now)],
  )
  for (const [act, at] of acts)
    await client.query(
      "insert into event_transition (event_id, at, act, from_state, to_state) values ($1, $2, $3, null, case $3 when 'raise' then 'active' else 'normal' end)",
      [rows[0]?.event_id, new Date(at), act],
    )
}

test('what was away for hours, comes and goes, or trips again and again is found among the events', async () => {
  const HouseID = houseOf('项目B')
  const line = lineOf(4, 'B-T1')
  const gateway = line.device.gateway.id
  const begins = now - 10 * dayMs
  await happen('gateway.offline', { gateway, line: null }, [
    ['raise', begins],
    ['return', begins + 7 * hourMs],
  ])
  const shorter = begins + 2 * dayMs
  const flaps = Array.from({ length: 7 }, (_, nth) => [
    ['raise', shorter + nth * 4 * minuteMs] as const,
    ['return', shorter + (nth * 4 + 1) * minuteMs] as const,
  ]).flat()
  await happen('gateway.offline', { gateway, line: null }, flaps)
  for (let nth = 0; nth < 3; nth++)
    await happen('trip.leakage', { gateway, line: line.id }, [
      ['raise', begins + nth * hourMs],
      ['return', begins + nth * hourMs + 1],
    ])
  expect(await preview('offline', { HouseID })).toMatchObject({ New: { Findings: 1, LongestHours: expect.closeTo(1.1, 1) } })
  expect((await preview('offline', { HouseID, Params: [{ Name: 'hours', Value: 8 }] })).New.Findings).toBe(0)
  expect((await preview('link.unstable', { HouseID })).New.Findings).toBe(1)
  const trips = await preview('trips.often', { HouseID })
  expect(trips.Noisiest).toMatchObject([{ LineNo: 4, New: 1 }])
})

test('the proof of a leakage is drawn from its days, and the hours around the day that was evaluated', async () => {
  const { items, about } = await reader.call(queryWarnings, { body: { Keys: ['leakage.step'], Size: 50 } })
  const line = lineOf(5)
  const own = items.find(({ Event }) => Event.LineID === line.id)
  expect(own?.Spark?.Values).toHaveLength(35)
  expect(own?.Spark?.Unit).toBe('mA')
  const { Leakage, Contact } = await reader.call(warningDetails, { params: { EventID: own?.Event.EventID ?? '' } })
  expect(Contact).toBeNull()
  expect(Leakage?.TripMa).toBe(300)
  expect(Leakage?.Baseline).toBeGreaterThan(0)
  const last = Leakage?.Days.at(-1)
  expect(last).toMatchObject({ Day: '2026-11-23', Excluded: null })
  expect(last?.FloorMa ?? 0).toBeGreaterThan((Leakage?.Baseline ?? 0) + 100)
  const [first, end] = [Leakage?.Hours[0]?.At ?? 0, Leakage?.Hours.at(-1)?.At ?? 0]
  expect([own?.Event.RaisedAt, (Leakage?.RaisedAt ?? now) < now - 7 * dayMs]).toEqual([now, true])
  expect([first < (Leakage?.RaisedAt ?? 0), end > (Leakage?.RaisedAt ?? 0), end - first]).toEqual([true, true, 72 * hourMs])
  expect(about).toMatchObject({ Lines: 8, Evaluated: 8 })
  expect(about.EvaluatedAt).toBe(now)
})

test('the proof of a hot contact is drawn with each phase against the square of its current, and day by day', async () => {
  const line = lineOf(3)
  const { items } = await reader.call(queryWarnings, { body: { Keys: ['contact'], LineID: line.id } })
  const { Contact, Warning } = await reader.call(warningDetails, { params: { EventID: items[0]?.Event.EventID ?? '' } })
  expect(Contact?.Phases.map(({ Point }) => Point)).toEqual(['temperature.a', 'temperature.b', 'temperature.c'])
  const hot = Contact?.Phases[1]
  expect(hot?.ExcessK).toBeGreaterThan(35)
  expect(hot?.ExcessK).toBeLessThan(55)
  expect(hot?.AtPeakK ?? 0).toBeCloseTo(Warning.Evidence.Value, -1)
  expect(Contact?.Counted).toBe(hot?.Hours.length)
  const day = hot?.Daily.findLast(({ AtPeakK }) => AtPeakK !== null)
  expect((day?.Lo ?? 0) < (day?.AtPeakK ?? 0) && (day?.AtPeakK ?? 0) < (day?.Hi ?? 0)).toBe(true)
})

test('of a line is shown what is kept of its days, what each rule said of it, and how long it was learnt', async () => {
  const { items } = await reader.call(queryWarnings, { body: { Keys: ['contact'], LineID: lineOf(3).id } })
  const place = { ControllerID: 'A-T1', LineNo: 3 }
  const shown = await reader.call(lineWarnings, { params: place, query: { Days: 20 } })
  expect(shown).toMatchObject({ TripMa: 300, RatedA: 63, DaysLearnt: today - firstDay, LearningDays: 14 })
  expect(shown.Days.length).toBeGreaterThanOrEqual(19)
  expect(shown.Days.at(-1)?.ContactK[1]).toBeGreaterThan(30)
  const rule = (key: string) => shown.Rules.find(({ Key }) => Key === key)
  expect(rule('contact')).toMatchObject({ Enabled: true, EventID: items[0]?.Event.EventID, NotEvaluated: null })
  expect(rule('voltage.range')).toMatchObject({ NotEvaluated: 'coverage' })
  const foreign = { params: { ...place, ControllerID: 'B-T1' }, query: {} }
  expect(await outcomeOf(reader.call(lineWarnings, foreign))).toBe('device not exists')
  expect(await outcomeOf(part.call(lineWarnings, foreign))).toBe('access denied')
})

test('a finding that somebody explains is over, and its line is learnt anew from that day on', async () => {
  const line = lineOf(2)
  const { items } = await reader.call(queryWarnings, { body: { LineID: line.id, Keys: ['leakage.step'] } })
  const params = { EventID: items[0]?.Event.EventID ?? '' }
  const body = (FromDay: string) => ({ FromDay, Reason: '新增滤波器，正常泄漏' })
  for (const day of ['2026-11-25', '2020-01-01', '2026-02-31'])
    expect(await outcomeOf(reader.call(explainWarning, { params, body: body(day) }))).toBe('baseline day wrong')
  const { EventID: eventId = '', Point: point = null } = items[0]?.Event ?? {}
  const alarmKey = point === null ? 'leakage.step' : `leakage.step@${point}`
  line.alarms.set(alarmKey, { eventId, key: 'leakage.step', kind: 'warning', priority: 'low', point })
  const done = await reader.call(explainWarning, { params, body: body('2026-11-10') })
  expect([done.Event.State, line.alarms.has(alarmKey)]).toEqual(['normal', false])
  expect(await outcomeOf(reader.call(explainWarning, { params, body: body('2026-11-10') }))).toBe('warning over')
  const { Explained } = await reader.call(warningDetails, { params })
  expect(Explained).toEqual({ From: '2026-11-10', Reason: '新增滤波器，正常泄漏', By: 'reader', At: now, Undone: null })
  await stack.server.warning.nightly.look()
  expect((await reader.call(queryWarnings, { body: { LineID: line.id, Keys: ['leakage.step'] } })).total).toBe(0)
  const shown = await reader.call(lineWarnings, { params: { ControllerID: 'A-T1', LineNo: 2 }, query: {} })
  expect(shown.Rules.find(({ Key }) => Key === 'leakage.step')).toMatchObject({ NotEvaluated: 'learning', Have: 13, Need: 14 })

  // They were wrong: what was there is open again, and stays so, because the line is compared with its days before.
  const undo = { params, body: { Reason: '滤波器未安装，误认定' } }
  expect(await outcomeOf(part.call(undoNormalChange, undo))).toBe('access denied')
  const { Warning, Again } = await reader.call(undoNormalChange, undo)
  expect([Warning.Event.State, Again?.Event.State, Again?.Evidence.Value]).toEqual(['normal', 'active', Warning.Evidence.Value])
  expect(line.alarms.get(alarmKey)?.eventId).toBe(Again?.Event.EventID)
  expect(await outcomeOf(reader.call(undoNormalChange, undo))).toBe('warning not explained')
  expect((await reader.call(warningDetails, { params })).Explained).toMatchObject({
    ...{ By: 'reader', Undone: { By: 'reader', At: now, Reason: '滤波器未安装，误认定' } },
  })
  await stack.server.warning.nightly.look()
  const found = await reader.call(queryWarnings, { body: { LineID: line.id, Keys: ['leakage.step'] } })
  expect(found.items.map(({ Event }) => [Event.EventID, Event.State])).toEqual([[Again?.Event.EventID, 'active']])
  const { rows: logged } = await client.query("select actor, after from audit where action = 'event.unexplain'")
  expect(logged).toEqual([{ actor: 'reader', after: { reason: '滤波器未安装，误认定' } }])
  // What was explained once more since stays explained, whatever becomes of the explanation before.
  await reader.call(explainWarning, { params: { EventID: Again?.Event.EventID ?? '' }, body: body('2026-11-10') })
  await client.query('update warning_baseline set undone_at = null, undone_by = null where event_id = $1', [eventId])
  expect((await reader.call(undoNormalChange, undo)).Again).toBeNull()
  expect((await reader.call(queryWarnings, { body: { LineID: line.id, Keys: ['leakage.step'] } })).total).toBe(0)
})
