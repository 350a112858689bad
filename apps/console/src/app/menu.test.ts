import { expect, test } from 'vitest'
import { menuOf } from './menu.ts'

const nobody = { IsAdministrators: false, Privileges: [], LevelBtn: [] }

test('an administrator gets every section', () => {
  expect(menuOf({ Roles: { ...nobody, IsAdministrators: true } }).map(({ page }) => page.key)).toEqual([
    'devmon',
    'timer',
    'hazard',
    'energy',
    'system',
  ])
})

test('others get only the sections and pages their role names', () => {
  const Roles = { ...nobody, Privileges: [{ Name: '设备监控', Subs: [{ Name: '实时监控' }] }] }
  const menu = menuOf({ Roles })
  expect(menu.map(({ page }) => page.key)).toEqual(['devmon'])
  expect(menu[0]?.subs.map(({ page }) => page.key)).toEqual(['devmon.realtime'])
})

test('a role without privileges gets no menu', () => {
  expect(menuOf({ Roles: nobody })).toEqual([])
})

test('what is not built yet is marked', () => {
  const menu = menuOf({ Roles: { ...nobody, IsAdministrators: true } })
  const item = (key: string) => menu.flatMap(({ subs }) => subs).find(({ page }) => page.key === key)
  expect(item('devmon.realtime')?.underDevelopment).toBe(false)
  expect(item('devmon.hisdata')?.underDevelopment).toBe(true)
})
