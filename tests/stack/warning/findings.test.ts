import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { countWarnings, downloadPath, explainWarning, exportWarnings, queryWarnings, warningDetails } from '@linewarden/contract'
import { Hub } from '@linewarden/server/hub'
import { createOpenFindings } from '@linewarden/server/open-findings'
import { loadPlant } from '@linewarden/server/plant'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RaisedFinding } from '../../kit/raised-findings.ts'
import { raiseFindings } from '../../kit/raised-findings.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

type Asked = Request<typeof queryWarnings>['body']

let stack: Stack
let reader: Client
let ruler: Client
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  reader = await person('reader', 'devmon.faultalarm')
  ruler = await person('ruler', 'advance.warning')
})
afterAll(() => stack?.close())
beforeEach(async () => {
  const db = await stack.server.database.connect()
  await db.query('delete from event')
  await db.end()
})

const houseOf = (name: string) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0

/** Somebody of project B. */
async function person(userName: string, privilege: string): Promise<Client> {
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: userName, name: userName, privileges: ['devmon', privilege], buttons: [] })
  await accounts.createAccount({ userName, password: 'Duty-7391', kind: 'sub', roleId, projectIds: [houseOf('项目B')] })
  return signedIn(stack.url, { userName, password: 'Duty-7391' })
}

const found: readonly RaisedFinding[] = [
  { key: 'contact', point: 'temperature.b', level: 'warning', evidence: { value: 18, limit: 15 } },
  { key: 'leakage.step', lineNo: 2, level: 'notice', evidence: { value: 11, limit: 12, unit: 'mA' } },
  { key: 'neutral', lineNo: 3, level: 'alarm', evidence: { value: 250, limit: 240, unit: 'V' } },
  { key: 'phaseLoss', controllerId: 'B-T1', lineNo: 3, level: 'alarm', evidence: { value: 10, limit: 46, unit: 'V' } },
  { key: 'wear', controllerId: 'B-T1', lineNo: 1, level: 'warning', state: 'acknowledged', evidence: { value: 84, limit: 80 } },
  { key: 'offline', controllerId: 'B-T1', lineNo: 'gateway', level: 'notice', state: 'normal' },
]

test.each<[string, () => Asked, readonly number[]]>([
  ['of everything, the worst first: by level, then by how far past the limit', () => ({}), [3, 2, 0, 4, 1]],
  ['of a project', () => ({ HouseID: houseOf('项目B') }), [3, 4]],
  ['of a device', () => ({ ControllerID: 'A-T1' }), [2, 0, 1]],
  ['of keys', () => ({ Keys: ['contact', 'wear'] }), [0, 4]],
  ['of a key that there is not', () => ({ Keys: ['toast'] }), []],
  ['of levels', () => ({ Levels: ['alarm', 'notice'] }), [3, 2, 1]],
  ['that somebody acknowledged', () => ({ Acknowledged: true }), [4]],
  ['that nobody acknowledged', () => ({ Acknowledged: false }), [3, 2, 0, 1]],
  ['that are over', () => ({ Open: false }), [5]],
  ['by part of a label in either language', () => ({ Text: 'contact' }), [0, 4]],
  ['by the name of a line', () => ({ Text: 'A线2' }), [1]],
])('the findings %s', async (_, asked, expected) => {
  const ids = await raiseFindings(stack, found)
  const { items, total } = await stack.client.call(queryWarnings, { body: { ...asked(), Size: 50 } })
  expect(items.map(({ Event }) => ids.indexOf(Event.EventID))).toEqual(expected)
  expect(total).toBe(expected.length)
})

test('what is on the shelf stands last, whatever it is, and is counted apart', async () => {
  const ids = await raiseFindings(stack, found)
  const db = await stack.server.database.connect()
  await db.query(
    "update event set shelved_until = now() + interval '1 hour', shelved_by = 'x', shelved_reason = 'y' where event_id = $1",
    [ids[3]],
  )
  await db.end()
  const { items, about } = await stack.client.call(queryWarnings, { body: {} })
  expect(items.map(({ Event }) => ids.indexOf(Event.EventID))).toEqual([2, 0, 4, 1, 3])
  expect(about).toMatchObject({ Alarm: 2, Warning: 2, Notice: 1, Unacknowledged: 3, Shelved: 1 })
  expect((await stack.client.call(queryWarnings, { body: { Shelved: true } })).total).toBe(1)
})

test('a finding is listed as its event stands now, of the project that its gateway is in', async () => {
  const ids = await raiseFindings(stack, found)
  const db = await stack.server.database.connect()
  await db.query("update event set state = 'acknowledged' where event_id = $1", [ids[3]])
  await db.query("update event set state = 'normal' where event_id = $1", [ids[4]])
  await db.query('update event set project_id = $2 where event_id = $1', [ids[0], houseOf('项目B')])
  await db.end()
  const listed = async (asked: Asked) => {
    const { items } = await stack.client.call(queryWarnings, { body: asked })
    return items.map(({ Event }) => ids.indexOf(Event.EventID))
  }
  expect(await listed({ Acknowledged: true })).toEqual([3])
  expect(await listed({ Open: false })).toEqual([4, 5])
  expect(await listed({ HouseID: houseOf('项目B') })).toEqual([3, 0])
})

test('page after page the same', async () => {
  const ids = await raiseFindings(stack, found)
  const pages = await Promise.all(
    [1, 2, 3].map(async (Page) => (await stack.client.call(queryWarnings, { body: { Page, Size: 2 } })).items),
  )
  expect(pages.flat().map(({ Event }) => ids.indexOf(Event.EventID))).toEqual([3, 2, 0, 4, 1])
})

test('each brings its proof, its share of the limit and what to do', async () => {
  await raiseFindings(stack, [
    {
      ...{ key: 'contact', point: 'temperature.b', level: 'warning' },
      evidence: { value: 18, limit: 15, unit: 'K', toLimit: { lo: 12, mid: 17, hi: 25, confidence: 'medium' } },
    },
  ])
  const { items } = await stack.client.call(queryWarnings, { body: {} })
  expect(items[0]).toMatchObject({
    Level: 'warning',
    Share: 1.2,
    Evidence: { Value: 18, Limit: 15, ToLimit: { Lo: 12, Mid: 17, Hi: 25, Confidence: 'medium' }, RuleVersion: 0 },
    Advice: { zh: expect.stringContaining('紧固') },
  })
})

test('an alarm of the equipment is no finding', async () => {
  const [id] = await raiseFindings(stack, [{ key: 'contact' }])
  const db = await stack.server.database.connect()
  await db.query('delete from warning_evidence')
  await db.end()
  expect((await stack.client.call(queryWarnings, { body: {} })).total).toBe(0)
  expect(await outcomeOf(stack.client.call(warningDetails, { params: { EventID: id ?? '' } }))).toBe('warning not exists')
})

test('the silent poll counts what is open by level, and brings the newest ten', async () => {
  await raiseFindings(stack, found)
  const counts = await stack.client.call(countWarnings)
  expect(counts).toMatchObject({ Alarm: 2, Warning: 2, Notice: 1, Unacknowledged: 4 })
  expect(counts.Newest.map(({ Key }) => Key)).toEqual(['wear', 'phaseLoss', 'neutral', 'leakage.step', 'contact'])
})

test('findings are for who holds the page, and only of what they see', async () => {
  const ids = await raiseFindings(stack, found)
  const { items, about } = await reader.call(queryWarnings, { body: {} })
  expect(items.map(({ Event }) => ids.indexOf(Event.EventID))).toEqual([3, 4])
  expect(about).toMatchObject({ Alarm: 1, Warning: 1, Notice: 0 })
  expect((await reader.call(countWarnings)).Newest).toHaveLength(2)
  const body = { FromDay: '2024-01-15', Reason: '新增设备' }
  for (const EventID of [ids[0] ?? '', '999999999']) {
    const params = { EventID }
    expect(['warning not exists', 'event not exists']).toContain(await outcomeOf(reader.call(warningDetails, { params })))
    expect(['warning not exists', 'event not exists']).toContain(await outcomeOf(reader.call(explainWarning, { params, body })))
  }
  expect(await outcomeOf(reader.call(queryWarnings, { body: { HouseID: houseOf('项目A') } }))).toBe('project not exists')
  const params = { EventID: ids[3] ?? '' }
  expect(await outcomeOf(ruler.call(queryWarnings, { body: {} }))).toBe('access denied')
  expect(await outcomeOf(ruler.call(countWarnings))).toBe('access denied')
  expect(await outcomeOf(ruler.call(warningDetails, { params }))).toBe('access denied')
  expect(await outcomeOf(ruler.call(explainWarning, { params, body }))).toBe('access denied')
})

test('of two servers each has on its lines what the other found, and no more what somebody there has explained', async () => {
  const { database, warning } = stack.server
  const plant = await loadPlant(database)
  const published: string[] = []
  const hub = new Hub((error) => {
    throw error
  })
  hub.subscribe(({ live = [] }) => {
    for (const { message } of live) {
      const shown = typeof message === 'function' ? message({ sees: () => true, seesGateway: () => true }) : message
      if (shown.t === 'event') published.push(`${shown.event.Key} ${shown.event.State}`)
    }
  })
  const second = createOpenFindings({ database, plant, hub })
  const onLine = (servers = [plant, stack.server.plant]) =>
    servers.map((each) => [...(each.lineAt('A-T1', 5)?.alarms.keys() ?? [])])
  const [contact = '', wear = ''] = await raiseFindings(stack, [
    { key: 'contact', lineNo: 5, point: 'temperature.b' },
    { key: 'wear', lineNo: 5, state: 'returned' },
  ])
  expect(onLine([plant])).toEqual([[]])
  await second.read()
  await warning.openFindings.read()
  expect(onLine()).toEqual([['contact@temperature.b'], ['contact@temperature.b']])
  const body = { FromDay: new Date().toISOString().slice(0, 10), Reason: '新增设备' }
  for (const EventID of [contact, wear]) await stack.client.call(explainWarning, { params: { EventID }, body })
  expect(onLine()).toEqual([['contact@temperature.b'], []])
  await second.read()
  await second.read()
  expect(onLine()).toEqual([[], []])
  expect(published).toEqual(['contact active', 'contact normal'])
})

test('a file has the findings in the order of the list, and more than a file holds are refused with what to do', async () => {
  await raiseFindings(stack, found)
  const asked = { Format: 'csv', Language: 'EN' } as const
  const { Ticket } = await stack.client.call(exportWarnings, { body: asked })
  const rows = (await (await fetch(`${stack.url}${downloadPath}${Ticket}`)).text()).trim().split('\r\n').slice(1)
  const { items } = await stack.client.call(queryWarnings, { body: { Size: 50 } })
  expect(items).toHaveLength(5)
  expect(rows.map((row) => items.findIndex(({ Event }) => row.includes(Event.Label.en)))).toEqual([0, 1, 2, 3, 4])
  const db = await stack.server.database.connect()
  await db.query(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, raised_at, stored_at)
     select 'warning', 'low', 'wear', '', '', 'normal', $1, now(), now() from generate_series(1, 100001)`,
    [houseOf('项目B')],
  )
  // A trigger looks each event up: planned for the few events there were before, it would read the whole table 100,001 times.
  await db.query('analyze event')
  await db.query(
    `insert into warning_evidence (event_id, level, evidence, rule_version, at)
     select event_id, 'notice', '{}', 0, now() from event where key = 'wear' and state = 'normal' and not exists (
       select from warning_evidence made where made.event_id = event.event_id)`,
  )
  expect(await outcomeOf(stack.client.call(exportWarnings, { body: { ...asked, Open: false } }))).toBe('too many warnings')
  await db.query('delete from event where event_id = (select max(event_id) from event)')
  expect(await outcomeOf(stack.client.call(exportWarnings, { body: { ...asked, Open: false } }))).toBe('too many warnings')
  await db.query('delete from event where event_id = (select max(event_id) from event)')
  expect(await outcomeOf(stack.client.call(exportWarnings, { body: { ...asked, Open: false } }))).toBe('done')
  await db.end()
}, 240_000)
