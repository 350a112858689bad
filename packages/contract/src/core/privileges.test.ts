import { describe, expect, test } from 'vitest'
import { buttons, isButtonPermission, pages } from './privileges.ts'

const all = pages.flatMap((page) => [page, ...page.subs])

test('no two pages share a key, a name of its level or a route of its level', () => {
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length)
  for (const level of [pages, ...pages.map(({ subs }) => subs)]) {
    expect(new Set(level.map(({ name }) => name.zh)).size).toBe(level.length)
    expect(new Set(level.map(({ route }) => route)).size).toBe(level.length)
  }
})

test('every page and button speaks both languages', () => {
  for (const { zh, en } of [...all.map(({ name }) => name), ...Object.values(buttons)]) {
    expect(zh).toMatch(/^\p{Script=Han}+$/u)
    expect(en).toMatch(/^[A-Z][A-Za-z -]+$/)
  }
})

describe('a button permission', () => {
  test.each(['manageTiming', 'manageScene', 'lineSwitch', 'tagLines', 'gatewayEnable'])('%s is one', (key) => {
    expect(isButtonPermission(key)).toBe(true)
  })

  test.each(['devmon', '', 'toString', '__proto__', 'constructor'])('%j is none', (key) => {
    expect(isButtonPermission(key)).toBe(false)
  })
})
