import type { Client } from '@linewarden/client'
import type { EventRecord } from '@linewarden/contract'
import {
  acknowledgeEvents,
  isNewMessage,
  listEventSteps,
  listEvents,
  listUnacknowledged,
  placeTag,
  removeTag,
  shelveEvents,
  unshelveEvents,
} from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { RaisedEvent } from '../../kit/raised-events.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// What keeps an alarm silent beside its state, and what calls for somebody again. Time moves only here.
const minuteMs = 60_000
let stack: Stack
let now = Date.now()
/** Signed in anew each time: hours pass in between. */
let admin: Client
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now })
  calm(stack)
})
afterAll(() => stack?.close())
beforeEach(async () => {
  const db = await stack.server.database.connect()
  await db.query('delete from event; delete from event_shelf')
  await db.end()
  admin = await signedIn(stack.url, stack.admin, () => now)
  await polled()
})

const polled = async () => (await admin.call(isNewMessage, { query: {} })).Events.map(({ EventID }) => EventID)
const unacknowledged = async () => (await admin.call(listUnacknowledged, { body: {} })).items.map(({ EventID }) => EventID)
const shelve = (EventID: string, Minutes = 10, by = admin) =>
  by.call(shelveEvents, { body: { EventIDs: [EventID], Minutes, Reason: '传感器更换中' } })
const unshelve = (EventID: string) => admin.call(unshelveEvents, { body: { EventIDs: [EventID] } })
const acts = async (EventID: string) =>
  (await admin.call(listEventSteps, { params: { EventID }, query: {} })).items.map(({ Act }) => Act)

async function eventOf(id: string): Promise<EventRecord> {
  const { items } = await admin.call(listEvents, { body: { Size: 200 } })
  const found = items.find(({ EventID }) => EventID === id)
  if (!found) throw new Error(`there is no event ${id}`)
  return found
}
const becomes = (id: string, different: Partial<EventRecord>) =>
  vi.waitFor(async () => expect(await eventOf(id)).toMatchObject(different))

/** The equipment raises the alarm of a line, or it returns. */
async function happens(act: 'raise' | 'return', event: RaisedEvent): Promise<string[]> {
  if (act === 'raise') return raiseEvents(stack, [event])
  const db = await stack.server.database.connect()
  await db.query(
    "update event set state = case state when 'active' then 'returned' else 'normal' end, returned_at = now() where key = $1",
    [event.key],
  )
  await db.end()
  return []
}

test('on the shelf an alarm is listed and silent; when its time is over it waits for somebody, and is announced again', async () => {
  const [event = ''] = await raiseEvents(stack, [{ raisedAt: now }])
  await admin.call(acknowledgeEvents, { body: { EventIDs: [event] } })
  expect(await shelve(event, 10)).toEqual({ Shelved: 1, Outcomes: [{ EventID: event, Outcome: 'shelved' }] })
  expect(await eventOf(event)).toMatchObject({
    State: 'acknowledged',
    Shelved: { Until: now + 10 * minuteMs, By: 'admin', Reason: '传感器更换中' },
  })
  expect([await unacknowledged(), await polled()]).toEqual([[], []])
  const listed = async (Shelved: boolean) => (await admin.call(listEvents, { body: { Shelved } })).total
  expect([await listed(true), await listed(false)]).toEqual([1, 0])
  now += 10 * minuteMs
  await becomes(event, { State: 'active', Shelved: null, AcknowledgedAt: null, AcknowledgedBy: null, Announced: 2 })
  expect([await unacknowledged(), await polled(), await polled()]).toEqual([[event], [event], []])
  expect(await acts(event)).toEqual(['shelfEnd', 'shelve', 'acknowledge'])
})

test('the shelf is over at its moment, whether or not anything has noticed', async () => {
  const [event = ''] = await raiseEvents(stack, [{}])
  await shelve(event, 1)
  const db = await stack.server.database.connect()
  // Somebody has its row, so that nothing else does anything to it.
  await db.query('begin')
  await db.query('select from event where event_id = $1 for update', [event])
  now += minuteMs
  expect([await unacknowledged(), await polled()]).toEqual([[event], [event]])
  expect((await admin.call(listEvents, { body: { Shelved: true } })).total).toBe(0)
  await db.query('rollback')
  await db.end()
})

test('taken off by hand an alarm is acknowledged, and is not announced', async () => {
  const [event = ''] = await raiseEvents(stack, [{}])
  await polled()
  await shelve(event)
  expect(await unshelve(event)).toEqual({ Unshelved: 1, Outcomes: [{ EventID: event, Outcome: 'unshelved' }] })
  expect(await eventOf(event)).toMatchObject({ State: 'acknowledged', Shelved: null, AcknowledgedBy: 'admin' })
  expect(await polled()).toEqual([])
  expect((await unshelve(event)).Outcomes).toEqual([{ EventID: event, Outcome: 'notShelved' }])
})

test('one that has returned meanwhile is over when its time on the shelf is', async () => {
  const alarm = { key: 'current.alarm' }
  const [event = ''] = await raiseEvents(stack, [alarm])
  await polled()
  await shelve(event, 5)
  await happens('return', alarm)
  expect([await unacknowledged(), (await eventOf(event)).State]).toEqual([[], 'returned'])
  now += 5 * minuteMs
  await becomes(event, { State: 'normal', Shelved: null })
  expect([await unacknowledged(), await polled()]).toEqual([[], []])
})

test('fire, gas and arc are never shelved, a critical alarm only by an administrator, any alarm three times a day', async () => {
  const [smoke = '', trip = '', high = '', over = ''] = await raiseEvents(stack, [
    { key: 'smoke.alarm', controllerId: 'A-Y1', lineNo: null, priority: 'critical' },
    { key: 'trip.short', priority: 'critical' },
    {},
    { state: 'normal' },
  ])
  const { accounts } = stack.server
  const privileges = ['devmon', 'devmon.realtime', 'hazard', 'hazard.alarmList']
  const roleId = await accounts.createRole({ number: 'shelf', name: '搁', privileges, buttons: [] })
  const projectIds = [...stack.server.plant.projects.values()].map(({ id }) => id)
  const person = async (userName: string, kind: 'sub' | 'shared') => {
    await accounts.createAccount({ userName, password: 'Narrow-7391', kind, roleId, projectIds })
    return signedIn(stack.url, { userName, password: 'Narrow-7391' }, () => now)
  }
  const [sub, shared] = [await person('13800000071', 'sub'), await person('13800000072', 'shared')]
  expect(await outcomeOf(shelve(smoke))).toBe('shelve not allowed')
  expect(await outcomeOf(shelve(over))).toBe('alarm over')
  expect(await outcomeOf(shelve('999999999'))).toBe('event not exists')
  expect(await outcomeOf(shelve(trip, 10, sub))).toBe('shelve by administrators')
  expect(await outcomeOf(shelve(high, 10, shared))).toBe('access denied')
  expect(await outcomeOf(shelve(trip))).toBe('done')
  // Of several each has its own outcome.
  const EventIDs = [smoke, high, trip]
  expect((await sub.call(shelveEvents, { body: { EventIDs, Minutes: 10, Reason: '检修' } })).Outcomes).toEqual([
    { EventID: smoke, Outcome: 'danger' },
    { EventID: high, Outcome: 'shelved' },
    { EventID: trip, Outcome: 'administrators' },
  ])
  expect(await outcomeOf(shelve(high))).toBe('already shelved')
  for (let times = 1; times < 3; times++) {
    await unshelve(high)
    expect(await outcomeOf(shelve(high))).toBe('done')
  }
  await unshelve(high)
  expect(await outcomeOf(shelve(high))).toBe('shelve too often')
  now += 24 * 60 * minuteMs
  admin = await signedIn(stack.url, stack.admin, () => now)
  expect(await outcomeOf(shelve(high))).toBe('done')
})

test.each([
  ['no reason', { Minutes: 10, Reason: ' ' }],
  ['more than eight hours', { Minutes: 481, Reason: '检修' }],
  ['no time at all', { Minutes: 0, Reason: '检修' }],
])('%s is refused before anything is looked for', async (_, body) => {
  const [event = ''] = await raiseEvents(stack, [{}])
  expect(await outcomeOf(admin.call(shelveEvents, { body: { EventIDs: [event], ...body } }))).toBe('invalid parameter')
})

test('an acknowledgement of what is still there runs out by its priority, and never that of a low one', async () => {
  const [critical = '', high = '', low = ''] = await raiseEvents(stack, [{ priority: 'critical' }, {}, { priority: 'low' }])
  const [returned = ''] = await raiseEvents(stack, [{ priority: 'critical', state: 'returned' }])
  await admin.call(acknowledgeEvents, { body: { EventIDs: [critical, high, low, returned] } })
  await admin.call(isNewMessage, { query: {} })
  const find = async (id: string) => {
    const { items } = await admin.call(listEvents, { body: { Size: 200 } })
    return items.find(({ EventID }) => EventID === id)
  }
  expect((await find(critical))?.AcknowledgedUntil).toBe(now + 30 * minuteMs)
  expect((await find(low))?.AcknowledgedUntil).toBeNull()
  now += 30 * minuteMs
  admin = await signedIn(stack.url, stack.admin, () => now)
  await vi.waitFor(async () =>
    expect(await find(critical)).toMatchObject({ State: 'active', Announced: 2, AcknowledgedBy: null }),
  )
  const { Events } = await admin.call(isNewMessage, { query: {} })
  // In the half hour that passed at once the gateways were silent, too.
  expect(Events.filter(({ Key }) => !Key.startsWith('gateway.')).map(({ EventID }) => EventID)).toEqual([critical])
  expect([(await find(high))?.State, (await find(low))?.State, (await find(returned))?.State]).toEqual([
    'acknowledged',
    'acknowledged',
    'normal',
  ])
})

test('where a tag hangs alarms are out of service but for fire, and call for somebody again when it is taken off', async () => {
  const [event = ''] = await raiseEvents(stack, [{ lineNo: 4 }])
  const [danger = ''] = await raiseEvents(stack, [{ lineNo: 4, key: 'arc', priority: 'critical' }])
  const [elsewhere = ''] = await raiseEvents(stack, [{ lineNo: 5 }])
  await admin.call(isNewMessage, { query: {} })
  const TagID = crypto.randomUUID()
  const params = { ControllerID: 'A-T1', LineNo: 4 }
  await admin.call(placeTag, { params, body: { TagID, Kind: 'tag', Reason: '更换电缆' } })
  const waiting = async () => (await admin.call(listUnacknowledged, { body: {} })).items.map(({ EventID }) => EventID).toSorted()
  await vi.waitFor(async () => expect(await waiting()).toEqual([danger, elsewhere].toSorted()))
  const { items } = await admin.call(listEvents, { body: {} })
  expect(items.map(({ EventID, Suppressed }) => [EventID, Suppressed])).toContainEqual([event, 'tag'])
  await admin.call(removeTag, { params: { ...params, TagID }, body: {} })
  await vi.waitFor(async () => expect(await waiting()).toEqual([event, danger, elsewhere].toSorted()))
  const { Events } = await admin.call(isNewMessage, { query: {} })
  expect(Events.map(({ EventID, Suppressed }) => [EventID, Suppressed])).toEqual([[event, null]])
})
