import type { Request } from '@linewarden/contract'
import { eventDetails, groupEvents, listEvents } from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RaisedEvent } from '../../kit/raised-events.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

type Asked = Request<typeof listEvents>['body']

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

const list = (body: Asked) => stack.client.call(listEvents, { body })
const ids = (reply: { readonly items: readonly { readonly EventID: string }[] }) => reply.items.map(({ EventID }) => EventID)
const projectId = (name: string) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0
const noon = Date.UTC(2026, 0, 15, 12)

const others: readonly RaisedEvent[] = [
  { key: 'current.alarm', raisedAt: noon },
  { key: 'gateway.offline', controllerId: 'B-T1', lineNo: 'gateway', kind: 'fault', priority: 'medium', raisedAt: noon + 1_000 },
  {
    key: 'battery.low',
    controllerId: 'A-Y1',
    lineNo: null,
    kind: 'warning',
    priority: 'low',
    state: 'returned',
    raisedAt: noon + 2_000,
  },
  {
    key: 'trip.short',
    lineNo: 2,
    priority: 'critical',
    state: 'normal',
    raisedAt: noon - 60_000,
    raisedAgainAt: noon + 3_000,
    raises: 3,
  },
  { key: 'position.open', lineNo: 3, kind: 'journal', priority: 'low', state: null, raisedAt: noon + 4_000 },
]

test.each<[string, () => Asked, readonly number[]]>([
  ['of everything', () => ({}), [4, 3, 2, 1, 0]],
  ['of a project', () => ({ HouseID: projectId('项目B') }), [1]],
  ['of a gateway', () => ({ DeviceID: stack.server.plant.gatewayByNumber.get('GW-B')?.id ?? 0 }), [1]],
  ['of a device, with its lines', () => ({ ControllerID: 'A-T1' }), [4, 3, 0]],
  ['of a device itself', () => ({ ControllerID: 'A-Y1' }), [2]],
  ['of a device that there is not', () => ({ ControllerID: 'C-T9' }), []],
  ['of keys', () => ({ Keys: ['trip.short', 'battery.low'] }), [3, 2]],
  ['of kinds', () => ({ Kinds: ['fault', 'journal'] }), [4, 1]],
  ['of priorities', () => ({ Priorities: ['critical', 'high'] }), [3, 0]],
  ['of states', () => ({ States: ['returned', 'normal'] }), [3, 2]],
  ['that still need somebody', () => ({ Open: true }), [2, 1, 0]],
  ['raised from then on, or again', () => ({ From: noon + 2_000 }), [4, 3, 2]],
  ['raised before then', () => ({ To: noon + 1_000 }), [3, 0]],
  ['raised between', () => ({ From: noon + 1_000, To: noon + 2_000 }), [3, 1]],
  ['by part of a label', () => ({ Text: '短路' }), [3]],
  ['by part of a label in the other language', () => ({ Text: 'SHORT' }), [3]],
  ['by the name of a line', () => ({ Text: 'A线3' }), [4]],
  ['by the name of a device, with its lines', () => ({ Text: '三相' }), [4, 3, 0]],
  ['by the number of a gateway', () => ({ Text: 'gw-b' }), [1]],
  ['by the name of a project', () => ({ Text: '项目A' }), [4, 3, 2, 0]],
  ['by what nothing is called', () => ({ Text: '100%' }), []],
  ['by no text at all', () => ({ Text: ' ' }), [4, 3, 2, 1, 0]],
  ['by several filters at once', () => ({ ControllerID: 'A-T1', Kinds: ['alarm'], Priorities: ['critical'] }), [3]],
])('the events %s', async (_, asked, expected) => {
  const label = { zh: '短路跳闸', en: 'Tripped on short circuit' }
  const stored = await raiseEvents(
    stack,
    others.map((each) => (each.key === 'trip.short' ? { ...each, label } : { ...each, label: { zh: '其他', en: 'Other' } })),
  )
  const reply = await list(asked())
  expect(ids(reply).map((id) => stored.indexOf(id))).toEqual(expected)
  expect(reply).toMatchObject({ total: expected.length, about: { Next: null, IsTotalExact: true, UpTo: stored[4] } })
})

test('a group is all of its projects, and another has none of them', async () => {
  await raiseEvents(stack, others)
  const cityId = [...stack.server.plant.projects.values()][0]?.cityId ?? 0
  expect((await list({ CityID: cityId })).total).toBe(5)
  expect((await list({ CityID: cityId + 1_000 })).total).toBe(0)
})

test.each<[NonNullable<Asked['Sort']>, readonly number[]]>([
  ['EventID', [0, 1, 2, 3, 4]],
  ['-EventID', [4, 3, 2, 1, 0]],
  ['Priority', [2, 4, 1, 0, 3]],
  ['-Priority', [3, 0, 1, 4, 2]],
  ['RaisedAt', [3, 0, 1, 2, 4]],
  ['-RaisedAt', [4, 2, 1, 0, 3]],
  ['Raises', [0, 1, 2, 4, 3]],
  ['-Raises', [3, 4, 2, 1, 0]],
])('by %s, and one page after the other the same', async (Sort, expected) => {
  const stored = await raiseEvents(stack, others)
  expect(ids(await list({ Sort })).map((id) => stored.indexOf(id))).toEqual(expected)
  const paged: string[] = []
  let Before: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({ Sort, Size: 2, ...(Before !== null && { Before }) })
    paged.push(...ids(page))
    expect(page.total).toBe(5)
    Before = page.about.Next
  } while (Before !== null)
  expect(paged.map((id) => stored.indexOf(id))).toEqual(expected)
})

test('a page that follows stays put while alarms come and go', async () => {
  const stored = await raiseEvents(stack, others)
  const first = await list({ Size: 2 })
  const [newer] = await raiseEvents(stack, [{}])
  const db = await stack.server.database.connect()
  await db.query('delete from event where event_id = $1', [stored[3]])
  await db.end()
  const second = await list({ Size: 2, Before: first.about.Next ?? '' })
  expect(ids(second)).toEqual([stored[2], stored[1]])
  expect(second.total).toBe(5)
  expect(second.about.UpTo).toBe(newer)
})

test('what came since is a list of its own, and what was shown stays the same list without it', async () => {
  const stored = await raiseEvents(stack, others.slice(0, 2))
  const { UpTo } = (await list({})).about
  const newer = await raiseEvents(stack, others.slice(2))
  expect(ids(await list({ UpTo, Sort: '-Priority' }))).toEqual(stored)
  expect(await list({ UpTo, Open: true })).toMatchObject({ total: 2 })
  expect(ids(await list({ After: UpTo, Sort: 'EventID' }))).toEqual(newer)
  expect(await list({ After: UpTo, Kinds: ['warning'], Size: 1 })).toMatchObject({ total: 1 })
})

test('the same moment, to the microsecond, is no reason to leave one out', async () => {
  const db = await stack.server.database.connect()
  const stored = await raiseEvents(stack, [{}, {}, {}])
  await db.query("update event set raised_at = '2026-01-15T12:00:00.123457Z'")
  await db.end()
  const first = await list({ Sort: 'RaisedAt', Size: 1 })
  const second = await list({ Sort: 'RaisedAt', Size: 1, Before: first.about.Next ?? '' })
  expect([...ids(first), ...ids(second)]).toEqual([stored[0], stored[1]])
})

test('more than ten thousand are not counted further, and the answer says so', async () => {
  const [one = ''] = await raiseEvents(stack, [{ state: 'normal' }])
  const db = await stack.server.database.connect()
  const copies = (count: number) =>
    db.query(
      `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
       select kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at
       from event, generate_series(1, $2) where event_id = $1`,
      [one, count],
    )
  await copies(9_999)
  expect(await list({})).toMatchObject({ total: 10_000, about: { IsTotalExact: true } })
  await copies(1)
  expect(await list({})).toMatchObject({ total: 10_000, about: { IsTotalExact: false } })
  await db.end()
})

test('whoever sees one project finds nothing of another, by whatever filter they ask', async () => {
  const stored = await raiseEvents(stack, others)
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: 'list', name: '列', privileges: ['devmon', 'devmon.realtime'], buttons: [] })
  const account = { userName: '13800000041', password: 'Narrow-7391' }
  await accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [projectId('项目A')] })
  const sub = await signedIn(stack.url, account)
  const asked = async (body: Asked) => ids(await sub.call(listEvents, { body })).map((id) => stored.indexOf(id))
  expect(await asked({})).toEqual([4, 3, 2, 0])
  const foreign = stack.server.plant.gatewayByNumber.get('GW-B')
  const bodies: readonly Asked[] = [
    { DeviceID: foreign?.id ?? 0 },
    { ControllerID: 'B-T1' },
    { Text: 'B柜' },
    { Keys: ['gateway.offline'] },
    { Kinds: ['fault'] },
  ]
  for (const body of bodies) expect([body, await asked(body)]).toEqual([body, []])
  expect(await asked({ CityID: foreign?.project.cityId ?? 0 })).toEqual([4, 3, 2, 0])
  expect(await outcomeOf(sub.call(listEvents, { body: { HouseID: foreign?.project.id ?? 0 } }))).toBe('project not exists')
  const details = (EventID = '') => sub.call(eventDetails, { params: { EventID } })
  expect(await details(stored[3])).toMatchObject({ EventID: stored[3], Key: 'trip.short', Raises: 3 })
  expect(await outcomeOf(details(stored[1]))).toBe('event not exists')
})

test('open events in groups: by cabinet and by alarm, the worst first and the largest of them; nobody counts what they do not see', async () => {
  const over: RaisedEvent = { key: 'voltage.over', label: { zh: '过电压', en: 'Overvoltage' }, priority: 'medium' }
  await raiseEvents(stack, [
    ...others,
    { ...over, lineNo: 1, state: 'acknowledged' },
    { ...over, lineNo: 2 },
    { ...over, controllerId: 'B-T1', raisedAt: noon },
    { key: 'project.late', lineNo: 'project', priority: 'low' },
  ])
  const groups = async (By: 'place' | 'key', body: Omit<Asked, 'Sort'> = {}, by = stack.client) => {
    const { items, total } = await by.call(groupEvents, { body: { By, ...body, Size: 50 } })
    expect(total).toBe(items.length)
    return items.map(({ Key, Where, Priority, Total, Unacknowledged }) => [
      Key ?? Where.GatewayName ?? Where.HouseName,
      Priority,
      Total,
      Unacknowledged,
    ])
  }
  expect(await groups('place')).toEqual([
    ['A柜', 'high', 4, 3],
    ['B柜', 'medium', 2, 2],
    ['项目A', 'low', 1, 1],
  ])
  expect(await groups('key')).toEqual([
    ['current.alarm', 'high', 1, 1],
    ['voltage.over', 'medium', 3, 2],
    ['gateway.offline', 'medium', 1, 1],
    ['project.late', 'low', 1, 1],
    ['battery.low', 'low', 1, 1],
  ])
  expect(await groups('key', { Priorities: ['medium'], HouseID: projectId('项目B') })).toEqual([
    ['voltage.over', 'medium', 1, 1],
    ['gateway.offline', 'medium', 1, 1],
  ])
  const { items, about } = await stack.client.call(groupEvents, { body: { By: 'key', Keys: ['voltage.over'], Page: 1, Size: 1 } })
  expect(items[0]).toMatchObject({ Label: { zh: '过电压' }, Kind: 'alarm', HouseID: null, DeviceID: null })
  await raiseEvents(stack, [{ ...over, lineNo: 3 }])
  expect(await groups('key', { Keys: ['voltage.over'], UpTo: about.UpTo })).toEqual([['voltage.over', 'medium', 3, 2]])

  const { accounts } = stack.server
  const roleId = await accounts.createRole({
    number: 'groups',
    name: '组',
    privileges: ['devmon', 'devmon.realtime'],
    buttons: [],
  })
  const account = { userName: '13800000042', password: 'Narrow-7391' }
  await accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [projectId('项目B')] })
  expect(await groups('place', {}, await signedIn(stack.url, account))).toEqual([['B柜', 'medium', 2, 2]])
})
