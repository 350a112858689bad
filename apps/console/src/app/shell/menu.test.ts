import type { UserInfo } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { builtPages } from '../../areas/pages.ts'
import { mayOpen } from '../session/permitted-pages.ts'
import { menuOf as menuWith, startOf } from './menu.ts'

const built = new Set(Object.keys(builtPages))
const menuOf = (each: Parameters<typeof mayOpen>[1]) => menuWith(each, built)

const nobody = { IsAdministrators: false, Privileges: [], LevelBtn: [] }
const person = (Roles: UserInfo['Roles'], ExtraRoute: UserInfo['ExtraRoute'] = null) => ({ Roles, ExtraRoute })
const administrator = person({ ...nobody, IsAdministrators: true })

test('an administrator gets every section', () => {
  expect(menuOf(administrator).map(({ page }) => page.key)).toEqual(['devmon', 'timer', 'hazard', 'energy', 'system'])
})

test('others get only the sections and pages their role names', () => {
  const Roles = { ...nobody, Privileges: [{ Name: '设备监控', Subs: [{ Name: '实时监控' }] }] }
  const menu = menuOf(person(Roles))
  expect(menu.map(({ page }) => page.key)).toEqual(['devmon'])
  expect(menu[0]?.subs.map(({ page }) => page.key)).toEqual(['devmon.realtime'])
})

test('a role without privileges gets no menu', () => {
  expect(menuOf(person(nobody))).toEqual([])
})

test('a section of which a role holds no page is not in its menu', () => {
  const Privileges = [
    { Name: '设备监控', Subs: [] },
    { Name: '系统管理', Subs: [{ Name: '用户管理' }] },
  ]
  expect(menuOf(person({ ...nobody, Privileges })).map(({ page }) => page.key)).toEqual(['system'])
})

test.each([
  ['the live page among others', [{ Name: '设备监控', Subs: [{ Name: '历史数据' }, { Name: '实时监控' }] }], '/devmon/realtime'],
  [
    'a section that is still to come, and one that is there',
    [
      { Name: '能耗统计', Subs: [{ Name: '用电统计' }] },
      { Name: '系统管理', Subs: [{ Name: '用户管理' }, { Name: '系统日志' }] },
    ],
    '/system/users',
  ],
  ['the reports', [{ Name: '系统管理', Subs: [{ Name: '报表管理' }] }], '/system/report/deviceData'],
  ['only what is still to come', [{ Name: '能耗统计', Subs: [{ Name: '用电统计' }] }], '/energyStatistics/energy'],
  ['a section without a page', [{ Name: '设备监控', Subs: [] }], null],
])('a role of %s begins there', (_, Privileges, start) => {
  // As if one of them were still to come: of the menu's sections all have pages that are built.
  const builtBefore = new Set([...built].filter((route) => route !== '/energyStatistics/energy'))
  expect(startOf(person({ ...nobody, Privileges }), builtBefore)).toBe(start)
})

test.each([
  ['/advance/warning', 'advance.warning'],
  ['/hazard/workorder', 'hazard.workorder'],
  ['/system/report/account', 'report.account'],
])('an account with the extra route %s finds it at position 4, and may open it', (route, key) => {
  const menu = menuOf({ ...administrator, ExtraRoute: route })
  expect(menu.map(({ page }) => page.key)).toEqual(['devmon', 'timer', 'hazard', key, 'energy', 'system'])
  expect(menu[3]?.redirect).toBe(route)
  expect(mayOpen(route, person(nobody, route))).toBe(true)
})

test('the extra route comes last where there are fewer than three sections', () => {
  const Roles = { ...nobody, Privileges: [{ Name: '设备监控', Subs: [{ Name: '实时监控' }] }] }
  expect(menuOf(person(Roles, '/advance/warning')).map(({ page }) => page.key)).toEqual(['devmon', 'advance.warning'])
})

test('an extra route that this console does not know is none', () => {
  expect(menuOf({ ...administrator, ExtraRoute: '/system/firmware' })).toEqual(menuOf(administrator))
})

test.each([
  ['/devmon/realtime', true],
  ['/devmon/hisdata', false],
  ['/system/report/account', true],
  ['/system/users', false],
  ['/advance/warning', false],
  ['/devmonster', false],
])('a role of live view and reports: may it open %s? %s', (pathname, may) => {
  const Privileges = [
    { Name: '设备监控', Subs: [{ Name: '实时监控' }] },
    { Name: '系统管理', Subs: [{ Name: '报表管理' }] },
  ]
  expect(mayOpen(pathname, person({ ...nobody, Privileges }))).toBe(may)
})

test('an administrator may open every page', () => {
  expect(mayOpen('/advance/warning', administrator)).toBe(true)
})

test('branding is there in System, once, for whoever runs the installation, and for no other administrator', () => {
  const sections = (who: Parameters<typeof menuOf>[0]) =>
    menuOf(who).flatMap(({ page, subs }) => subs.flatMap((sub) => (sub.page.key === 'system.branding' ? [page.key] : [])))
  const platform = { ...administrator, Platform: true }
  expect([sections(platform), sections(administrator)]).toEqual([['system'], []])
  expect([mayOpen('/system/branding', platform), mayOpen('/system/branding', administrator)]).toEqual([true, false])
})
