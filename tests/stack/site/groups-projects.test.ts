import {
  addGateway,
  addGroup,
  addProject,
  deleteGateway,
  deleteGroup,
  deleteProject,
  editGroup,
  editProject,
  listProjects,
  lookupProjects,
  moveToGroup,
  projectDetails,
  projectsByGroup,
  queryGroups,
  reportProjects,
  setProjectCcid,
  transferProject,
  tree,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newProject, place, startTwoOwners } from '../../kit/two-owners.ts'

let all: TwoOwners

beforeAll(async () => {
  all = await startTwoOwners()
})
afterAll(() => all?.close())

const groupsOf = (client: TwoOwners['anna']) => client.call(queryGroups, { body: { Size: 200 } }).then(({ items }) => items)
const defaultOf = async (client: TwoOwners['anna']) => (await groupsOf(client)).find(({ IsDefault }) => IsDefault)

test('a project is made and edited with its code at the monitoring centre in one call', async () => {
  const made = await all.anna.call(addProject, { body: { Name: '带编码', ...place, CCID: 'CC-1' } })
  expect(made.CCID).toBe('CC-1')
  const { HouseID, Version } = made
  const params = { HouseID }
  const edited = await all.anna.call(editProject, { params, body: { Name: '带编码', ...place, CCID: '', Version } })
  expect([edited.CCID, edited.Version]).toEqual(['', Version + 1])
  const kept = await all.anna.call(setProjectCcid, { body: { HouseID, CCID: 'CC-2', Version: Version + 1 } })
  const other = await all.anna.call(editProject, { params, body: { Name: '改名', ...place, Version: kept.Version } })
  expect([other.Name, other.CCID]).toEqual(['改名', 'CC-2'])
  await all.anna.call(deleteProject, { body: params })
})

describe('a group', () => {
  test('every administrator has a default one, which cannot be deleted', async () => {
    const group = await defaultOf(all.anna)
    expect(group).toMatchObject({ Name: '默认分组', HouseCount: 0, OwnerName: '13900000001' })
    // Also by the name that an English reader sees.
    const called = (Name: string) => all.anna.call(queryGroups, { body: { Name } })
    expect((await called('default gr')).items).toEqual([group])
    expect((await called('defaults')).total).toBe(0)
    expect(await outcomeOf(all.anna.call(deleteGroup, { params: { CityID: group?.CityID ?? 0 } }))).toBe('Default City')
  })

  test('has one name per administrator; two administrators may use the same', async () => {
    await all.anna.call(addGroup, { body: { Name: '华南' } })
    expect(await outcomeOf(all.anna.call(addGroup, { body: { Name: '华南' } }))).toBe('group exists')
    await all.bert.call(addGroup, { body: { Name: '华南' } })
    const other = await all.anna.call(addGroup, { body: { Name: '华北' } })
    const { CityID, Version } = other
    expect(await outcomeOf(all.anna.call(editGroup, { body: { CityID, Name: '华南', Version } }))).toBe('group exists')
  })

  test('without a name is refused', async () => {
    for (const Name of ['', '   ']) expect(await outcomeOf(all.anna.call(addGroup, { body: { Name } }))).toBe('invalid parameter')
  })

  test('edited by two: the second is told, and overwrites nothing', async () => {
    const { CityID, Version } = await all.anna.call(addGroup, { body: { Name: '两人' } })
    await all.anna.call(editGroup, { body: { CityID, Name: '第一人', Version } })
    expect(await outcomeOf(all.anna.call(editGroup, { body: { CityID, Name: '第二人', Version } }))).toBe('changed meanwhile')
    expect((await groupsOf(all.anna)).find((each) => each.CityID === CityID)?.Name).toBe('第一人')
    const unseen = { CityID, Name: '没有版本' }
    expect(await all.anna.call(editGroup, { body: unseen })).toMatchObject({ Name: '没有版本', Version: Version + 2 })
  })

  test('with projects says so and stays; emptied it goes', async () => {
    const group = await all.anna.call(addGroup, { body: { Name: '有项目' } })
    const { CityID } = group
    const project = await newProject(all.anna, '分组里的项目')
    await all.anna.call(moveToGroup, { body: { CityID, HouseIDs: [project.HouseID] } })
    const refusal = all.anna.call(deleteGroup, { params: { CityID } })
    await expect(refusal).rejects.toMatchObject({ problem: { failure: { Message: 'group not empty', Detail: { count: 1 } } } })
    const back = await defaultOf(all.anna)
    await all.anna.call(moveToGroup, { body: { CityID: back?.CityID ?? 0, HouseIDs: [project.HouseID] } })
    await all.anna.call(deleteGroup, { params: { CityID } })
    expect((await groupsOf(all.anna)).map((each) => each.CityID)).not.toContain(CityID)
  })

  test("of another administrator does not exist, and takes none of one's own projects", async () => {
    const { CityID, Version } = await all.anna.call(addGroup, { body: { Name: '安娜的' } })
    const mine = await newProject(all.bert, '伯特的项目')
    expect(await outcomeOf(all.bert.call(editGroup, { body: { CityID, Name: '我的', Version } }))).toBe('group not exists')
    expect(await outcomeOf(all.bert.call(deleteGroup, { params: { CityID } }))).toBe('group not exists')
    expect(await outcomeOf(all.bert.call(moveToGroup, { body: { CityID, HouseIDs: [mine.HouseID] } }))).toBe('group not exists')
    expect(await outcomeOf(all.platform.call(moveToGroup, { body: { CityID, HouseIDs: [mine.HouseID] } }))).toBe('other owner')
    expect((await groupsOf(all.bert)).map(({ OwnerName }) => OwnerName)).not.toContain('13900000001')
  })
})

describe('a project', () => {
  test('is in the tree as soon as it is added, with what was left out filled in', async () => {
    const made = await newProject(all.anna, '新项目')
    expect(made).toMatchObject({
      TimeZone: 'Asia/Shanghai',
      Currency: 'CNY',
      Standard: 'GB',
      UserName: '13900000001',
      Version: 1,
    })
    const { Groups } = await all.anna.call(tree, { query: {} })
    expect(Groups.flatMap(({ Houses }) => Houses.map(({ Name }) => Name))).toContain('新项目')
  })

  test.each(['Name', 'PersonInCharge', 'ContactPhone', 'Province', 'City', 'District'] as const)(
    'without %s is refused',
    async (field) => {
      const body = { Name: '缺项', ...place, [field]: '' }
      const refusal = all.anna.call(addProject, { body })
      await expect(refusal).rejects.toMatchObject({
        problem: { failure: { Message: 'invalid parameter', Problems: [{ Path: `body.${field}` }] } },
      })
    },
  )

  test.each([
    ['time zone unknown', { TimeZone: 'Beijing' }],
    ['currency unknown', { Currency: 'RMB' }],
  ])('%s is said', async (message, wrong) => {
    expect(await outcomeOf(all.anna.call(addProject, { body: { Name: '错', ...place, ...wrong } }))).toBe(message)
  })

  test('is found by part of its name, page by page, newest first; the report has them all', async () => {
    for (const name of ['Alpha 一', 'alpha 二', 'ALPHA_三']) await newProject(all.anna, name)
    const page = await all.anna.call(listProjects, { query: { HouseName: 'alpha', Page: 1, Size: 2 } })
    expect([page.total, page.items.map(({ Name }) => Name)]).toEqual([3, ['ALPHA_三', 'alpha 二']])
    expect((await all.anna.call(listProjects, { query: { HouseName: '_' } })).items.map(({ Name }) => Name)).toEqual(['ALPHA_三'])
    expect((await all.anna.call(reportProjects, { query: { HouseName: 'alpha' } })).items).toHaveLength(3)
    expect((await all.anna.call(lookupProjects, { query: { HouseName: 'ALPHA' } })).items).toHaveLength(3)
  })

  test('edited: what changed is changed, what was left out stays, and the second editor is told', async () => {
    const { HouseID, Version } = await all.anna.call(addProject, {
      body: { Name: '改前', ...place, Remark: '留着', Number: 'P-1' },
    })
    const edit = { params: { HouseID }, body: { ...place, Name: '改后', Version } }
    expect(await all.anna.call(editProject, edit)).toMatchObject({ Name: '改后', Remark: '留着', Number: 'P-1', Version: 2 })
    expect(await outcomeOf(all.anna.call(editProject, edit))).toBe('changed meanwhile')
    expect((await all.anna.call(setProjectCcid, { body: { HouseID, CCID: 'FIRE-7', Version: 2 } })).CCID).toBe('FIRE-7')
    const { Version: _, ...unseen } = edit.body
    expect(await all.anna.call(editProject, { ...edit, body: unseen })).toMatchObject({ Version: 4 })
    expect(await all.anna.call(setProjectCcid, { body: { HouseID, CCID: '' } })).toMatchObject({ CCID: '', Version: 5 })
    expect(await all.anna.call(transferProject, { body: { HouseID } })).toMatchObject({ Version: 6 })
  })

  test('of another administrator does not exist', async () => {
    const { HouseID, Version } = await newProject(all.anna, '别人看不见')
    const attempts = await Promise.all(
      [
        all.bert.call(projectDetails, { params: { HouseID } }),
        all.bert.call(editProject, { params: { HouseID }, body: { Name: 'x', ...place, Version } }),
        all.bert.call(deleteProject, { body: { HouseID } }),
        all.bert.call(setProjectCcid, { body: { HouseID, CCID: '', Version } }),
        all.bert.call(transferProject, { body: { HouseID, UserName: '13900000002', Version } }),
      ].map(outcomeOf),
    )
    expect(new Set(attempts)).toEqual(new Set(['project not exists']))
    expect((await all.bert.call(lookupProjects, { query: {} })).items.map((each) => each.HouseID)).not.toContain(HouseID)
    const groups = await all.bert.call(projectsByGroup)
    expect(groups.items.flatMap(({ Houses }) => Houses.map((each) => each.HouseID))).not.toContain(HouseID)
  })

  test('with gateways cannot be deleted; emptied it can, and is gone from the tree', async () => {
    const { HouseID } = await newProject(all.anna, '要删除')
    const { Gateway } = await all.anna.call(addGateway, { body: { HouseID, ...newGateway('GW-DEL') } })
    expect(await outcomeOf(all.anna.call(deleteProject, { body: { HouseID } }))).toBe('project not empty')
    await all.anna.call(deleteGateway, { body: { DeviceID: Gateway.DeviceID } })
    await all.anna.call(deleteProject, { body: { HouseID } })
    expect(await outcomeOf(all.anna.call(projectDetails, { params: { HouseID } }))).toBe('project not exists')
  })

  test('changes hands only by whoever runs the installation, whole, and out of sight of its former administrator', async () => {
    const { HouseID, Version } = await newProject(all.anna, '移交')
    await all.anna.call(addGateway, { body: { HouseID, ...newGateway('GW-HAND') } })
    const body = { HouseID, UserName: '13900000002', Version }
    expect(await outcomeOf(all.anna.call(transferProject, { body }))).toBe('user not admin')
    // Nor does an administrator learn by it which accounts there are.
    expect(await outcomeOf(all.anna.call(transferProject, { body: { ...body, UserName: 'nobody' } }))).toBe('user not admin')
    expect(await outcomeOf(all.platform.call(transferProject, { body: { ...body, UserName: 'nobody' } }))).toBe(
      'username notexists',
    )
    const own = await defaultOf(all.anna)
    expect(await outcomeOf(all.platform.call(transferProject, { body: { ...body, CityID: own?.CityID ?? 0 } }))).toBe(
      'other owner',
    )
    const after = await all.platform.call(transferProject, { body })
    expect(after).toMatchObject({ UserName: '13900000002', CityName: '默认分组', GatewayCount: 1 })
    expect(await outcomeOf(all.anna.call(projectDetails, { params: { HouseID } }))).toBe('project not exists')
    const seen = await all.bert.call(projectDetails, { params: { HouseID } })
    expect(seen.Devices.map((each) => each.Number)).toEqual(['GW-HAND'])
    expect(await outcomeOf(all.platform.call(transferProject, { body }))).toBe('changed meanwhile')
  })
})
