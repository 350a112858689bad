import type { LinkageForm, TimerForm } from '@linewarden/contract'
import { insertLinkage, insertScene, insertTimer, previewTimer } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bad, BadInputHouse, SceneForm } from '../../kit/bad-input.ts'
import {
  above,
  at,
  closed,
  does,
  item,
  linkage,
  meant,
  messageOf,
  refusalOf,
  scene,
  smoke,
  startBadInputHouse,
  timer,
} from '../../kit/bad-input.ts'

// Whatever people get wrong in a timer, a scene or a linkage comes back with its message, in both languages, at its field.
let house: BadInputHouse
beforeAll(async () => {
  house = await startBadInputHouse()
})
afterAll(() => house?.stack.close())
const was = (name: string) => house.was(name)

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
      [
        'no scene',
        'body.SceneID',
        '请选择场景',
        'Choose a scene',
        { Function: 'scene', Points: [{ PointNo: 1, At: '12:00', Action: 'run' }] },
      ],
      [
        'a date that is none',
        'body.Period.Date',
        '日期不存在',
        'There is no such date',
        { Type: 'once', Period: { Date: '2030-02-30' } },
      ],
      [
        'dates in the wrong order',
        'body.Period.ToDate',
        '结束日期早于开始日期',
        'The last date is before the first',
        { Period: { Days: 1, FromDate: '2030-02-02', ToDate: '2030-02-01' } },
      ],
      [
        'a time that is none',
        'body.Points.0.At',
        '时间应为 00:00 至 23:59:59',
        'A time is 00:00 to 23:59:59',
        { Points: [{ PointNo: 1, At: '24:00', Action: 'trip' }] },
      ],
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
    ...{ what: 'a line that is not visible', key: 'device not exists', path: 'body.Lines.0', by: 'partly' },
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
    ...{
      zh: '每个项目的定时最多 2000 个',
      en: 'At most 2000 timers of a project',
      body: () => timer({ Lines: [at(1, 'B-T1')] }),
    },
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
  const client = house.people[row.by ?? 'admin']
  const body = { HouseID: house.house(row.device), ...row.body() }
  expect(await messageOf(client.call(insertTimer, { body }), row)).toEqual(meant(row))
  // The form shows what its preview answers.
  const { Problems } = await client.call(previewTimer, { body })
  expect(Problems.find(({ Path }) => Path === row.path)?.Text).toEqual({ zh: row.zh, en: row.en })
})

test('everything that the specification asks of a timer is named at once', async () => {
  const { Problems } = await refusalOf(
    house.stack.client.call(insertTimer, {
      body: { HouseID: house.house(), ...timer({ Name: '', Function: null, Type: null, Points: [], Lines: [] }) },
    }),
  )
  expect(Problems?.map(({ Path }) => Path)).toEqual(['body.Name', 'body.Function', 'body.Type', 'body.Points', 'body.Lines'])
})

const scenes: readonly Bad<SceneForm>[] = [
  {
    what: 'no name',
    key: 'scene wrong',
    path: 'body.Name',
    zh: '名称不能为空',
    en: 'A name is missing',
    body: () => scene({ Name: ' ' }),
  },
  {
    ...{ what: 'a name that another has', key: 'scene exists', zh: '项目中已有同名场景，请换一个名称' },
    ...{ en: 'The project already has a scene of this name. Choose another', body: () => scene({ Name: ' 下班 ' }) },
  },
  {
    what: 'no line',
    key: 'scene wrong',
    path: 'body.Items',
    zh: '请至少选择一条线路',
    en: 'Choose at least one line',
    body: () => scene({ Items: [] }),
  },
  {
    ...{
      what: 'a line twice',
      key: 'scene wrong',
      path: 'body.Items.1',
      zh: 'A-T1 #1：线路重复',
      en: 'A-T1 #1: The line is listed twice',
    },
    body: () => scene({ Items: [item(1), item(1, 'close')] }),
  },
  {
    ...{ what: 'a line of another project', key: 'scene wrong', path: 'body.Items.0' },
    ...{ zh: 'B-T1 #1：线路不属于该项目', en: 'B-T1 #1: The line is not in this project' },
    body: () => scene({ Items: [item(1, 'trip', 'B-T1')] }),
  },
  {
    ...{ what: 'a line that is not visible', key: 'scene wrong', path: 'body.Items.0', by: 'partly' },
    ...{
      zh: 'C-T1 #1：线路不存在',
      en: 'C-T1 #1: The line does not exist',
      body: () => scene({ Items: [item(1, 'trip', 'C-T1')] }),
    },
  },
  {
    ...{ what: 'equipment that cannot be switched', key: 'scene wrong', path: 'body.Items.0' },
    ...{ zh: 'A-Y1 #0：该设备没有这个操作', en: 'A-Y1 #0: This equipment has no such operation' },
    body: () => scene({ Items: [item(0, 'trip', 'A-Y1')] }),
  },
  {
    ...{ what: '501 lines', key: 'scene wrong', path: 'body.Items', zh: '最多 500 路', en: 'At most 500 lines' },
    body: () => scene({ Items: Array.from({ length: 501 }, (_, i) => item(i + 1)) }),
  },
  {
    ...{ what: 'nobody who may switch', key: 'scene needs device control', by: 'managing', body: () => scene() },
    zh: '您没有“线路分合闸”权限，不能管理场景，请联系管理员',
    en: 'Your role does not permit tripping or closing lines, so you cannot manage scenes. Ask an administrator',
  },
  {
    what: 'no control password',
    key: 'control grant missing',
    by: 'careful',
    zh: '请先输入控制密码',
    en: 'Enter the control password first',
    body: () => scene(),
  },
]

test.each(scenes.map((row) => [row.what, row] as const))('a scene with %s says so', async (_, row) => {
  const body = { HouseID: house.house(), ...row.body() }
  expect(await messageOf(house.people[row.by ?? 'admin'].call(insertScene, { body }), row)).toEqual(meant(row))
})

const linkages: readonly Bad<LinkageForm>[] = [
  { what: 'no name', key: wrong, path: 'body.Name', zh: '名称不能为空', en: 'Enter a name', body: () => linkage({ Name: ' ' }) },
  {
    ...{ what: 'a name that another has', key: 'linkage exists', zh: '项目中已有同名联动，请换一个名称' },
    ...{ en: 'The project already has a linkage of this name. Choose another', body: () => linkage({ Name: '两柜联动' }) },
  },
  {
    what: 'no condition',
    key: wrong,
    path: 'body.Conditions',
    zh: '请填写条件',
    en: 'Enter a condition',
    body: () => linkage({ Conditions: [] }),
  },
  {
    what: 'no action',
    key: wrong,
    path: 'body.Actions',
    zh: '请选择动作',
    en: 'Choose an action',
    body: () => linkage({ Actions: [] }),
  },
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
    zh: '火警、燃气、电弧或漏电后不能联动合闸；其他条件须先允许合闸',
    en: 'After fire, gas, arc or leakage no linkage closes a line; for other conditions closing must be permitted first',
    body: () => linkage({ Conditions: [smoke], Actions: [does('close', 1)], MayClose: true }),
  },
  {
    ...{ what: 'a close that is not permitted', key: 'linkage may not close', path: 'body.MayClose' },
    zh: '火警、燃气、电弧或漏电后不能联动合闸；其他条件须先允许合闸',
    en: 'After fire, gas, arc or leakage no linkage closes a line; for other conditions closing must be permitted first',
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
    ...{
      zh: '有线路不属于该项目',
      en: 'A line is not of this project',
      body: () => linkage({ Actions: [does('trip', 1, 'B-T1')] }),
    },
  },
  {
    ...{ what: 'a line that is not visible', key: 'device not exists', path: 'body.Actions.0', by: 'partly' },
    ...{ zh: '设备不存在', en: 'The device does not exist', body: () => linkage({ Actions: [does('trip', 1, 'C-T1')] }) },
  },
  {
    ...{ what: 'a scene visible in part', key: 'device not exists', path: 'body.Actions.0', by: 'partly' },
    ...{ zh: '设备不存在', en: 'The device does not exist' },
    body: () => linkage({ Actions: [{ Kind: 'scene', SceneID: was('两柜').id, DelayS: 0 }] }),
  },
  {
    ...{ what: 'nobody who may switch', key: 'linkage needs device control', by: 'managing', body: () => linkage() },
    zh: '您没有“线路分合闸”权限，不能管理联动，请联系管理员',
    en: 'Your role does not permit tripping or closing lines, so you cannot manage linkages. Ask an administrator',
  },
  {
    what: 'no control password',
    key: 'control grant missing',
    by: 'careful',
    zh: '请先输入控制密码',
    en: 'Enter the control password first',
    body: () => linkage(),
  },
]

test.each(linkages.map((row) => [row.what, row] as const))('a linkage with %s says so', async (_, row) => {
  const body = { HouseID: house.house(), ...row.body() }
  const found = await messageOf(house.people[row.by ?? 'admin'].call(insertLinkage, { body }), row)
  // The path of a loop is tried by its words; its ends are enough here.
  if (row.key === 'linkage loop')
    return expect(found).toMatchObject({
      key: row.key,
      zh: expect.stringMatching(/^联动形成循环，未保存：.*一合二/),
      en: expect.stringMatching(/^Not saved, the linkages would form a loop: .*一合二/),
    })
  expect(found).toEqual(meant(row))
})
