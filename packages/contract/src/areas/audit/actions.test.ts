import { expect, test } from 'vitest'
import { allCalls } from '../../catalogue.ts'
import { actionNames } from '../../core/names.ts'
import { actionName, outcomeName, outcomeNames, refusalLogged, refusedAction } from './actions.ts'

const logged = allCalls.filter(refusalLogged)

test('every call whose refusal is logged has a name in both languages', () => {
  expect(logged.map(({ name }) => name)).toEqual(expect.arrayContaining(['operateLine', 'updateLine', 'startCampaign']))
  const unnamed = logged.filter((call) => refusedAction(call) !== call.name).map(({ name }) => name)
  expect(unnamed).toEqual([])
})

test.each([
  ['actions', Object.values(actionNames)],
  ['outcomes', Object.values(outcomeNames)],
])('every name is in its language, and no two %s of the filter are called the same', (_, names) => {
  for (const { zh, en } of names) {
    expect(zh).toMatch(/\p{Script=Han}/u)
    expect(en).toMatch(/^[\p{Script=Latin}\p{N}\p{P}\p{Zs}]+$/u)
  }
  expect(new Set(names.map(({ zh }) => zh)).size).toBe(names.length)
  expect(new Set(names.map(({ en }) => en)).size).toBe(names.length)
})

test('an entry that a former version wrote is shown by its key', () => {
  expect(actionName('toString')).toEqual({ zh: 'toString', en: 'toString' })
  expect(outcomeName('toString')).toEqual({ zh: 'toString', en: 'toString' })
})
