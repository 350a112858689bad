import { acknowledgeEvent, acknowledgeEvents, listEvents, listUnacknowledged } from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
})
afterAll(() => stack?.close())

/** Alarms of a line, one for each of these priorities, as if its equipment had raised them. Answers their numbers. */
async function raise(controllerId: string, given: readonly string[], state = 'active'): Promise<string[]> {
  const line = stack.server.plant.lineAt(controllerId, 1)
  const db = await stack.server.database.connect()
  const { rows } = await db.query<{ event_id: string }>(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
     select 'alarm', priority, gen_random_uuid()::text, '过流报警', 'Overcurrent alarm', $5, $1, $2, $3, now(), now()
     from unnest($4::text[]) with ordinality as given (priority, nth) order by nth returning event_id`,
    [line?.device.gateway.project.id, line?.device.gateway.id, line?.id, given, state],
  )
  await db.end()
  return rows.map(({ event_id }) => event_id)
}

beforeEach(async () => {
  const db = await stack.server.database.connect()
  await db.query('delete from event')
  await db.end()
})

const ids = (reply: { readonly items: readonly { readonly EventID: string }[] }) => reply.items.map(({ EventID }) => EventID)

test('what nobody has acknowledged is listed worst first, whether it returned or not, until somebody has', async () => {
  const [low, critical, high, newerHigh] = await raise('A-T1', ['low', 'critical', 'high', 'high'])
  const [returned] = await raise('A-T1', ['medium'], 'returned')
  await raise('A-T1', ['critical'], 'acknowledged')
  await raise('A-T1', ['critical'], 'normal')
  const listed = await stack.client.call(listUnacknowledged, { body: {} })
  expect(ids(listed)).toEqual([critical, newerHigh, high, returned, low])
  expect(listed).toMatchObject({ total: 5, about: { Next: null } })
  expect(ids(await stack.client.call(listUnacknowledged, { body: { Sort: 'newest' } }))).toEqual([
    returned,
    newerHigh,
    high,
    critical,
    low,
  ])
  await stack.client.call(acknowledgeEvent, { params: { EventID: critical ?? '' }, query: {} })
  const [by] = (await stack.client.call(listUnacknowledged, { body: {} })).items
  expect(by?.EventID).toBe(newerHigh)
})

test('page after page every event is told once and in order, though others come and go meanwhile', async () => {
  const worstFirst = ['critical', 'high', 'medium', 'low']
  const given = Array.from({ length: 240 }, (_, i) => ['low', 'high', 'medium', 'critical'][i % 4] ?? 'low')
  const all = await raise('A-T1', given)
  const newest = all.toReversed()
  const severest = worstFirst.flatMap((priority) => newest.filter((id) => given[all.indexOf(id)] === priority))
  for (const Sort of ['severest', 'newest'] as const) {
    const pagesRead: string[] = []
    let After: string | null = null
    do {
      const page: Awaited<ReturnType<typeof next>> = await next(After)
      pagesRead.push(...ids(page))
      After = page.about.Next
      await raise('A-T1', ['critical'])
    } while (After)
    expect(new Set(pagesRead).size).toBe(pagesRead.length)
    expect(pagesRead.filter((each) => all.includes(each))).toEqual({ severest, newest }[Sort])
    function next(from: string | null) {
      return stack.client.call(listUnacknowledged, { body: { Sort, Size: 60, ...(from && { After: from }) } })
    }
  }
})

test('nobody is told, or acknowledges, what they do not see', async () => {
  const [own] = await raise('A-T1', ['high'])
  const [foreign] = await raise('B-T1', ['critical'])
  const project = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: 'one', name: '一', privileges: ['devmon', 'devmon.realtime'], buttons: [] })
  const account = { userName: '13800000031', password: 'Narrow-7391' }
  await accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [project?.id ?? 0] })
  const sub = await signedIn(stack.url, account)
  const listed = await sub.call(listUnacknowledged, { body: {} })
  expect([ids(listed), listed.total]).toEqual([[own], 1])
  const EventIDs = [foreign ?? '', own ?? '', '999999999']
  expect(await sub.call(acknowledgeEvents, { body: { EventIDs } })).toMatchObject({ Acknowledged: 1, Already: 0, Gone: 2 })
  expect(await sub.call(acknowledgeEvents, { body: { EventIDs } })).toMatchObject({ Acknowledged: 0, Already: 1, Gone: 2 })
  expect(ids(await stack.client.call(listUnacknowledged, { body: {} }))).toEqual([foreign])
  const guest = { userName: '13800000032', password: 'Narrow-7391' }
  await accounts.createAccount({ ...guest, kind: 'shared', roleId, projectIds: [project?.id ?? 0] })
  const shared = await signedIn(stack.url, guest)
  const [next] = await raise('A-T1', ['low'])
  expect(ids(await shared.call(listUnacknowledged, { body: {} }))).toEqual([next])
  expect(await outcomeOf(shared.call(acknowledgeEvents, { body: { EventIDs: [next ?? ''] } }))).toBe('access denied')
})

test('each step of an alarm is kept, with who acknowledged it', async () => {
  const [event = ''] = await raise('A-T1', ['high'])
  await stack.client.call(acknowledgeEvents, { body: { EventIDs: [event] } })
  const steps = await stack.server.database.general
    .selectFrom('event_transition')
    .selectAll()
    .where('event_id', '=', event)
    .execute()
  expect(steps).toMatchObject([{ act: 'acknowledge', from_state: 'active', to_state: 'acknowledged', actor: 'admin' }])
})

test('what still needs somebody is listed with what was acknowledged while it is there, and never what is over', async () => {
  const [active] = await raise('A-T1', ['low'])
  const [returned] = await raise('A-T1', ['low'], 'returned')
  const [acknowledged] = await raise('A-T1', ['high'], 'acknowledged')
  await raise('A-T1', ['critical'], 'normal')
  const open = await stack.client.call(listUnacknowledged, { body: { Acknowledged: true } })
  expect([ids(open), open.total]).toEqual([[acknowledged, returned, active], 3])
})

test("a line's events are asked for with those of its whole device and gateway, and nobody else's", async () => {
  const line = stack.server.plant.lineAt('A-T1', 1)
  const gateway = line?.device.gateway
  const other = [...stack.server.plant.devices.values()].find(({ id }) => id !== line?.device.id)
  const db = await stack.server.database.connect()
  const { rows } = await db.query<{ event_id: string; label_en: string }>(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, device_id, raised_at, stored_at)
     select 'fault', 'high', gen_random_uuid()::text, '', name, 'active', $1, gateway_id, line_id, device_id, now(), now()
     from unnest($2::text[], $3::int[], $4::int[], $5::int[]) as given (name, gateway_id, line_id, device_id)
     returning event_id, label_en`,
    [
      gateway?.project.id,
      ['line', 'device', 'gateway', 'other device', 'other line'],
      [gateway?.id, gateway?.id, gateway?.id, gateway?.id, gateway?.id],
      [line?.id, null, null, null, stack.server.plant.lineAt('A-T1', 2)?.id],
      [null, line?.device.id, null, other?.id, null],
    ],
  )
  await db.end()
  const named = new Map(rows.map(({ event_id, label_en }) => [event_id, label_en]))
  const asked = async (body: { readonly Around?: boolean }) =>
    ids(await stack.client.call(listEvents, { body: { LineID: line?.id ?? 0, Size: 50, ...body } }))
      .map((id) => named.get(id))
      .filter((name) => name !== undefined)
      .toSorted()
  expect(await asked({ Around: true })).toEqual(['device', 'gateway', 'line'])
  expect(await asked({})).toEqual(['line'])
})
