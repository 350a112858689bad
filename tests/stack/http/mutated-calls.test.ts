import { createClient } from '@linewarden/client'
import { addGroup, editGroup, logout, userInfo } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mutatedCalls, sweepMutated } from '../../kit/mutated-calls.ts'
import { ownTenant } from '../../kit/own-tenant.ts'
import { sessionOf } from '../../kit/stack.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { startTwoOwners } from '../../kit/two-owners.ts'

/** Requests that nobody should send, made from the contract. `npm run bench doors` makes many more of them. */
let all: TwoOwners
const hidden = 'HIDDENNAME'
const bert = { userName: '13900000002', password: 'Owner-7391' }

beforeAll(async () => {
  all = await startTwoOwners()
})
afterAll(() => all?.close())

test('800 of them are answered without a failure of ours, without a foreign name, and the server lives', async () => {
  const foreign = await ownTenant(all.anna, hidden, '13500000001')
  const given = await ownTenant(all.bert, 'bert', '13500000002')
  const ended = await sessionOf(all.stack.url, bert)
  await createClient({ baseUrl: all.stack.url, session: () => ended }).call(logout, { body: { UserID: ended.userId } })
  const session = await sessionOf(all.stack.url, bert)
  const outcome = await sweepMutated({
    ...{ url: all.stack.url, session, ended, count: 800, seed: 11, given, foreign },
    foreignNames: [hidden, '13500000001', 'A柜'],
  })
  console.info(`mutated calls: ${JSON.stringify([...outcome.statuses].sort())}, slowest ${Math.round(outcome.slowestMs)} ms`)
  expect(outcome.wrong).toEqual([])
  // Most were asked by somebody who may ask: else nothing but the door was tried.
  expect(outcome.statuses.get(400)).toBeGreaterThan(120)
  expect(outcome.statuses.get(200)).toBeGreaterThan(40)
  const still = createClient({ baseUrl: all.stack.url, session: () => session })
  await expect(still.call(userInfo)).resolves.toMatchObject({ UserName: bert.userName })
}, 240_000)

test('of two who give the same name at the same moment one is told that the other was quicker', async () => {
  const groups = await Promise.all(
    Array.from({ length: 8 }, (_, each) => all.bert.call(addGroup, { body: { Name: `quick ${each}` } })),
  )
  const outcomes = await Promise.allSettled(
    groups.map(({ CityID, Version }) => all.bert.call(editGroup, { body: { CityID, Name: 'one name', Version } })),
  )
  const results = outcomes.map((each) => (each.status === 'fulfilled' ? 'done' : each.reason.message))
  expect(results.filter((each) => each === 'done')).toHaveLength(1)
  expect(results.filter((each) => !['done', 'group exists', 'changed meanwhile'].includes(each))).toEqual([])
})

test('the same seed makes the same requests, and another one others', () => {
  const first = (seed: number) => {
    const source = mutatedCalls({ seed, given: {}, foreign: {} })
    return Array.from({ length: 200 }, () => JSON.stringify(source.next().value))
  }
  expect(first(3)).toEqual(first(3))
  expect(first(4)).not.toEqual(first(3))
})
