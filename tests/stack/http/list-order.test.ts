import { CallError } from '@linewarden/client'
import type { Call } from '@linewarden/contract'
import {
  addGateway,
  addGroup,
  addRole,
  addSubAccount,
  allCalls,
  insertTemplate,
  listGateways,
  listProjects,
  listUnacknowledged,
  queryGroups,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newProject, startTwoOwners, subOf } from '../../kit/two-owners.ts'

let all: TwoOwners

/** Named so that neither their making, nor their code, nor their length is the order of people. */
const named = ['10# 配电房', '2# 配电房', '阿尔法', '2# 变电所', '中心', '北区']

beforeAll(async () => {
  all = await startTwoOwners()
  const { platform } = all
  for (const [index, name] of named.entries()) {
    await platform.call(addGroup, { body: { Name: name } })
    const { HouseID } = await newProject(platform, name)
    await platform.call(addGateway, { body: { HouseID, ...newGateway(`GX-${(index * 7) % 10}`, name) } })
    const role = { Number: `R${10 - index}`, Name: name, Privileges: ['devmon', 'devmon.realtime'], Buttons: [] }
    const { RoleID } = await platform.call(addRole, { body: role })
    const Assigned = { HouseIDs: [HouseID], DeviceIDs: [] }
    if (index % 2 === 0)
      await platform.call(addSubAccount, { body: { ...subOf(String(13_800_000_110 - index)), RoleID, Assigned } })
    const Settings = [{ Key: 'leakage.trip', Value: 100 + 10 * index }]
    await platform.call(insertTemplate, { body: { Name: name, Family: 'breaker3p', Settings } })
  }
  await newProject(all.anna, '安娜的项目')
  const client = await all.stack.server.database.connect()
  try {
    // Some at the same moment, by the same person, in the same state: what is alike needs an order too.
    await client.query(`
      insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, ended_at)
      select gen_random_uuid(), line_id, case when line_no % 2 = 0 then 'trip' else 'close' end,
        case when line_no % 3 = 0 then 'failed' else 'verified' end, 'actor' || line_no % 4, 'console', '检修', 1, at, at, at
      from line cross join lateral (select now() - make_interval(mins => line_no % 5) as at) as moment where line_no > 0`)
    await client.query(`
      insert into setting_change (command_id, batch_id, gateway_id, line_id, wanted, former, state, actor, source, reason, fence, issued_at, deadline)
      select gen_random_uuid(), gen_random_uuid(), gateway_id, line_id, '[]', '[]', case when line_no % 3 = 0 then 'failed' else 'verified' end,
        'actor' || line_no % 4, 'console', '检修', 1, at, at
      from line join device using (device_id)
        cross join lateral (select now() - make_interval(mins => line_no % 5) as at) as moment where line_no > 0`)
  } finally {
    await client.end()
  }
})
afterAll(() => all?.close())

interface Part {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>
}
const partOf = ({ query, body }: Call): Part => (body ?? query ?? {}) as Part
const keysOf = (call: Call): readonly string[] =>
  (partOf(call).properties?.Sort?.enum ?? []).filter((each) => !each.startsWith('-'))
/** A file of a list has its order, and no pages. */
const lists = allCalls.filter((call) => keysOf(call).length > 0 && 'datas' in call)
/**
 * No table with columns that can be turned round, but a queue with two whole orders of its own, read from a cursor on because events come and
 * go meanwhile: unacknowledged.test.ts proves them.
 */
const queues: readonly Call[] = [listUnacknowledged]
const tables = lists.filter((call) => !queues.includes(call))

type Row = Readonly<Record<string, unknown>>

async function ask(call: Call, given: Readonly<Record<string, unknown>>): Promise<readonly Row[]> {
  const request = call.body ? { body: given } : { query: given }
  const { items } = (await all.platform.call(call as never, request as never)) as { items: readonly Row[] }
  return items
}

const whole = (call: Call) => (partOf(call).properties?.Size ? { Size: 200 } : {})
/** The ledger's command stands in its row. */
const cellOf = (row: Row, key: string): unknown => row[key] ?? (row.Command as Row | undefined)?.[key] ?? null
/** What goes on changing between two readings of a list. */
const moving = new Set(['Link', 'Since', 'Signal'])
/** What is there once in any list, whatever it lists. */
const idOf = (row: Row): string => JSON.stringify(row, (key, value) => (moving.has(key) ? undefined : value))

const people = new Intl.Collator('zh-CN', { numeric: true })
const links = ['online', 'stale', 'offline', 'never']
/** Keys and account names of the log and the ledgers stand in the order of their codes, names as people order them. */
const byCode = new Set(['Actor', 'Action', 'State', 'Kind', 'ChangedBy', 'OwnerName'])
function compare(key: string, a: unknown, b: unknown): number {
  if (key === 'Link') return links.indexOf(String(a)) - links.indexOf(String(b))
  if (typeof a === 'string' && !byCode.has(key)) return people.compare(a, String(b))
  return String(a) === String(b) ? 0 : typeof a === 'string' ? (a < String(b) ? -1 : 1) : Number(a) - Number(b)
}

test('every list that people page through can be ordered, by these', () => {
  expect(Object.fromEntries(lists.map((call) => [call.name, keysOf(call).length]))).toMatchObject({
    listProjects: 6,
    reportProjects: 6,
    listGateways: 7,
    listDevices: 9,
    equipmentLedger: 9,
    listUsers: 6,
    reportUsers: 6,
    queryRoles: 4,
    queryGroups: 3,
    listJournal: 3,
    ledger: 4,
    settingHistory: 3,
    queryTemplates: 3,
  })
})

test('what is a table goes both ways by each column and by page, and a queue does neither', () => {
  const propertiesOf = (call: Call) => partOf(call).properties ?? {}
  for (const call of tables)
    expect(propertiesOf(call).Sort?.enum).toEqual(expect.arrayContaining(keysOf(call).map((key) => `-${key}`)))
  for (const call of queues) {
    expect(propertiesOf(call)).toHaveProperty('After')
    expect(propertiesOf(call)).not.toHaveProperty('Page')
    expect(propertiesOf(call).Sort?.enum).toEqual(keysOf(call))
  }
})

describe.each(tables.map((call) => [call.name, call] as const))('%s', (_, call) => {
  test.each(keysOf(call))('by %s: upwards, downwards, page after page', async (key) => {
    const up = await ask(call, { ...whole(call), Sort: key })
    const down = await ask(call, { ...whole(call), Sort: `-${key}` })
    const known = (rows: readonly Row[]) => rows.filter((row) => cellOf(row, key) !== null)
    for (const [index, row] of known(up).entries()) {
      const before = known(up)[index - 1]
      if (before) expect(compare(key, cellOf(before, key), cellOf(row, key))).toBeLessThanOrEqual(0)
    }
    // The one is the other read from its end, what is alike included; what is not known stands at the end of both.
    expect(known(down).map(idOf)).toEqual(known(up).map(idOf).reverse())
    for (const rows of [up, down]) expect(rows.slice(0, known(rows).length).map(idOf)).toEqual(known(rows).map(idOf))
    if (!('Size' in whole(call))) return
    const paged: Row[] = []
    for (let Page = 1; paged.length < Math.min(up.length, 9); Page += 1)
      paged.push(...(await ask(call, { Page, Size: 3, Sort: key })))
    expect(paged.map(idOf)).toEqual(up.slice(0, paged.length).map(idOf))
  })
})

describe.each(lists.map((call) => [call.name, call] as const))('%s', (_, call) => {
  test.each(['Password', '-', '', 'Name; drop table account', 'constructor'])(
    'by %o is refused, and says by what instead',
    async (Sort) => {
      const error = await ask(call, { ...whole(call), Sort }).catch((refused: unknown) => refused)
      if (!(error instanceof CallError) || error.problem.kind !== 'refusal') throw new Error(`not refused: ${String(error)}`)
      expect(error.message).toBe('invalid parameter')
      const [problem] = error.problem.failure.Problems ?? []
      expect(problem?.Path).toMatch(/\.Sort$/)
      expect(problem?.Text.zh).toContain(keysOf(call)[0])
    },
  )
})

test('names stand as people order them: 2 before 10, Chinese by its sound', async () => {
  const wanted = ['2# 变电所', '2# 配电房', '10# 配电房', '阿尔法', '北区', '中心']
  const mine = (names: readonly string[]) => names.filter((name) => named.includes(name))
  const groups = await all.platform.call(queryGroups, { body: { Size: 200, Sort: 'Name' } })
  expect(mine(groups.items.map(({ Name }) => Name))).toEqual(wanted)
  const projects = await all.platform.call(listProjects, { query: { Size: 200, Sort: 'Name' } })
  expect(mine(projects.items.map(({ Name }) => Name))).toEqual(wanted)
  const gateways = await all.platform.call(listGateways, { body: { Size: 200, Sort: 'GatewayName' } })
  expect(mine(gateways.items.map(({ GatewayName }) => GatewayName))).toEqual(wanted)
})

test('an order shows nobody what is not theirs', async () => {
  const { items, total } = await all.bert.call(listProjects, { query: { Size: 200, Sort: 'Name' } })
  expect([items, total]).toEqual([[], 0])
})
