import type { Client } from '@linewarden/client'
import {
  deleteScene,
  insertTimer,
  overrideLine,
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
import type { BadInputHouse, Row } from '../../kit/bad-input.ts'
import { at, linkage, meant, messageOf, refusalOf, scene, startBadInputHouse, timer } from '../../kit/bad-input.ts'

// What is done with timers, scenes and linkages by somebody who may not, or at the wrong moment, is refused by its own message in both languages.
let house: BadInputHouse
beforeAll(async () => {
  house = await startBadInputHouse()
})
afterAll(() => house?.stack.close())
const was = (name: string) => house.was(name)

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
    does: (client) =>
      client.call(insertTimer, { body: { HouseID: house.house(), ...timer({ Name: ' 晚间 ', Lines: [at(7)] }) } }),
  },
  {
    ...{ what: 'the opposite within a minute', key: 'timer conflict' },
    zh: '与其他定时冲突，未保存：A线5一分钟内先后分闸和合闸（另一定时“晚间”），请填写原因确认',
    en: 'Not saved: it conflicts with another timer or a limit. A线5 is tripped and closed within one minute, the other way by “晚间”. Give a reason to confirm',
    does: (client) =>
      client.call(insertTimer, {
        body: { HouseID: house.house(), ...timer({ Lines: [at(5)], Points: [{ PointNo: 1, At: '20:00:30', Action: 'trip' }] }) },
      }),
  },
  {
    what: 'a timer that somebody else saved',
    ...changed,
    does: (client) =>
      client.call(updateTimer, { body: { ...timerNow('晚间'), Version: 9, ...timer({ Name: '晚间', Lines: [at(5)] }) } }),
  },
  {
    what: 'a scene that somebody else saved',
    ...changed,
    does: (client) => client.call(updateScene, { body: { ...sceneNow('下班'), Version: 9, ...scene({ Name: '下班' }) } }),
  },
  {
    what: 'a linkage that somebody else saved',
    ...changed,
    does: (client) =>
      client.call(updateLinkage, { body: { ...linkageNow('两柜联动'), Version: 9, ...linkage({ Name: '两柜联动' }) } }),
  },
  {
    ...{ what: 'a timer of somebody who may not switch', key: 'timer needs switching', by: 'managing' },
    zh: '没有分合闸权限，不能操作定时，请联系管理员',
    en: 'Timers need the permission to switch lines, which you do not have. Ask the administrator',
    does: (client) => client.call(insertTimer, { body: { HouseID: house.house(), ...timer() } }),
  },
  ...(['turn', 'edit', 'take'] as const).map((how) => ({
    ...{ what: `a timer with lines that are not visible, to ${how}`, key: 'timer lines unseen', by: 'partly' as const },
    zh: '该定时含有您无权查看的线路，不能操作',
    en: 'This timer acts on lines that you may not see, so you cannot change it',
    does: (client: Client) => {
      const own = timerNow('两柜定时')
      if (how === 'turn') return client.call(switchTimer, { body: { ...own, Enabled: false } })
      return how === 'take' ? client.call(takeTimer, { body: own }) : client.call(updateTimer, { body: { ...own, ...timer() } })
    },
  })),
  ...(['run', 'disable', 'edit'] as const).map((how) => ({
    ...{ what: `a scene with lines that are not visible, to ${how}`, key: 'scene seen in part', by: 'partly' as const },
    zh: '场景包含您无权查看的线路，不能执行或修改，请联系管理员',
    en: 'The scene has lines that you may not see, so you can neither run nor change it. Ask an administrator',
    does: (client: Client) =>
      how === 'edit'
        ? client.call(updateScene, { body: { ...sceneNow('两柜'), ...scene({ Name: '两柜' }) } })
        : client.call(switchScene, { body: { ...sceneNow('两柜'), ...running(how) } }),
  })),
  ...(['edit', 'disable', 'take'] as const).map((how) => ({
    ...{ what: `a linkage with lines that are not visible, to ${how}`, key: 'linkage seen in part', by: 'partly' as const },
    zh: '联动包含您无权查看的线路，不能修改，请联系管理员',
    en: 'The linkage has lines that you may not see, so you cannot change it. Ask an administrator',
    does: (client: Client) => {
      const own = linkageNow('两柜联动')
      if (how === 'edit') return client.call(updateLinkage, { body: { ...own, ...linkage({ Name: '两柜联动' }) } })
      return how === 'take'
        ? client.call(takeLinkage, { body: own })
        : client.call(switchLinkage, { body: { ...own, Mode: 'disable' } })
    },
  })),
  {
    ...{ what: 'a scene to enable without managing scenes', key: 'scene needs management', by: 'switching' },
    zh: '您没有“管理场景”权限，请联系管理员',
    en: 'Your role does not permit managing scenes. Ask an administrator',
    does: (client) => client.call(switchScene, { body: { ...sceneNow('停用场景'), ...running('enable') } }),
  },
  {
    ...{
      what: 'a scene to run that is disabled',
      key: 'scene disabled',
      zh: '场景已停用，请先启用',
      en: 'The scene is disabled. Enable it first',
    },
    does: (client) => client.call(switchScene, { body: { ...sceneNow('停用场景'), ...running('run') } }),
  },
  {
    ...{
      what: 'a scene to remove that a timer runs',
      key: 'scene in timer',
      zh: '以下定时执行该场景，请先在定时中更换场景或删除定时：执行下班',
    },
    en: 'Timers run this scene. Have them run another or delete them first: 执行下班',
    does: (client) => client.call(deleteScene, { body: sceneNow('下班') }),
  },
  {
    ...{
      what: 'a scene to remove that a linkage runs',
      key: 'scene in linkage',
      zh: '以下联动会执行该场景，请先从联动中移除：执行两柜',
    },
    en: 'Linkages run this scene. Take it out of them first: 执行两柜',
    does: (client) => client.call(deleteScene, { body: sceneNow('两柜') }),
  },
  {
    what: 'a timer to save without the control password',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(insertTimer, { body: { HouseID: house.house(), ...timer() } }),
  },
  {
    what: 'a timer to enable without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(switchTimer, { body: { ...timerNow('晚间'), Enabled: true } }),
  },
  {
    what: 'a timer to take over without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(takeTimer, { body: timerNow('晚间') }),
  },
  {
    what: 'all timers to take over without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(takeOrphanedTimers, { body: { HouseID: house.house() } }),
  },
  {
    what: 'a scene to run without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(switchScene, { body: { ...sceneNow('下班'), ...running('run') } }),
  },
  {
    what: 'a scene to enable without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(switchScene, { body: { ...sceneNow('停用场景'), ...running('enable') } }),
  },
  {
    what: 'a scene to take over without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(updateScene, { body: { ...sceneNow('下班'), ...scene({ Name: '下班' }) } }),
  },
  {
    what: 'all scenes to take over without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(takeOrphanedScenes, { body: { HouseID: house.house() } }),
  },
  {
    what: 'a linkage to enable without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(switchLinkage, { body: { ...linkageNow('两柜联动'), Mode: 'enable' } }),
  },
  {
    what: 'a linkage to take over without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(takeLinkage, { body: linkageNow('两柜联动') }),
  },
  {
    what: 'all linkages to take over without it',
    ...grantMissing,
    by: 'careful',
    does: (client) => client.call(takeOrphanedLinkages, { body: { HouseID: house.house() } }),
  },
  ...([takeOrphanedTimers, takeOrphanedScenes, takeOrphanedLinkages] as const).map((all) => ({
    ...{ what: `${all.name} by a sub-user`, ...ofAdministrators, by: 'managing' as const },
    does: (client: Client) => client.call(all, { body: { HouseID: house.house() } }),
  })),
  {
    ...{ what: 'days of all projects by a sub-user', key: 'owner calendar needs administrator', by: 'managing' },
    zh: '全部项目的日历只能由有权查看其全部项目的管理员修改',
    en: 'The calendar of all projects is changed only by an administrator who sees all of them',
    does: (client) =>
      client.call(updateCalendar, {
        body: { HouseID: house.house(), For: 'owner', Days: [{ Date: '2030-01-01', Class: 'holiday' }] },
      }),
  },
  {
    ...{
      what: 'an override that ends in the past',
      key: 'override end wrong',
      zh: '保持结束时间须在现在以后、14 天以内',
      en: 'The end must be later than now and within 14 days',
    },
    does: (client) => client.call(overrideLine, { params: at(1), body: { Kind: 'until', Until: 1, Reason: '值班' } }),
  },
  {
    ...{
      what: 'runs to skip for a month',
      key: 'skip end wrong',
      zh: '最多跳过到 14 天后，或到下一次执行',
      en: 'Runs may be skipped for at most 14 days, or up to the next run',
    },
    does: (client) => client.call(skipTimer, { body: { ...timerNow('晚间'), Until: Date.now() + 31 * 86_400_000 } }),
  },
]

test.each(acts.map((row) => [row.what, row] as const))('%s is refused by its own message', async (_, row) => {
  expect(await messageOf(row.does(house.people[row.by ?? 'admin']), row)).toEqual(meant(row))
})

test('a conflict names the other timer, the line and the first instant', async () => {
  const body = { HouseID: house.house(), ...timer({ Lines: [at(5)], Points: [{ PointNo: 1, At: '20:00:30', Action: 'trip' }] }) }
  const { Detail } = await refusalOf(house.stack.client.call(insertTimer, { body }))
  expect(Detail?.conflicts).toMatchObject([{ Key: 'fight', Name: '晚间', Line: at(5), At: expect.any(Number) }])
})
