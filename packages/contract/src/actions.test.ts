import { expect, test } from 'vitest'
import { actionName, actionNames, refusedAction } from './actions.ts'
import { allCalls } from './calls.ts'
import { refusedNames } from './refused-names.ts'

/** Calls whose refusal the server writes into the audit log: those that say so, and every order to equipment. */
const logged = allCalls.filter(
  ({ area, method, reads, audited }) => audited || (method !== 'GET' && !reads && (area === 'control' || area === 'equipment')),
)

test('every call whose refusal is logged has a name in both languages', () => {
  expect(logged.map(({ name }) => name)).toEqual(expect.arrayContaining(['operateLine', 'updateLine', 'startCampaign']))
  const unnamed = logged.filter((call) => refusedAction(call) !== call.name).map(({ name }) => name)
  expect(unnamed).toEqual([])
})

test('no name is kept for a call that is gone', () => {
  const calls = allCalls.map(({ name }) => name)
  expect(Object.keys(refusedNames).filter((key) => key !== 'call' && !calls.includes(key))).toEqual([])
})

test('every name is in its language, and no two actions of the filter are called the same', () => {
  for (const { zh, en } of Object.values(actionNames)) {
    expect(zh).toMatch(/\p{Script=Han}/u)
    expect(en).toMatch(/^[\p{Script=Latin}\p{N}\p{P}\p{Zs}]+$/u)
  }
  const names = Object.values(actionNames)
  expect(new Set(names.map(({ zh }) => zh)).size).toBe(names.length)
  expect(new Set(names.map(({ en }) => en)).size).toBe(names.length)
})

test('an entry that a former version wrote is shown by its key', () => {
  expect(actionName('toString')).toEqual({ zh: 'toString', en: 'toString' })
})
