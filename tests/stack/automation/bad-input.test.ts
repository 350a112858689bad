import type { Client } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import type { LinkageForm, Request, TimerForm } from '@linewarden/contract'
import {
  deleteScene,
  insertLinkage,
  insertScene,
  insertTimer,
  overrideLine,
  previewTimer,
  skipTimer,
  switchLinkage,
  switchScene,
  switchTimer,
  takeLinkage,
  takeOrphanedLinkages,
  takeOrphanedScenes,
  takeOrphanedTimers,
  takeTimer,
  updateCalendar,
  updateLinkage,
  updateScene,
  updateTimer,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Whatever people get wrong with timers, scenes and linkages comes back with its message, in both languages, at its field.
const [project, elsewhere] = smallPlan
const [cabinet] = project?.gateways ?? []
if (!project || !elsewhere || !cabinet) throw new Error('the plan has two projects')
const second = {
  ...{ ...cabinet, number: 'GW-C', name: 'C柜' },
  devices: cabinet.devices.map((device) => ({ ...device, controllerId: device.controllerId.replace('A-', 'C-') })),
}
let stack: Stack
/** Administrator; sees one cabinet; may not switch; may switch and manage nothing; has a control password. */
let people: Record<'admin' | 'partly' | 'managing' | 'switching' | 'careful', Client>
const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0
/** Ids and versions of what was saved before, by what the rows call it. */
const saved = new Map<string, { readonly id: number; readonly version: number }>()
const was = (name: string) => saved.get(name) ?? { id: 0, version: 0 }

const timer = (own: Partial<TimerForm> = {}): TimerForm => ({
  ...{ Name: '新定时', Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Exceptions: [] },
  Points: [{ PointNo: 1, At: '12:00', Action: 'trip' }],
  ...{ Lines: [at(1)], KeepWhileWanted: true, Enabled: true, ...own },
})
type SceneForm = Omit<Request<typeof insertScene>['body'], 'HouseID' | 'Grant'>
const item = (LineNo: number, Action: 'trip' | 'close' = 'trip', device = 'A-T1') => ({ ...at(LineNo, device), Action, Order: 0 })
const scene = (own: Partial<SceneForm> = {}): SceneForm => ({
  ...{ Name: '新场景', Icon: 'scene', IfRefused: 'goOn', Enabled: true, Items: [item(1)], ...own },
})
const above = (LineNo: number) => ({ Kind: 'point', ...at(LineNo), Key: 'current.a', Op: '>', Value: 50, ForS: 0 }) as const
const does = (Kind: 'trip' | 'close', LineNo: number, device = 'A-T1') => ({ Kind, ...at(LineNo, device), DelayS: 0 }) as const
const linkage = (own: Partial<LinkageForm> = {}): LinkageForm => ({
  ...{ Name: '新联动', Enabled: true, Mode: 'live', Match: 'all', ActiveHours: [], MayClose: false },
  ...{ CooldownS: 300, MaxPerHour: 6, MaxPerDay: 24, Conditions: [above(3)], Actions: [does('trip', 1)], ...own },
})
const closed = (LineNo: number) => ({ Kind: 'state', ...at(LineNo), Key: 'position', Op: '=', Value: 1, ForS: 60 }) as const
const smoke = { Kind: 'alarm', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: 1, ForS: 0 } as const

beforeAll(async () => {
  stack = await startStack({ plan: [{ ...project, gateways: [cabinet, second] }, elsewhere] })
  calm(stack)
  const { accounts, database, plant } = stack.server
  const password = 'Duty-7391'
  const privileges = ['timer', 'timer.list', 'scene.list', 'linkage.list', 'devmon', 'devmon.realtime']
  const person = async (userName: string, buttons: string[], seesAll = true) => {
    const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons })
    const projectIds = seesAll ? [house()] : []
    const account_id = await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds })
    const gateway_id = plant.deviceByControllerId.get('A-T1')?.gateway.id ?? 0
    if (!seesAll) await database.general.insertInto('account_gateway').values({ account_id, gateway_id }).execute()
    return signedIn(stack.url, { userName, password })
  }
  const all = ['lineSwitch', 'manageTiming', 'manageScene']
  await accounts.createAccount({ userName: 'careful3', password, kind: 'platform', controlPassword: 'Ctrl-2580' })
  people = {
    admin: stack.client,
    partly: await person('13800000401', all, false),
    managing: await person('13800000402', ['manageTiming', 'manageScene']),
    switching: await person('13800000403', ['lineSwitch']),
    careful: await signedIn(stack.url, { userName: 'careful3', password }),
  }
  const HouseID = house()
  const { client } = stack
  const timed = async (name: string, own: Partial<TimerForm>) => {
    const { TimerID, Version } = await client.call(insertTimer, { body: { HouseID, ...timer({ Name: name, ...own }) } })
    saved.set(name, { id: TimerID, version: Version })
  }
  const scenic = async (name: string, own: Partial<SceneForm>) => {
    const { SceneID, Version } = await client.call(insertScene, { body: { HouseID, ...scene({ Name: name, ...own }) } })
    saved.set(name, { id: SceneID, version: Version })
  }
  const linked = async (name: string, own: Partial<LinkageForm>) => {
    const { LinkageID, Version } = await client.call(insertLinkage, { body: { HouseID, ...linkage({ Name: name, ...own }) } })
    saved.set(name, { id: LinkageID, version: Version })
  }
  await timed('晚间', { Points: [{ PointNo: 1, At: '20:00', Action: 'close' }], Lines: [at(5)] })
  await timed('两柜定时', { Lines: [at(6), at(6, 'C-T1')], Points: [{ PointNo: 1, At: '21:00', Action: 'trip' }] })
  await scenic('下班', {})
  await scenic('两柜', { Items: [item(1), item(1, 'trip', 'C-T1')] })
  await scenic('停用场景', { Enabled: false })
  await timed('执行下班', {
    ...{ Function: 'scene', SceneID: was('下班').id, Lines: [] },
    Points: [{ PointNo: 1, At: '22:00', Action: 'run' }],
  })
  await linked('两柜联动', { Actions: [does('trip', 1, 'C-T1')] })
  await linked('一合二', { Conditions: [closed(1)], Actions: [does('close', 2)], MayClose: true, Mode: 'shadow' })
  await linked('执行两柜', { Actions: [{ Kind: 'scene', SceneID: was('两柜').id, DelayS: 0 }] })
  // As many timers as a project may have.
  const db = await stack.server.database.connect()
  await db.query(
    `insert into timer (project_id, name, function, schedule, keep_while_wanted, enabled, owner_name, changed_at, changed_by)
     select $1, 'n' || n, 'switch', schedule, true, false, '', now(), '' from timer, generate_series(1, 2000) n where timer_id = $2`,
    [house('B-T1'), was('晚间').id],
  )
  await db.end()
})
afterAll(() => stack?.close())

/** What is refused, with the message and, of a field, where it stands. */
interface Row {
  readonly by?: keyof typeof people
  readonly what: string
  readonly key: string
  readonly zh: string
  readonly en: string
  readonly path?: string
}
type Bad<Body> = Row & { readonly body: () => Body; readonly device?: string }

async function refusalOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CallError) || error.problem.kind !== 'refusal') throw error ?? new Error('it was not refused')
  return error.problem.failure
}

/** A problem at its field where the row names one, else the message of the whole. */
async function messageOf(asked: Promise<unknown>, { path }: Row) {
  const { Message, Text, Problems = [] } = await refusalOf(asked)
  const problem = path === undefined ? Text : Problems.find((each) => each.Path === path)?.Text
  return { key: Message, zh: problem?.zh, en: problem?.en }
}
const meant = ({ key, zh, en }: Row) => ({ key, zh, en })
const wrong = 'definition wrong'

const timers: readonly Bad<TimerForm>[] = [
  { what: 'no name', key: wrong, path: 'body.Name', zh: '名称不能为空', en: 'Enter a name', body: () => timer({ Name: ' ' }) },
  {
    ...{ what: 'a name of 33 characters', key: wrong, path: 'body.Name', zh: '名称最多 32 个字' },
    ...{ en: 'The name has at most 32 characters', body: () => timer({ Name: '长'.repeat(33) }) },
  },
  ...(
    [
      ['no function', 'body.Function', '请选择功能', 'Choose a function', { Function: null }],
      ['no type', 'body.Type', '请选择类型', 'Choose a type', { Type: null }],
      ['no time', 'body.Points', '请填写执行时间', 'Enter a time', { Points: [] }],
      ['no day of the week', 'body.Period.Days', '请选择周期', 'Choose the days', { Period: { Days: 0 } }],
      ['no class of days', 'body.Period.Classes', '请选择周期', 'Choose the days', { Type: 'calendar', Period: {} }],
      ['no day of the month', 'body.Period.Days', '请选择周期', 'Choose the days', { Type: 'monthly', Period: { Days: [] } }],
      ['no device', 'body.Lines', '请选择设备', 'Choose a device', { Lines: [] }],
      ['no scene', 'body.SceneID', '请选择场景', 'Choose a scene', { Function: 'scene', Points: [{ PointNo: 1, At: '12:00', Action: 'run' }] }],
      ['a date that is none', 'body.Period.Date', '日期不存在', 'There is no such date', { Type: 'once', Period: { Date: '2030-02-30' } }],
      ['dates in the wrong order', 'body.Period.ToDate', '结束日期早于开始日期', 'The last date is before the first', { Period: { Days: 1, FromDate: '2030-02-02', ToDate: '2030-02-01' } }],
      ['a time that is none', 'body.Points.0.At', '时间应为 00:00 至 23:59:59', 'A time is 00:00 to 23:59:59', { Points: [{ PointNo: 1, At: '24:00', Action: 'trip' }] }],
    ] as const satisfies readonly (readonly [string, string, string, string, Partial<TimerForm>])[]
  ).map(([what, path, zh, en, own]) => ({ what, key: wrong, path, zh, en, body: () => timer(own as Partial<TimerForm>) })),
  {
    ...{ what: 'a time that is over', key: 'timer past', path: 'body.Period.Date' },
    ...{ zh: '执行时间已过，请改到现在以后', en: 'The time has passed. Choose a later one' },
    body: () => timer({ Type: 'once', Period: { Date: '2020-01-01' } }),
  },
  {
    ...{ what: 'two points at one time', key: 'timer points clash', path: 'body.Points.1.At' },
    ...{ zh: '同一定时有两个相同的执行时间：23:59:00', en: 'Two points of the timer have the same time: 23:59:00' },
    body: () =>
      timer({
        Points: [
          { PointNo: 1, At: '23:59', Action: 'trip' },
          { PointNo: 2, At: '23:59:00', Action: 'trip' },
        ],
      }),
  },
  {
    ...{ what: 'a line of another project', key: 'line not in project', path: 'body.Lines.0' },
    ...{ zh: '有线路不属于该项目', en: 'A line is not of this project', body: () => timer({ Lines: [at(1, 'B-T1')] }) },
  },
  {
    ...{ what: 'a line that is not seen', key: 'device not exists', path: 'body.Lines.0', by: 'partly' },
    ...{ zh: '设备不存在', en: 'The device does not exist', body: () => timer({ Lines: [at(1, 'C-T1')] }) },
  },
  {
    ...{ what: 'an action that the equipment has not', key: 'action unknown', path: 'body.Lines.0' },
    ...{ zh: '该设备没有这个操作', en: 'This equipment has no such operation', body: () => timer({ Lines: [at(0, 'A-Y1')] }) },
  },
  {
    ...{ what: 'the sun without coordinates', key: 'position missing', path: 'body.Points.0.At' },
    ...{ zh: '请先在项目中填写经纬度', en: 'Enter the coordinates of the project first' },
    body: () => timer({ Type: 'sun', Points: [{ PointNo: 1, At: { Sun: 'set', OffsetMin: 0 }, Action: 'trip' }] }),
  },
  {
    ...{ what: 'nine points', key: wrong, path: 'body.Points', zh: '执行时间最多 8 个', en: 'At most 8 times' },
    body: () =>
      timer({ Points: Array.from({ length: 9 }, (_, i) => ({ PointNo: i + 1, At: `1${i}:00`, Action: 'trip' as const })) }),
  },
  {
    ...{ what: '501 lines', key: wrong, path: 'body.Lines', zh: '设备最多 500 个', en: 'At most 500 devices' },
    body: () => timer({ Lines: Array.from({ length: 501 }, (_, i) => at(i + 1)) }),
  },
  {
    ...{ what: 'a timer more than 2,000', key: 'too many', path: 'body.HouseID', device: 'B-T1' },
    ...{ zh: '每个项目的定时最多 2000 个', en: 'At most 2000 timers of a project', body: () => timer({ Lines: [at(1, 'B-T1')] }) },
  },
  {
    ...{ what: 'a scene that is disabled', key: 'scene disabled', path: 'body.SceneID' },
    ...{ zh: '场景已停用，请先启用', en: 'The scene is disabled. Enable it first' },
    body: () =>
      timer({
        ...{ Function: 'scene', SceneID: was('停用场景').id, Lines: [] },
        Points: [{ PointNo: 1, At: '12:00', Action: 'run' }],
      }),
  },
]

test.each(timers.map((row) => [row.what, row] as const))('a timer with %s says so, saved and in its form', async (_, row) => {
  const client = people[row.by ?? 'admin']
  const body = { HouseID: house(row.device), ...row.body() }
  expect(await messageOf(client.call(insertTimer, { body }), row)).toEqual(meant(row))
  // The form shows what its preview answers.
  const { Problems } = await client.call(previewTimer, { body })
  expect(Problems.find(({ Path }) => Path === row.path)?.Text).toEqual({ zh: row.zh, en: row.en })
})

test('everything that the specification asks of a timer is named at once', async () => {
  const { Problems } = await refusalOf(
    stack.client.call(insertTimer, {
      body: { HouseID: house(), ...timer({ Name: '', Function: null, Type: null, Points: [], Lines: [] }) },
    }),
  )
  expect(Problems?.map(({ Path }) => Path)).toEqual(['body.Name', 'body.Function', 'body.Type', 'body.Points', 'body.Lines'])
})

const scenes: readonly Bad<SceneForm>[] = [
  { what: 'no name', key: 'scene wrong', path: 'body.Name', zh: '名称不能为空', en: 'A name is missing', body: () => scene({ Name: ' ' }) },
  {
    ...{ what: 'a name that another has', key: 'scene exists', zh: '项目中已有同名场景，请换一个名称' },
    ...{ en: 'The project already has a scene of this name. Choose another', body: () => scene({ Name: ' 下班 ' }) },
  },
  { what: 'no line', key: 'scene wrong', path: 'body.Items', zh: '请至少选择一条线路', en: 'Choose at least one line', body: () => scene({ Items: [] }) },
  {
    ...{ what: 'a line twice', key: 'scene wrong', path: 'body.Items.1', zh: 'A-T1 #1：线路重复', en: 'A-T1 #1: The line is listed twice' },
    body: () => scene({ Items: [item(1), item(1, 'close')] }),
  },
  {
    ...{ what: 'a line of another project', key: 'scene wrong', path: 'body.Items.0' },
    ...{ zh: 'B-T1 #1：线路不属于该项目', en: 'B-T1 #1: The line is not in this project' },
    body: () => scene({ Items: [item(1, 'trip', 'B-T1')] }),
  },
  {
    ...{ what: 'a line that is not seen', key: 'scene wrong', path: 'body.Items.0', by: 'partly' },
    ...{ zh: 'C-T1 #1：线路不存在', en: 'C-T1 #1: The line does not exist', body: () => scene({ Items: [item(1, 'trip', 'C-T1')] }) },
  },
  {
    ...{ what: 'equipment that cannot be switched', key: 'scene wrong', path: 'body.Items.0' },
    ...{ zh: 'A-Y1 #0：该设备没有这个操作', en: 'A-Y1 #0: This equipment has no such operation' },
    body: () => scene({ Items: [item(0, 'trip', 'A-Y1')] }),
  },
  {
    ...{ what: '501 lines', key: 'scene wrong', path: 'body.Items', zh: '最多 500 条线路', en: 'At most 500 lines' },
    body: () => scene({ Items: Array.from({ length: 501 }, (_, i) => item(i + 1)) }),
  },
  {
    ...{ what: 'nobody who may switch', key: 'scene needs device control', by: 'managing', body: () => scene() },
    zh: '您没有“线路分合闸”权限，不能管理场景，请联系管理员',
    en: 'Your role does not permit tripping or closing lines, so you cannot manage scenes. Ask an administrator',
  },
  { what: 'no control password', key: 'control grant missing', by: 'careful', zh: '请先输入控制密码', en: 'Enter the control password first', body: () => scene() },
]

test.each(scenes.map((row) => [row.what, row] as const))('a scene with %s says so', async (_, row) => {
  const body = { HouseID: house(), ...row.body() }
  expect(await messageOf(people[row.by ?? 'admin'].call(insertScene, { body }), row)).toEqual(meant(row))
})

const linkages: readonly Bad<LinkageForm>[] = [
  { what: 'no name', key: wrong, path: 'body.Name', zh: '名称不能为空', en: 'Enter a name', body: () => linkage({ Name: ' ' }) },
  {
    ...{ what: 'a name that another has', key: 'linkage exists', zh: '项目中已有同名联动，请换一个名称' },
    ...{ en: 'The project already has a linkage of this name. Choose another', body: () => linkage({ Name: '两柜联动' }) },
  },
  { what: 'no condition', key: wrong, path: 'body.Conditions', zh: '请填写条件', en: 'Enter a condition', body: () => linkage({ Conditions: [] }) },
  { what: 'no action', key: wrong, path: 'body.Actions', zh: '请选择动作', en: 'Choose an action', body: () => linkage({ Actions: [] }) },
  {
    ...{ what: 'nine conditions', key: 'too many', path: 'body.Conditions', zh: '条件最多 8 个', en: 'At most 8 conditions' },
    body: () => linkage({ Conditions: Array.from({ length: 9 }, () => above(3)) }),
  },
  {
    ...{ what: '17 actions', key: wrong, path: 'body.Actions', zh: '动作最多 16 个', en: 'At most 16 actions' },
    body: () => linkage({ Actions: Array.from({ length: 17 }, () => does('trip', 1)) }),
  },
  {
    ...{ what: 'a point that the family has not', key: 'point unknown', path: 'body.Conditions.0.Key' },
    ...{ zh: '设备没有该测点：nothing', en: 'The equipment has no such point: nothing' },
    body: () => linkage({ Conditions: [{ ...above(3), Key: 'nothing' }] }),
  },
  {
    ...{ what: 'a close after smoke', key: 'linkage may not close', path: 'body.Conditions' },
    zh: '火警、燃气、电弧或漏电条件不能联动合闸；其他条件须先允许合闸',
    en: 'Conditions of fire, gas, arc or leakage may not close a line; for others closing must be permitted first',
    body: () => linkage({ Conditions: [smoke], Actions: [does('close', 1)], MayClose: true }),
  },
  {
    ...{ what: 'a close that is not permitted', key: 'linkage may not close', path: 'body.MayClose' },
    zh: '火警、燃气、电弧或漏电条件不能联动合闸；其他条件须先允许合闸',
    en: 'Conditions of fire, gas, arc or leakage may not close a line; for others closing must be permitted first',
    body: () => linkage({ Actions: [does('close', 1)] }),
  },
  {
    ...{ what: 'a loop that closes', key: 'linkage loop' },
    zh: '联动形成循环，未保存：联动“新联动” → A线1 → 联动“一合二” → A线2 → 联动“新联动”',
    en: 'Not saved, the linkages would form a loop: …',
    body: () => linkage({ Conditions: [closed(2)], Actions: [does('close', 1)], MayClose: true, Mode: 'shadow' }),
  },
  {
    ...{ what: 'a line of another project', key: 'line not in project', path: 'body.Actions.0' },
    ...{ zh: '有线路不属于该项目', en: 'A line is not of this project', body: () => linkage({ Actions: [does('trip', 1, 'B-T1')] }) },
  },
  {
    ...{ what: 'a line that is not seen', key: 'device not exists', path: 'body.Actions.0', by: 'partly' },
    ...{ zh: '设备不存在', en: 'The device does not exist', body: () => linkage({ Actions: [does('trip', 1, 'C-T1')] }) },
  },
  {
    ...{ what: 'a scene seen in part', key: 'device not exists', path: 'body.Actions.0', by: 'partly' },
    ...{ zh: '设备不存在', en: 'The device does not exist' },
    body: () => linkage({ Actions: [{ Kind: 'scene', SceneID: was('两柜').id, DelayS: 0 }] }),
  },
  {
    ...{ what: 'nobody who may switch', key: 'linkage needs device control', by: 'managing', body: () => linkage() },
    zh: '您没有“线路分合闸”权限，不能管理联动，请联系管理员',
    en: 'Your role does not permit tripping or closing lines, so you cannot manage linkages. Ask an administrator',
  },
  { what: 'no control password', key: 'control grant missing', by: 'careful', zh: '请先输入控制密码', en: 'Enter the control password first', body: () => linkage() },
]

test.each(linkages.map((row) => [row.what, row] as const))('a linkage with %s says so', async (_, row) => {
  const body = { HouseID: house(), ...row.body() }
  const found = await messageOf(people[row.by ?? 'admin'].call(insertLinkage, { body }), row)
  // The path of a loop is tried by its words; its ends are enough here.
  if (row.key === 'linkage loop') return expect(found).toMatchObject({ key: row.key, zh: expect.stringMatching(/^联动形成循环，未保存：.*一合二/), en: expect.stringMatching(/^Not saved, the linkages would form a loop: .*一合二/) })
  expect(found).toEqual(meant(row))
})

const grantMissing = { key: 'control grant missing', zh: '请先输入控制密码', en: 'Enter the control password first' } as const
const changed = {
  key: 'changed meanwhile',
  zh: '保存失败：其他人刚刚修改过，请刷新后重新修改',
  en: 'Not saved: somebody else has just changed it. Reload and repeat your change',
} as const
const ofAdministrators = {
  key: 'orphans need administrator',
  zh: '只有管理员可以一次接管项目中全部无有效负责人的定时、场景或联动',
  en: 'Only an administrator takes over all timers, scenes or linkages of a project at once',
} as const
const timerNow = (name: string) => ({ TimerID: was(name).id, Version: was(name).version })
const sceneNow = (name: string) => ({ SceneID: was(name).id, Version: was(name).version })
const linkageNow = (name: string) => ({ LinkageID: was(name).id, Version: was(name).version })
const running = (Mode: 'run' | 'enable' | 'disable') => ({ RunID: crypto.randomUUID(), Reason: '值班', Mode })

const acts: readonly (Row & { readonly does: (client: Client) => Promise<unknown> })[] = [
  {
    ...{ what: 'a name that another timer has', key: 'timer exists', zh: '已有同名定时，请换一个名称' },
    en: 'A timer of this name exists already. Choose another name',
    does: (client) => client.call(insertTimer, { body: { HouseID: house(), ...timer({ Name: ' 晚间 ', Lines: [at(7)] }) } }),
  },
  {
    ...{ what: 'the opposite within a minute', key: 'timer conflict' },
    zh: '与其他定时冲突，未保存：同一线路一分钟内先后分闸和合闸，请填写原因确认',
    en: 'Not saved: it conflicts with another timer or a limit. A line is tripped and closed within one minute. Give a reason to confirm',
    does: (client) =>
      client.call(insertTimer, {
        body: { HouseID: house(), ...timer({ Lines: [at(5)], Points: [{ PointNo: 1, At: '20:00:30', Action: 'trip' }] }) },
      }),
  },
  { what: 'a timer that somebody else saved', ...changed, does: (client) => client.call(updateTimer, { body: { ...timerNow('晚间'), Version: 9, ...timer({ Name: '晚间', Lines: [at(5)] }) } }) },
  { what: 'a scene that somebody else saved', ...changed, does: (client) => client.call(updateScene, { body: { ...sceneNow('下班'), Version: 9, ...scene({ Name: '下班' }) } }) },
  { what: 'a linkage that somebody else saved', ...changed, does: (client) => client.call(updateLinkage, { body: { ...linkageNow('两柜联动'), Version: 9, ...linkage({ Name: '两柜联动' }) } }) },
  {
    ...{ what: 'a timer of somebody who may not switch', key: 'timer needs switching', by: 'managing' },
    zh: '没有分合闸权限，不能操作定时，请联系管理员',
    en: 'Timers need the permission to switch lines, which you do not have. Ask the administrator',
    does: (client) => client.call(insertTimer, { body: { HouseID: house(), ...timer() } }),
  },
  ...(['turn', 'edit', 'take'] as const).map((how) => ({
    ...{ what: `a timer with lines that are not seen, to ${how}`, key: 'timer lines unseen', by: 'partly' as const },
    zh: '该定时含有您无权查看的线路，不能操作',
    en: 'This timer acts on lines that you may not see, so you cannot change it',
    does: (client: Client) => {
      const own = timerNow('两柜定时')
      if (how === 'turn') return client.call(switchTimer, { body: { ...own, Enabled: false } })
      return how === 'take' ? client.call(takeTimer, { body: own }) : client.call(updateTimer, { body: { ...own, ...timer() } })
    },
  })),
  ...(['run', 'disable', 'edit'] as const).map((how) => ({
    ...{ what: `a scene with lines that are not seen, to ${how}`, key: 'scene seen in part', by: 'partly' as const },
    zh: '场景包含您无权查看的线路，不能执行或修改，请联系管理员',
    en: 'The scene has lines that you may not see, so you can neither run nor change it. Ask an administrator',
    does: (client: Client) =>
      how === 'edit'
        ? client.call(updateScene, { body: { ...sceneNow('两柜'), ...scene({ Name: '两柜' }) } })
        : client.call(switchScene, { body: { ...sceneNow('两柜'), ...running(how) } }),
  })),
  ...(['edit', 'disable', 'take'] as const).map((how) => ({
    ...{ what: `a linkage with lines that are not seen, to ${how}`, key: 'linkage seen in part', by: 'partly' as const },
    zh: '联动包含您无权查看的线路，不能修改，请联系管理员',
    en: 'The linkage has lines that you may not see, so you cannot change it. Ask an administrator',
    does: (client: Client) => {
      const own = linkageNow('两柜联动')
      if (how === 'edit') return client.call(updateLinkage, { body: { ...own, ...linkage({ Name: '两柜联动' }) } })
      return how === 'take' ? client.call(takeLinkage, { body: own }) : client.call(switchLinkage, { body: { ...own, Mode: 'disable' } })
    },
  })),
  {
    ...{ what: 'a scene to enable without managing scenes', key: 'scene needs management', by: 'switching' },
    zh: '您没有“管理场景”权限，请联系管理员',
    en: 'Your role does not permit managing scenes. Ask an administrator',
    does: (client) => client.call(switchScene, { body: { ...sceneNow('停用场景'), ...running('enable') } }),
  },
  {
    ...{ what: 'a scene to run that is disabled', key: 'scene disabled', zh: '场景已停用，请先启用', en: 'The scene is disabled. Enable it first' },
    does: (client) => client.call(switchScene, { body: { ...sceneNow('停用场景'), ...running('run') } }),
  },
  {
    ...{ what: 'a scene to remove that a timer runs', key: 'scene in timer', zh: '以下定时执行该场景，请先在定时中更换场景或删除定时：执行下班' },
    en: 'Timers run this scene. Have them run another or delete them first: 执行下班',
    does: (client) => client.call(deleteScene, { body: sceneNow('下班') }),
  },
  {
    ...{ what: 'a scene to remove that a linkage runs', key: 'scene in linkage', zh: '以下联动会执行该场景，请先从联动中移除：执行两柜' },
    en: 'Linkages run this scene. Take it out of them first: 执行两柜',
    does: (client) => client.call(deleteScene, { body: sceneNow('两柜') }),
  },
  { what: 'a timer to save without the control password', ...grantMissing, by: 'careful', does: (client) => client.call(insertTimer, { body: { HouseID: house(), ...timer() } }) },
  { what: 'a timer to enable without it', ...grantMissing, by: 'careful', does: (client) => client.call(switchTimer, { body: { ...timerNow('晚间'), Enabled: true } }) },
  { what: 'a timer to take over without it', ...grantMissing, by: 'careful', does: (client) => client.call(takeTimer, { body: timerNow('晚间') }) },
  { what: 'all timers to take over without it', ...grantMissing, by: 'careful', does: (client) => client.call(takeOrphanedTimers, { body: { HouseID: house() } }) },
  { what: 'a scene to run without it', ...grantMissing, by: 'careful', does: (client) => client.call(switchScene, { body: { ...sceneNow('下班'), ...running('run') } }) },
  { what: 'a scene to enable without it', ...grantMissing, by: 'careful', does: (client) => client.call(switchScene, { body: { ...sceneNow('停用场景'), ...running('enable') } }) },
  { what: 'a scene to take over without it', ...grantMissing, by: 'careful', does: (client) => client.call(updateScene, { body: { ...sceneNow('下班'), ...scene({ Name: '下班' }) } }) },
  { what: 'all scenes to take over without it', ...grantMissing, by: 'careful', does: (client) => client.call(takeOrphanedScenes, { body: { HouseID: house() } }) },
  { what: 'a linkage to enable without it', ...grantMissing, by: 'careful', does: (client) => client.call(switchLinkage, { body: { ...linkageNow('两柜联动'), Mode: 'enable' } }) },
  { what: 'a linkage to take over without it', ...grantMissing, by: 'careful', does: (client) => client.call(takeLinkage, { body: linkageNow('两柜联动') }) },
  { what: 'all linkages to take over without it', ...grantMissing, by: 'careful', does: (client) => client.call(takeOrphanedLinkages, { body: { HouseID: house() } }) },
  ...([takeOrphanedTimers, takeOrphanedScenes, takeOrphanedLinkages] as const).map((all) => ({
    ...{ what: `${all.name} by a sub-user`, ...ofAdministrators, by: 'managing' as const },
    does: (client: Client) => client.call(all, { body: { HouseID: house() } }),
  })),
  {
    ...{ what: 'days of all projects by a sub-user', key: 'owner calendar needs administrator', by: 'managing' },
    zh: '全部项目的日历只能由有权查看其全部项目的管理员修改',
    en: 'The calendar of all projects is changed only by an administrator who sees all of them',
    does: (client) => client.call(updateCalendar, { body: { HouseID: house(), For: 'owner', Days: [{ Date: '2030-01-01', Class: 'holiday' }] } }),
  },
  {
    ...{ what: 'a hold that ends in the past', key: 'override end wrong', zh: '保持结束时间须在现在以后、14 天以内', en: 'The end must be later than now and within 14 days' },
    does: (client) => client.call(overrideLine, { params: at(1), body: { Kind: 'until', Until: 1, Reason: '值班' } }),
  },
  {
    ...{ what: 'runs to skip for a month', key: 'skip end wrong', zh: '最多跳过到 14 天后，或到下一次执行', en: 'Runs may be skipped for at most 14 days, or up to the next run' },
    does: (client) => client.call(skipTimer, { body: { ...timerNow('晚间'), Until: Date.now() + 31 * 86_400_000 } }),
  },
]

test.each(acts.map((row) => [row.what, row] as const))('%s is refused by its own message', async (_, row) => {
  expect(await messageOf(row.does(people[row.by ?? 'admin']), row)).toEqual(meant(row))
})

test('a conflict names the other timer, the line and the first instant', async () => {
  const body = { HouseID: house(), ...timer({ Lines: [at(5)], Points: [{ PointNo: 1, At: '20:00:30', Action: 'trip' }] }) }
  const { Detail } = await refusalOf(stack.client.call(insertTimer, { body }))
  expect(Detail?.conflicts).toMatchObject([{ Key: 'fight', Name: '晚间', Line: at(5), At: expect.any(Number) }])
})
