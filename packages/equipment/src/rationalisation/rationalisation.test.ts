import { expect, test } from 'vitest'
import { families } from '../catalogue.ts'
import { rationaleOf, rationales } from './index.ts'

const keys = [...new Set(families.flatMap(({ alarms }) => alarms.map(({ key }) => key)))]

// That nothing else can be raised without one, the server's own list says: alarm-catalogue.test.ts.
test('every alarm of every family has an answer, and none has two', () => {
  expect(keys.filter((key) => rationaleOf(key) === null)).toEqual([])
  expect(new Set(rationales.map(({ key }) => key)).size).toBe(rationales.length)
})

test.each(rationales)('$key says everything, in both languages', ({ key: _, ...texts }) => {
  for (const { zh, en } of Object.values(texts)) {
    expect(zh).toMatch(/\p{Script=Han}/u)
    expect(en).toMatch(/[a-z]/)
    expect(en).not.toMatch(/\p{Script=Han}/u)
  }
})

test('whoever reads what to do is told before a line that may hurt is closed again', () => {
  for (const key of ['trip.leakage', 'trip.short', 'trip.arc'])
    expect(rationaleOf(key)?.action.zh).toMatch(/不得合闸|不要试合|才能远程合闸/)
})
