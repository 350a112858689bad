import type { Request } from '@linewarden/contract'
import { acknowledgeEvent, acknowledgeEvents, acknowledgeMatching, listEvents, verifyJournal } from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { forgetAnnouncements } from '../../../apps/server/src/store/alarm/announcement.ts'
import { raiseEventAgain, raiseEvents } from '../../kit/raised-events.ts'
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
const shownOf = ({ UpTo, Mark }: Awaited<ReturnType<typeof list>>['about']) => ({ UpTo, Mark })
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
    RaisedAgain: 0,
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
  expect(await outcomeOf(stack.client.call(acknowledgeEvent, { params: { EventID: journal }, query: {} }))).toBe(
    'event not exists',
  )
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
  const reply = await matching({ Filter, ...shownOf(about), Expect: 301 })
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
  const refused = matching({ Filter: {}, ...shownOf(about), Expect: 10 })
  await expect(refused).rejects.toMatchObject({
    problem: { failure: { Message: 'more came meanwhile', Detail: { expected: 10, now: 12 } } },
  })
  expect(new Set(await states(shown))).toEqual(new Set(['active']))
  expect(await matching({ Filter: {}, ...shownOf(about), Expect: 11 })).toMatchObject({ Acknowledged: 12 })
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
  const body = { Filter: {}, ...shownOf(about), Expect: 1 }
  expect(await outcomeOf(shared.call(acknowledgeMatching, { body }))).toBe('access denied')
  const ofOthers = { ...body, Filter: { HouseID: houseOf('GW-B') } }
  expect(await outcomeOf(sub.call(acknowledgeMatching, { body: ofOthers }))).toBe('project not exists')
  expect(await sub.call(acknowledgeMatching, { body })).toMatchObject({ Acknowledged: 1 })
  expect(await states([own, foreign])).toEqual(['acknowledged', 'active'])
})

const lockWaits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"

test('what was raised again after the list was shown nobody has seen, though it was listed: not by a filter, not by its number', async () => {
  const [again = '', other = ''] = await raiseEvents(stack, [{ state: 'returned' }, {}])
  const { items, about } = await list()
  await raiseEventAgain(stack, again)
  const { total } = await stack.client.call(listEvents, { body: { ...shownOf(about), States: ['active', 'returned'] } })
  expect(total).toBe(1)
  expect(await matching({ Filter: {}, ...shownOf(about), Expect: 1 })).toMatchObject({ Acknowledged: 1 })
  expect(await states([again, other])).toEqual(['active', 'acknowledged'])

  const EventIDs = [again, other]
  const Raises = EventIDs.map((id) => items.find(({ EventID }) => EventID === id)?.Raises ?? 0)
  const one = stack.client.call(acknowledgeEvents, { body: { EventIDs, Raises: Raises.slice(1) } })
  await expect(one).rejects.toMatchObject({ problem: { failure: { Problems: [{ Path: 'body.Raises' }] } } })
  const byNumber = await stack.client.call(acknowledgeEvents, { body: { EventIDs, Raises } })
  expect(byNumber).toMatchObject({ Acknowledged: 0, Already: 1, RaisedAgain: 1 })
  expect(byNumber.Outcomes[0]).toEqual({ EventID: again, Outcome: 'raisedAgain' })
  expect(await states([again])).toEqual(['active'])
  const { about: now } = await list()
  expect(await matching({ Filter: {}, ...shownOf(now), Expect: 1 })).toMatchObject({ Acknowledged: 1 })
})

test('one event that was raised again after it was shown is not acknowledged, a fire least of all', async () => {
  const [fire = ''] = await raiseEvents(stack, [{ key: 'fire', priority: 'critical', state: 'returned' }])
  const acknowledged = (Raises: number) => stack.client.call(acknowledgeEvent, { params: { EventID: fire }, query: { Raises } })
  await raiseEventAgain(stack, fire)
  expect(await outcomeOf(acknowledged(1))).toBe('raised again')
  expect(await states([fire])).toEqual(['active'])
  expect(await acknowledged(2)).toMatchObject({ State: 'acknowledged', Raises: 2 })
  // Who has acknowledged what is no more than was shown is told so, not refused.
  expect(await acknowledged(2)).toMatchObject({ State: 'acknowledged' })
})

test('a caller that says not how often it was shown an event acknowledges what is there', async () => {
  const [again = ''] = await raiseEvents(stack, [{ state: 'returned' }])
  await raiseEventAgain(stack, again)
  const done = await stack.client.call(acknowledgeEvent, { params: { EventID: again }, query: {} })
  expect(done.State).toBe('acknowledged')
})

test('with a mark so old that announcements after it are forgotten nothing is acknowledged or counted', async () => {
  const [shown = ''] = await raiseEvents(stack, [{}])
  const { about: old } = await list()
  const [newer = ''] = await raiseEvents(stack, [{}])
  const { about } = await list()
  await forgetAnnouncements(stack.server.database, new Date(Date.now() + 60_000))
  const body = { Filter: {}, ...shownOf(old), Expect: 1 }
  expect(await outcomeOf(matching(body))).toBe('shown too long ago')
  expect(await outcomeOf(stack.client.call(listEvents, { body: shownOf(old) }))).toBe('shown too long ago')
  expect(await states([shown, newer])).toEqual(['active', 'active'])
  // The newest mark says as much as before, though its announcement is forgotten, and so does the next list's.
  expect((await list()).about.Mark).toBe(about.Mark)
  expect(await matching({ ...body, ...shownOf(about), Expect: 2 })).toMatchObject({ Acknowledged: 2 })
})

test('an event of a smaller number that is stored after the list was shown is not acknowledged with it', async () => {
  const [late = '', shown = ''] = await raiseEvents(stack, [{}, {}])
  const db = await stack.server.database.connect()
  const { rows } = await db.query('delete from event where event_id = $1 returning to_jsonb(event) as row', [late])
  const { about } = await list()
  await db.query('insert into event overriding system value select * from jsonb_populate_record(null::event, $1)', [rows[0].row])
  await db.query("insert into announcement (event_id, at, why) values ($1, now(), 'raise')", [late])
  await db.end()
  expect(await matching({ Filter: {}, ...shownOf(about), Expect: 1 })).toMatchObject({ Acknowledged: 1 })
  expect(await states([late, shown])).toEqual(['active', 'acknowledged'])
})

test('an event that is raised again while its acknowledgement waits for its row stays unacknowledged', async () => {
  const [again = ''] = await raiseEvents(stack, [{ state: 'returned' }])
  const { about } = await list()
  const db = await stack.server.database.connect()
  await db.query('begin')
  await db.query("update event set state = 'active', returned_at = null, raises = raises + 1 where event_id = $1", [again])
  const acknowledged = matching({ Filter: {}, ...shownOf(about), Expect: 1 })
  await expect.poll(async () => (await db.query(lockWaits)).rowCount).toBeGreaterThan(0)
  await db.query('commit')
  await db.end()
  expect(await acknowledged).toMatchObject({ Acknowledged: 0, RaisedAgain: 1 })
  expect(await states([again])).toEqual(['active'])
})
