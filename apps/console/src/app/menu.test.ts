import type { UserInfo } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { mayOpen, menuOf } from './menu.ts'

const nobody = { IsAdministrators: false, Privileges: [], LevelBtn: [] }
const person = (Roles: UserInfo['Roles'], ExtraRoute = false) => ({ Roles, ExtraRoute })
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

test('configured accounts find one more section at position 4', () => {
  const menu = menuOf({ ...administrator, ExtraRoute: true })
  expect(menu.map(({ page }) => page.key)).toEqual(['devmon', 'timer', 'hazard', 'advance', 'energy', 'system'])
})

test('the extra section comes last where there are fewer than three', () => {
  const Roles = { ...nobody, Privileges: [{ Name: '设备监控', Subs: [{ Name: '实时监控' }] }] }
  expect(menuOf(person(Roles, true)).map(({ page }) => page.key)).toEqual(['devmon', 'advance'])
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

test('branding is there for whoever runs the installation, and for no other administrator', () => {
  const keys = (who: Parameters<typeof menuOf>[0]) => menuOf(who).flatMap(({ subs }) => subs.map(({ page }) => page.key))
  const platform = { ...administrator, Platform: true }
  expect([keys(platform), keys(administrator)].map((each) => each.includes('system.branding'))).toEqual([true, false])
  expect([mayOpen('/system/branding', platform), mayOpen('/system/branding', administrator)]).toEqual([true, false])
})
