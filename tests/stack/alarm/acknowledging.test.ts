import type { Request } from '@linewarden/contract'
import { acknowledgeEvent, acknowledgeEvents, acknowledgeMatching, listEvents, verifyJournal } from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// What one press acknowledges, by numbers or by a filter.
let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
})
afterAll(() => stack?.close())
beforeEach(async () => {
  const db = await stack.server.database.connect()
  await db.query('delete from event')
  await db.end()
})

type Matching = Request<typeof acknowledgeMatching>['body']
const matching = (body: Matching) => stack.client.call(acknowledgeMatching, { body })
const list = () => stack.client.call(listEvents, { body: { Size: 200 } })
const states = async (ids: readonly string[]) => {
  const { items } = await list()
  return ids.map((id) => items.find(({ EventID }) => EventID === id)?.State)
}
const houseOf = (number: string) => stack.server.plant.gatewayByNumber.get(number)?.project.id ?? 0

test('of several numbers each has its own outcome, and what was not acknowledged is named first', async () => {
  const [active = '', returned = '', acknowledged = '', over = '', journal = ''] = await raiseEvents(stack, [
    {},
    { state: 'returned' },
    { state: 'acknowledged' },
    { state: 'normal' },
    { kind: 'journal', state: null },
  ])
  const EventIDs = [active, returned, acknowledged, over, journal, '999999999']
  const reply = await stack.client.call(acknowledgeEvents, { body: { EventIDs } })
  expect(reply).toEqual({
    Acknowledged: 2,
    Already: 2,
    Gone: 1,
    NotPermitted: 1,
    Outcomes: [
      { EventID: acknowledged, Outcome: 'already' },
      { EventID: over, Outcome: 'already' },
      { EventID: journal, Outcome: 'notPermitted' },
      { EventID: '999999999', Outcome: 'gone' },
      { EventID: active, Outcome: 'acknowledged' },
      { EventID: returned, Outcome: 'acknowledged' },
    ],
  })
  expect(await states([active, returned, acknowledged, over])).toEqual(['acknowledged', 'normal', 'acknowledged', 'normal'])
  expect(await outcomeOf(stack.client.call(acknowledgeEvent, { params: { EventID: journal } }))).toBe('event not exists')
})

test('five hundred at once are acknowledged one by one in the log, whose chain holds; of fifty it is told what became of them', async () => {
  const all = await raiseEvents(
    stack,
    Array.from({ length: 500 }, () => ({})),
  )
  const reply = await stack.client.call(acknowledgeEvents, { body: { EventIDs: all } })
  expect([reply.Acknowledged, reply.Outcomes.length]).toEqual([500, 50])
  const entered = await stack.server.database.general
    .selectFrom('audit')
    .select('subject_id')
    .where('subject_kind', '=', 'event')
    .where('subject_id', 'in', all)
    .execute()
  expect(entered.map(({ subject_id }) => subject_id).toSorted()).toEqual(all.toSorted())
  expect(await stack.client.call(verifyJournal, {})).toMatchObject({ FirstBroken: null })
  expect(new Set(await states(all.slice(-200)))).toEqual(new Set(['acknowledged']))
})

test('all that match are acknowledged, of whatever number, and nothing that was raised after the list was shown', async () => {
  const shown = await raiseEvents(stack, [
    ...Array.from({ length: 300 }, () => ({})),
    { state: 'returned' as const },
    { priority: 'critical' as const },
    { state: 'acknowledged' as const },
    { controllerId: 'B-T1' },
  ])
  const { about } = await list()
  const [newer = ''] = await raiseEvents(stack, [{}])
  const Filter = { HouseID: houseOf('GW-A'), Priorities: ['high' as const] }
  const reply = await matching({ Filter, UpTo: about.UpTo, Expect: 301 })
  expect(reply).toMatchObject({ Acknowledged: 301, Already: 0, Gone: 0, NotPermitted: 0 })
  const [critical = '', , foreign = ''] = shown.slice(301)
  expect(await states([newer, critical, foreign, shown[300] ?? ''])).toEqual(['active', 'active', 'active', 'normal'])
})

test('when a tenth more or less match than a person was shown, nothing is acknowledged and they are told how many', async () => {
  const shown = await raiseEvents(
    stack,
    Array.from({ length: 12 }, () => ({})),
  )
  const { about } = await list()
  const refused = matching({ Filter: {}, UpTo: about.UpTo, Expect: 10 })
  await expect(refused).rejects.toMatchObject({
    problem: { failure: { Message: 'more came meanwhile', Detail: { expected: 10, now: 12 } } },
  })
  expect(new Set(await states(shown))).toEqual(new Set(['active']))
  expect(await matching({ Filter: {}, UpTo: about.UpTo, Expect: 11 })).toMatchObject({ Acknowledged: 12 })
})

test('of another project, or with a shared account, nothing is acknowledged', async () => {
  const [own = ''] = await raiseEvents(stack, [{}])
  const [foreign = ''] = await raiseEvents(stack, [{ controllerId: 'B-T1' }])
  const { about } = await list()
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: 'ack', name: '确', privileges: ['devmon', 'devmon.realtime'], buttons: [] })
  const signIn = async (userName: string, kind: 'sub' | 'shared') => {
    const account = { userName, password: 'Narrow-7391' }
    await accounts.createAccount({ ...account, kind, roleId, projectIds: [houseOf('GW-A')] })
    return signedIn(stack.url, account)
  }
  const [sub, shared] = [await signIn('13800000051', 'sub'), await signIn('13800000052', 'shared')]
  const body = { Filter: {}, UpTo: about.UpTo, Expect: 1 }
  expect(await outcomeOf(shared.call(acknowledgeMatching, { body }))).toBe('access denied')
  const ofOthers = { ...body, Filter: { HouseID: houseOf('GW-B') } }
  expect(await outcomeOf(sub.call(acknowledgeMatching, { body: ofOthers }))).toBe('project not exists')
  expect(await sub.call(acknowledgeMatching, { body })).toMatchObject({ Acknowledged: 1 })
  expect(await states([own, foreign])).toEqual(['acknowledged', 'active'])
})
