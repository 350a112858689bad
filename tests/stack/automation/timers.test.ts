import { md5Hex } from '@linewarden/client'
import type { Timer, TimerForm } from '@linewarden/contract'
import {
  deleteTimer,
  getAutomationRun,
  getTimer,
  grantControl,
  insertTimer,
  lineOverride,
  listJournal,
  logTimers,
  operateLine,
  overrideLine,
  placeTag,
  previewTimer,
  queryTimers,
  releaseLine,
  skipTimer,
  switchTimer,
  timerOperation,
  updateCalendar,
  updateTimer,
  whyNotTimer,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import { verified } from '../../kit/verified.ts'

// Timers against the whole house, through the real broker to simulated equipment; time is moved on by hand.
let stack: Stack
let ahead = 0
const begun = Date.now()
/** A twentieth as fast as the wall: a machine that is busy makes nothing late. */
const now = () => begun + ahead + Math.floor((Date.now() - begun) / 20)

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: now, fleet: { now } })
  calm(stack)
})
afterAll(() => stack?.close())

const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0
const executed = (LineNo: number, action: string) =>
  stack.fleet.executed.filter(
    (each) => each.controllerId === 'A-T1' && each.lineNo === LineNo && each.action === action && each.outcome === 'executed',
  ).length

/** On the clock of Shanghai. */
const civil = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString()
const timeOf = (ms: number) => civil(ms).slice(11, 19)

/** Once, at the second after this instant, of these lines. */
function once(Name: string, ms: number, Action: 'trip' | 'close' | 'test', ...lines: number[]): TimerForm {
  return {
    Name,
    Function: Action === 'test' ? 'selfTest' : 'switch',
    Type: 'once',
    Period: { Date: civil(ms).slice(0, 10) },
    Points: [{ PointNo: 1, At: timeOf(ms), Action }],
    Exceptions: [],
    Lines: lines.map((line) => at(line)),
    KeepWhileWanted: true,
    Enabled: true,
  }
}
const insert = (form: TimerForm, client = stack.client, HouseID = house()) =>
  client.call(insertTimer, { body: { HouseID, ...form } })

/** Moves time on with values that never grow old. */
async function passes(byMs: number): Promise<void> {
  for (let left = byMs; left > 0; left -= 4_000) {
    ahead += Math.min(left, 4_000)
    await report()
  }
}
async function report(): Promise<void> {
  await Promise.all([...stack.fleet.gateways.values()].map((each) => each.report()))
  await stack.server.ingest.drained()
}

/** Sets the clock forward. */
async function leaps(to: number): Promise<void> {
  ahead += to - now()
  await report()
}

/** The run of a timer that is due, once it has ended. */
const runOf = ({ TimerID }: Timer) =>
  vi.waitFor(
    async () => {
      await stack.server.automation.tick()
      const { items } = await stack.client.call(logTimers, { body: { TimerID } })
      expect(items[0]?.EndedAt ?? null).not.toBeNull()
      return stack.client.call(getAutomationRun, { params: { RunID: items[0]?.RunID ?? '' } })
    },
    { interval: 50 },
  )
/** Far enough ahead that saving it takes less. */
const soon = () => Math.ceil(now() / 1_000) * 1_000 + 60_000
const untilDue = (due: number) => passes(Math.max(0, due - now() + 100))

test('what is wrong with a timer is named by field, all at once, in both languages', async () => {
  const form = { ...once(' ', soon(), 'trip'), Function: null, Type: null, Points: [] }
  const refused = await insert(form).catch((error: unknown) => error)
  expect(refused).toMatchObject({
    problem: {
      failure: {
        Message: 'definition wrong',
        Text: { zh: '有 5 处填写不正确，未保存', en: 'Not saved. Fields to correct: 5' },
        Problems: [
          { Path: 'body.Name', Text: { zh: '名称不能为空', en: 'Enter a name' } },
          { Path: 'body.Function', Text: { zh: '请选择功能', en: 'Choose a function' } },
          { Path: 'body.Type', Text: { zh: '请选择类型', en: 'Choose a type' } },
          { Path: 'body.Points', Text: { zh: '请填写执行时间', en: 'Enter a time' } },
          { Path: 'body.Lines', Text: { zh: '请选择设备', en: 'Choose a device' } },
        ],
      },
    },
  })
})

test.each<[string, string, (form: TimerForm) => TimerForm]>([
  ['a time that is over', 'timer past', (form) => ({ ...form, Period: { Date: '2020-01-01' } })],
  [
    'one time twice',
    'timer points clash',
    (form) => ({
      ...form,
      Points: [
        { PointNo: 1, At: '23:59', Action: 'trip' },
        { PointNo: 2, At: '23:59:00', Action: 'trip' },
      ],
    }),
  ],
  ['a line that is not there', 'device not exists', (form) => ({ ...form, Lines: [at(99)] })],
  ['a line of another project', 'line not in project', (form) => ({ ...form, Lines: [at(1, 'B-T1')] })],
  ['an action of another function', 'action unknown', (form) => ({ ...form, Function: 'selfTest' })],
  [
    'the sun without coordinates',
    'position missing',
    (form) => ({
      ...form,
      Type: 'sun',
      Period: { Days: 127 },
      Points: [{ PointNo: 1, At: { Sun: 'set', OffsetMin: 0 }, Action: 'trip' }],
    }),
  ],
  [
    'too many points',
    'too many',
    (form) => ({
      ...form,
      Points: [1, 2, 3, 4, 5, 6, 7, 8].flatMap((no) => [
        { PointNo: no, At: `10:0${no}`, Action: 'trip' as const },
        ...(no === 8 ? [{ PointNo: 0, At: '11:00', Action: 'trip' as const }] : []),
      ]),
    }),
  ],
  [
    'a scene that is not named',
    'definition wrong',
    (form) => ({ ...form, Function: 'scene', Points: [{ PointNo: 1, At: '23:58', Action: 'run' }] }),
  ],
])('%s is refused', async (_, key, changed) => {
  const outcome = await outcomeOf(insert(changed(once('x', soon(), 'trip', 1))))
  expect(key === 'too many' ? [key, 'definition wrong'] : [key]).toContain(outcome)
})

test('a timer is saved, previewed, found, changed by who read it last, skipped, disabled and removed, each in the log', async () => {
  const weekly: TimerForm = {
    ...once('楼道照明', soon(), 'trip', 7, 8),
    Type: 'weekly',
    Period: { Days: 31 },
    Points: [
      { PointNo: 1, At: '18:00', Action: 'close' },
      { PointNo: 2, At: '06:00', Action: 'trip' },
    ],
  }
  const preview = await stack.client.call(previewTimer, { body: { HouseID: house(), ...weekly } })
  expect(preview).toMatchObject({ Problems: [], LengthMs: 1_000 })
  expect(preview.Next.map(({ Action }) => Action)).toHaveLength(5)
  const timer = await insert(weekly)
  expect(timer).toMatchObject({ Name: '楼道照明', LineCount: 2, Orphan: false, Version: 1, OwnerName: stack.admin.userName })
  expect(timer.Next).toEqual(preview.Next)
  expect(await outcomeOf(insert({ ...weekly, Name: ' 楼道照明 ', Lines: [at(6)] }))).toBe('timer exists')
  const { TimerID } = timer
  const found = await stack.client.call(queryTimers, { body: { ...at(8), Text: '照明' } })
  expect(found.items.map((each) => each.TimerID)).toEqual([TimerID])
  expect((await stack.client.call(queryTimers, { body: at(5) })).total).toBe(0)

  const changed = await stack.client.call(updateTimer, { body: { TimerID, Version: 1, ...weekly, Lines: [at(8)] } })
  expect(changed).toMatchObject({ Version: 2, LineCount: 1 })
  expect(await outcomeOf(stack.client.call(updateTimer, { body: { TimerID, Version: 1, ...weekly } }))).toBe('changed meanwhile')
  const Until = changed.Next[0]?.At ?? 0
  const skipped = await stack.client.call(skipTimer, { body: { TimerID, Version: 2, Until } })
  expect([skipped.SkipNextUntil, skipped.Next[0]?.At]).toEqual([Until, changed.Next[1]?.At])
  const off = await stack.client.call(switchTimer, { body: { TimerID, Version: 3, Enabled: false } })
  expect([off.Enabled, off.Next]).toEqual([false, []])
  await stack.client.call(deleteTimer, { body: { TimerID, Version: 4 } })
  expect(await outcomeOf(stack.client.call(getTimer, { params: { TimerID } }))).toBe('timer not exists')
  const { items } = await stack.client.call(listJournal, { body: { Size: 20 } })
  const actions = items.map(({ Action }) => Action)
  for (const action of ['timer.add', 'timer.edit', 'timer.skip', 'timer.disable', 'timer.delete'])
    expect(actions).toContain(action)
})

test('a timer that is due trips its lines once, and its log says so', async () => {
  const due = soon()
  const timer = await insert(once('下班分闸', due, 'trip', 1, 2))
  await untilDue(due)
  const run = await runOf(timer)
  expect(run).toMatchObject({ State: 'done', Actor: stack.admin.userName, DueAt: due, Whole: true })
  expect(run.Lines.map(({ Action, LineNo, State }) => [Action, LineNo, State])).toEqual([
    ['trip', 1, 'ordered'],
    ['trip', 2, 'ordered'],
  ])
  for (const each of [1, 2]) await verified(stack.client, at(each))
  expect([executed(1, 'trip'), executed(2, 'trip')]).toEqual([1, 1])
  expect(run.Lines[0]?.Command).toMatchObject({ Source: 'timer', Reason: { zh: '定时「下班分闸」', en: 'Timer “下班分闸”' } })
  await stack.server.automation.tick()
  expect((await stack.client.call(logTimers, { body: { TimerID: timer.TimerID } })).total).toBe(1)
  const ran = await stack.client.call(whyNotTimer, { params: { TimerID: timer.TimerID }, query: { At: due } })
  expect([ran.Why, ran.Runs.map(({ State }) => State)]).toEqual(['ran', ['done']])
  const not = await stack.client.call(whyNotTimer, { params: { TimerID: timer.TimerID }, query: { At: due - 86_400_000 } })
  expect(not.Why).toBe('period')
})

test('a close goes through the permit, line by line: a tagged line stays open and says whose tag it is', async () => {
  await passes(12_000)
  await stack.client.call(placeTag, { params: at(2), body: { TagID: crypto.randomUUID(), Kind: 'lock', Reason: '检修' } })
  const due = soon()
  const timer = await insert(once('上班合闸', due, 'close', 1, 2, 3))
  await untilDue(due)
  const run = await runOf(timer)
  expect(run.State).toBe('partly')
  expect(run.Lines.map(({ LineNo, State, Refusal }) => [LineNo, State, Refusal?.Key ?? null])).toEqual([
    [1, 'ordered', null],
    [2, 'refused', 'close not permitted'],
    [3, 'skipped', 'alreadySo'],
  ])
  await verified(stack.client, at(1))
  expect(executed(1, 'close')).toBe(1)
  expect([executed(2, 'close'), executed(3, 'close')]).toEqual([0, 0])
})

test('a close that comes more than five seconds late is missed and operates nothing; a trip may come a minute late', async () => {
  const [close, trip, late] = [soon(), soon() + 1_000, soon() + 2_000]
  const closing = await insert(once('迟到合闸', close, 'close', 1))
  const tripping = await insert(once('迟到分闸', trip, 'trip', 4))
  const before = executed(1, 'close')
  // In one step: nothing looks for what is due while it is not late yet.
  await leaps(close + 20_000)
  expect(await runOf(closing)).toMatchObject({ State: 'missed', Why: expect.stringMatching(/clockSet|overloaded/), Lines: [] })
  expect(await runOf(tripping)).toMatchObject({ State: 'done' })
  expect(executed(1, 'close')).toBe(before)
  const tooLate = await insert(once('太迟分闸', late + 120_000, 'trip', 5))
  await leaps(late + 181_500)
  expect(await runOf(tooLate)).toMatchObject({ State: 'missed' })
  expect(executed(5, 'trip')).toBe(0)
})

test('what fires has the rights that its owner has then; whoever takes it over gives it theirs', async () => {
  const who = { userName: 'gone1', password: 'Duty-7391' }
  const accountId = await stack.server.accounts.createAccount({ ...who, kind: 'platform' })
  const client = await signedIn(stack.url, who, now)
  const due = soon()
  const timer = await insert(once('无主', due, 'trip', 6), client)
  await stack.server.database.general.updateTable('account').set({ disabled: true }).where('account_id', '=', accountId).execute()
  const { items } = await stack.client.call(queryTimers, { body: { Orphan: true } })
  expect(items.map(({ TimerID }) => TimerID)).toContain(timer.TimerID)
  await untilDue(due)
  const run = await runOf(timer)
  expect([run.State, run.Lines[0]?.Refusal?.Key]).toEqual(['refused', 'access denied'])
  expect(executed(6, 'trip')).toBe(0)
})

test('with a control password a timer is saved by its grant only, and fires without one', async () => {
  const who = { userName: 'careful1', password: 'Duty-7391' }
  await stack.server.accounts.createAccount({ ...who, kind: 'platform', controlPassword: 'Ctrl-2580' })
  const client = await signedIn(stack.url, who, now)
  const due = soon()
  const form = once('有口令', due, 'trip', 8)
  expect(await outcomeOf(insert(form, client))).toBe('control grant missing')
  const grantFor = async (saved: TimerForm) => {
    const body = { Password: md5Hex('Ctrl-2580'), Operation: timerOperation({ TimerID: null, ...saved }) }
    return (await client.call(grantControl, { body })).Grant
  }
  // What was granted for one line saves no other.
  const other = { ...form, Lines: [{ ControllerID: 'A-T1', LineNo: 7 }] }
  expect(await outcomeOf(client.call(insertTimer, { body: { HouseID: house(), ...form, Grant: await grantFor(other) } }))).toBe(
    'control grant over',
  )
  const timer = await client.call(insertTimer, { body: { HouseID: house(), ...form, Grant: await grantFor(form) } })
  await untilDue(due)
  expect(await runOf(timer)).toMatchObject({ State: 'done' })
})

test('a trip at the end of a window is left out while another timer still wants the line on', async () => {
  const daily = (Name: string, close: number, trip: number): TimerForm => ({
    ...once(Name, close, 'close', 7),
    Type: 'weekly',
    Period: { Days: 127 },
    Points: [
      { PointNo: 1, At: timeOf(close), Action: 'close' },
      { PointNo: 2, At: timeOf(trip), Action: 'trip' },
    ],
  })
  const start = soon()
  const short = await insert(daily('早班', start, start + 120_000))
  await insert(daily('全天', start + 30_000, start + 600_000))
  await passes(start + 110_000 - now())
  // A look that began before knows nothing of owners who are asked for now: in a plant time does not pass so fast.
  await stack.server.automation.tick()
  await passes(start + 120_100 - now())
  await vi.waitFor(async () => {
    await stack.server.automation.tick()
    const { items } = await stack.client.call(logTimers, { body: { TimerID: short.TimerID } })
    expect(items[0]).toMatchObject({ PointNo: 2, State: 'skipped', Why: 'stillWanted' })
  })
  expect(executed(7, 'trip')).toBe(0)
})

test('two timers that switch a line the other way within a minute are saved only with a reason', async () => {
  const due = soon() + 3_600_000
  await insert(once('对开一', due, 'close', 3))
  const form = once('对开二', due + 30_000, 'trip', 3)
  const refused = await insert(form).catch((error: unknown) => error)
  expect(refused).toMatchObject({ problem: { failure: { Message: 'timer conflict' } } })
  await stack.client.call(insertTimer, { body: { HouseID: house(), ...form, ConflictReason: '试验后立即断开' } })
})

test('a day that is entered moves what is due by the calendar', async () => {
  const tomorrow = civil(now() + 86_400_000).slice(0, 10)
  const form: TimerForm = {
    ...once('特殊日', soon(), 'trip', 4),
    Type: 'calendar',
    Period: { Classes: ['special'] },
    Points: [{ PointNo: 1, At: '12:00', Action: 'trip' }],
  }
  const { TimerID } = await insert(form)
  await stack.client.call(updateCalendar, {
    body: { HouseID: house(), Days: [{ Date: tomorrow, Class: 'special', Name: '停电演练' }] },
  })
  const [next] = (await stack.client.call(getTimer, { params: { TimerID } })).Next
  expect(next?.Date).toBe(tomorrow)
  const due = await stack.server.database.general
    .selectFrom('timer_due')
    .select('due_at')
    .where('timer_id', '=', TimerID)
    .executeTakeFirst()
  expect(due?.due_at.getTime()).toBe(next?.At)
})

test('what a person tripped no timer closes behind their back, until they release it', async () => {
  await stack.client.call(operateLine, {
    params: { ...at(5), attr: 'trip' },
    body: { CommandID: crypto.randomUUID(), Reason: '检修' },
  })
  await verified(stack.client, at(5))
  await passes(12_000)
  const due = soon()
  const first = await insert(once('人工分闸后', due, 'close', 5))
  expect(await stack.client.call(lineOverride, { params: at(5) })).toMatchObject({ Kind: 'stay', By: stack.admin.userName })
  await untilDue(due)
  const run = await runOf(first)
  expect([run.State, run.Lines[0]?.State, run.Lines[0]?.Refusal?.Key]).toEqual(['skipped', 'skipped', 'personTripped'])
  expect(executed(5, 'close')).toBe(0)
  await stack.client.call(releaseLine, { params: at(5) })
  const again = soon()
  const second = await insert(once('解除后', again, 'close', 5))
  await untilDue(again)
  expect(await runOf(second)).toMatchObject({ State: 'done' })
  await vi.waitFor(() => expect(executed(5, 'close')).toBe(1))
})

test('while a person has a line on hold its timers do nothing, and no longer than fourteen days', async () => {
  const putOff = (Until: number) =>
    stack.client.call(overrideLine, { params: at(4), body: { Kind: 'until', Until, Reason: '活动' } })
  expect(await outcomeOf(putOff(now() + 15 * 86_400_000))).toBe('override end wrong')
  await putOff(now() + 3_600_000)
  const due = soon()
  const timer = await insert(once('保持中', due, 'trip', 4))
  const before = executed(4, 'trip')
  await untilDue(due)
  const run = await runOf(timer)
  expect([run.State, run.Lines[0]?.Refusal?.Key, executed(4, 'trip')]).toEqual(['skipped', 'override', before])
  await stack.client.call(releaseLine, { params: at(4) })
  expect(await stack.client.call(lineOverride, { params: at(4) })).toMatchObject({ Kind: null })
})

test('a person may still trip a line that a timer is about', async () => {
  const body = { CommandID: crypto.randomUUID(), Reason: 'x' }
  expect(await outcomeOf(stack.client.call(operateLine, { params: { ...at(3), attr: 'trip' }, body }))).toBe('done')
})
