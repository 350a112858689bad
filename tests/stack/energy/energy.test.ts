import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { getEnergy, reportEnergy } from '@linewarden/contract'
import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import type { GatewayPlan } from '@linewarden/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linesSeenBy } from '../../../apps/server/src/store/core/row-security.ts'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueMonths } from '../../../apps/server/src/store/energy/make-months.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { readProfile } from '../../../apps/server/src/store/energy/read.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

/** Midnight in Shanghai, of 15 January 2025: more than 400 days before what the simulated fleet speaks of. */
const midnight = Date.UTC(2025, 0, 14, 16)
const account = { userName: '13800000017', password: 'Quarter-7391' }
const narrow = { userName: '13800000018', password: 'Quarter-7391' }
/** The first project has a second gateway, of one line more. */
const plan = smallPlan.map((project, index) => ({
  ...project,
  gateways: index > 0 ? project.gateways : project.gateways.flatMap((gateway) => [gateway, secondOf(gateway)]),
}))

let stack: Stack
let sub: Client
/** Sees the first gateway of project A, and nothing else. */
let ofGateway: Client
let projectA: number
let gatewayA: number
let gatewayC: number
let lineA: number
let lineB: number
let lineC: number

beforeAll(async () => {
  stack = await startStack({ plan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  lineA = plant.lineAt('A-T1', 1)?.id ?? 0
  lineB = plant.lineAt('B-T1', 1)?.id ?? 0
  lineC = plant.lineAt('C-T1', 1)?.id ?? 0
  gatewayA = plant.gatewayByNumber.get('GW-A')?.id ?? 0
  gatewayC = plant.gatewayByNumber.get('GW-C')?.id ?? 0
  projectA = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const client = await database.connect()
  try {
    // Two days that use 1 kWh an hour, and 2 kWh at the second gateway, with three silent hours from noon of the first on.
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, pace * extract(epoch from at - $1::timestamptz) / 3600
       from unnest($2::int[], '{1, 1, 2}'::int[]) as t (line_id, pace), generate_series($1::timestamptz, $1::timestamptz + interval '48 hours', '5 min') as at
       where at <= $1::timestamptz + interval '12 hours' or at >= $1::timestamptz + interval '15 hours'`,
      [new Date(midnight), [lineA, lineB, lineC]],
    )
    await client.query(
      `insert into energy_due (line_id, starts, ends) select id, $2::timestamptz, $2::timestamptz + interval '48 hours' from unnest($1::int[]) as t (id)`,
      [[lineA, lineB, lineC], new Date(midnight)],
    )
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
  const role = { number: 'energy', name: '用电', privileges: ['energy', 'energy.energy'], buttons: [] }
  const roleId = await accounts.createRole(role)
  await accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [projectA] })
  sub = await signedIn(stack.url, account)
  await accounts.createAccount({ ...narrow, kind: 'sub', roleId, projectIds: [] })
  await database.general
    .insertInto('account_gateway')
    .columns(['account_id', 'gateway_id'])
    .expression((each) =>
      each
        .selectFrom('account')
        .select(['account_id', each.val(gatewayA).as('gateway_id')])
        .where('user_name', '=', narrow.userName),
    )
    .execute()
  ofGateway = await signedIn(stack.url, narrow)
})
afterAll(() => stack?.close())

const refused = (promise: Promise<unknown>, message: string, path?: string) =>
  expect(promise).rejects.toMatchObject({
    problem: { kind: 'refusal', failure: { Message: message, ...(path && { Problems: [{ Path: path }] }) } },
  })

test('a day of a line by the hour: what it used, and what was spread over a silence', async () => {
  const picture = await sub.call(getEnergy, { query: { LineID: lineA, Unit: 'hour', From: '2025-01-15', To: '2025-01-16' } })
  expect(picture).toMatchObject({ Zone: 'Asia/Shanghai', Boundary: 'line', Since: midnight })
  expect(picture.Bars.map(({ Wh }) => Wh)).toEqual(Array(24).fill(1_000))
  expect(picture.Bars.map(({ Spread }) => Spread).slice(11, 16)).toEqual([0, 1_000, 1_000, 1_000, 0])
  expect(picture.Total).toMatchObject({ Wh: 24_000, Spread: 3_000, LackingS: 0, OpenS: 0, LengthS: 86_400 })
})

test('hours sum to days and days to months, of a line, its gateway and its project', async () => {
  for (const [scope, total] of [
    [{ LineID: lineA }, 48_000],
    [{ DeviceID: gatewayA }, 48_000],
    [{ DeviceID: gatewayC }, 96_000],
    [{ HouseID: projectA }, 144_000],
  ] as const) {
    const ask = async (Unit: 'hour' | 'day' | 'month', From: string, To: string) =>
      (await sub.call(getEnergy, { query: { ...scope, Unit, From, To } })).Total.Wh
    expect(await ask('hour', '2025-01-15', '2025-01-17')).toBe(total)
    expect(await ask('day', '2025-01-01', '2025-02-01')).toBe(total)
    expect(await ask('month', '2025-01-01', '2026-01-01')).toBe(total)
  }
})

test('a day of which nothing is known is no day of nought, and a month with one says how much is lacking', async () => {
  const { Bars, Total } = await sub.call(getEnergy, {
    query: { LineID: lineA, Unit: 'day', From: '2025-01-14', To: '2025-01-17' },
  })
  expect(Bars.map(({ Wh, UnknownS }) => [Wh, UnknownS])).toEqual([
    [null, 86_400],
    [24_000, 0],
    [24_000, 0],
  ])
  expect(Total).toMatchObject({ Wh: 48_000, UnknownS: 86_400, LackingS: 86_400 })
})

test('the day before stands beside it hour by hour, and of what is not known no per cent is given', async () => {
  const query = { LineID: lineA, Unit: 'hour', From: '2025-01-16', To: '2025-01-17', Compare: 'previous' } as const
  const { Bars, Compared } = await sub.call(getEnergy, { query })
  expect(Bars[0]?.Compared).toEqual({ Civil: '2025-01-15 00:00', Wh: 1_000, Fee: null, LackingS: 0 })
  expect(Compared).toMatchObject({ From: '2025-01-15', To: '2025-01-16', Wh: 24_000, Change: 0, Until: null })
  const before = await sub.call(getEnergy, { query: { ...query, Compare: 'yearAgo' } })
  expect(before.Compared).toMatchObject({ From: '2024-01-16', Wh: null, Change: null })
})

test('29 February has no date a year ago, and none is made up', async () => {
  const query = { LineID: lineA, Unit: 'hour', From: '2024-02-29', To: '2024-03-01', Compare: 'yearAgo' } as const
  expect((await sub.call(getEnergy, { query })).Compared).toBe(null)
})

test('what is to come is open and lacks nothing', async () => {
  const { Total } = await sub.call(getEnergy, { query: { LineID: lineA, Unit: 'day', From: '2090-01-01', To: '2090-02-01' } })
  expect(Total).toMatchObject({ Wh: null, UnknownS: 0, LackingS: 0, OpenS: 31 * 86_400 })
})

describe('what cannot be asked for', () => {
  const period = { Unit: 'day', From: '2025-01-01', To: '2025-02-01' } as const
  test('nothing, or two things at once', async () => {
    await refused(sub.call(getEnergy, { query: period }), 'invalid parameter', 'query.HouseID')
    await refused(
      sub.call(getEnergy, { query: { ...period, LineID: lineA, HouseID: projectA } }),
      'invalid parameter',
      'query.HouseID',
    )
  })
  test('a period that ends before it begins, is too long, or is no date', async () => {
    const ask = (more: object) => sub.call(getEnergy, { query: { ...period, LineID: lineA, ...more } })
    await refused(ask({ To: '2025-01-01' }), 'invalid parameter', 'query.To')
    await refused(ask({ Unit: 'hour', To: '2026-03-01' }), 'invalid parameter', 'query.To')
    await refused(ask({ From: '2010-01-01', Unit: 'year' }), 'invalid parameter', 'query.To')
    await refused(ask({ To: '2025-02-30' }), 'invalid parameter', 'query.To')
  })
  test('what lies outside the own tree', async () => {
    await refused(sub.call(getEnergy, { query: { ...period, LineID: lineB } }), 'device not exists')
    const other = stack.server.plant.lines.get(lineB)?.device.gateway
    await refused(sub.call(getEnergy, { query: { ...period, DeviceID: other?.id ?? 0 } }), 'device not exists')
    await refused(sub.call(getEnergy, { query: { ...period, HouseID: other?.project.id ?? 0 } }), 'project not exists')
  })
})

test('whoever sees one gateway of a project gets that one and its lines, never the project or what is beside it', async () => {
  const period = { Unit: 'day', From: '2025-01-15', To: '2025-01-17' } as const
  const totalOf = async (scope: object) => (await ofGateway.call(getEnergy, { query: { ...period, ...scope } })).Total.Wh
  expect([await totalOf({ DeviceID: gatewayA }), await totalOf({ LineID: lineA })]).toEqual([48_000, 48_000])
  const ask = (scope: object) => ofGateway.call(getEnergy, { query: { ...period, ...scope } })
  await refused(ask({ HouseID: projectA }), 'project not exists')
  await refused(ask({ DeviceID: gatewayC }), 'device not exists')
  await refused(ask({ LineID: lineC }), 'device not exists')
  // And the database itself holds it back, whatever a call forgot to ask.
  const scope = { all: false, projectIds: [], gatewayIds: [gatewayA], tenant: null, administrator: false, accountId: null }
  const days = { first: Date.UTC(2025, 0, 15) / dayMs, end: Date.UTC(2025, 0, 17) / dayMs }
  const rowsOf = (kind: 'p' | 'g', id: number) =>
    linesSeenBy(stack.server.database, scope, [])(async (db) => (await readProfile(db, { kind, id }, days, [])).length)
  expect([await rowsOf('p', projectA), await rowsOf('g', gatewayC), await rowsOf('g', gatewayA)]).toEqual([0, 0, 2])
})

test('months and years read the same once months are stored as sums', async () => {
  const pictures = () =>
    Promise.all(
      [{ LineID: lineA }, { DeviceID: gatewayA }, { HouseID: projectA }].flatMap((scope) =>
        [
          { Unit: 'month', From: '2025-01-01', To: '2026-01-01', Compare: 'yearAgo' } as const,
          { Unit: 'month', From: '2025-01-10', To: '2025-03-10', Compare: 'previous' } as const,
          { Unit: 'year', From: '2024-01-01', To: '2026-01-01' } as const,
        ].map(async (period) => ({ ...(await sub.call(getEnergy, { query: { ...scope, ...period } })), At: 0 })),
      ),
    )
  const before = await pictures()
  expect(before.map(({ Total }) => Total.Wh)).toContain(144_000)
  const client = await stack.server.database.connect()
  try {
    await makeDueMonths(client, Date.now())
    const { rows } = await client.query("select from energy_month where month = '2025-01-01'")
    expect(rows.length).toBeGreaterThan(5)
  } finally {
    await client.end()
  }
  expect(await pictures()).toEqual(before)
  const CityID = stack.server.plant.projects.get(projectA)?.cityId ?? 0
  const ofGroup = async (Unit: 'hour' | 'day' | 'month', From: string, To: string) => {
    const { Bars } = await sub.call(getEnergy, { query: { CityID, Unit, From, To } })
    return Bars.flatMap(({ Wh }) => Wh ?? [])
  }
  expect(await ofGroup('hour', '2025-01-15', '2025-01-17')).toEqual(Array(48).fill(3_000))
  expect(await ofGroup('day', '2025-01-01', '2025-02-01')).toEqual([72_000, 72_000])
  expect(await ofGroup('month', '2025-01-01', '2026-01-01')).toEqual([144_000])
})

test('a group is the sum of its projects that somebody sees, each by the dates of its own clock', async () => {
  const CityID = stack.server.plant.projects.get(projectA)?.cityId ?? 0
  const period = { Unit: 'day', From: '2025-01-15', To: '2025-01-17', Compare: 'previous' } as const
  const all = await stack.client.call(getEnergy, { query: { CityID, ...period } })
  expect([all.Total.Wh, all.Bars.map(({ Wh }) => Wh)]).toEqual([192_000, [96_000, 96_000]])
  expect([all.Boundary, all.Group]).toEqual(['sum', { Projects: 2, Part: 0, Zones: ['Asia/Shanghai'] }])
  expect(all.Compared).toMatchObject({ Wh: null, Change: null })
  const own = await sub.call(getEnergy, { query: { CityID, ...period } })
  expect([own.Total.Wh, own.Group?.Projects]).toEqual([144_000, 1])
  await refused(ofGateway.call(getEnergy, { query: { CityID, ...period } }), 'group not exists')
  await refused(sub.call(getEnergy, { query: { CityID: 999, ...period } }), 'group not exists')
  await refused(sub.call(getEnergy, { query: { CityID, LineID: lineA, ...period } }), 'invalid parameter', 'query.HouseID')
  await refused(sub.call(getEnergy, { query: { CityID, ...period, By: 'band' } }), 'invalid parameter', 'query.By')
  const other = stack.server.plant.lines.get(lineB)?.device.gateway.project
  if (!other) throw new Error('no project B')
  other.timeZone = 'Europe/Berlin'
  try {
    const far = await stack.client.call(getEnergy, { query: { CityID, ...period, From: '2025-01-14', To: '2025-01-18' } })
    expect(far.Group?.Zones).toEqual(['Asia/Shanghai', 'Europe/Berlin'])
    const hours = stack.client.call(getEnergy, { query: { CityID, ...period, Unit: 'hour' } })
    await refused(hours, 'invalid parameter', 'query.Unit')
  } finally {
    other.timeZone = 'Asia/Shanghai'
  }
})

test('a project beside its gateways, and a gateway beside its lines, each in the bars of the whole', async () => {
  const period = { Unit: 'day', From: '2025-01-14', To: '2025-01-17', By: 'child' } as const
  const ask = (of: Client, scope: object) => of.call(getEnergy, { query: { ...scope, ...period } })
  const { Bars, Children } = await ask(sub, { HouseID: projectA })
  expect(Bars.map(({ Wh }) => Wh)).toEqual([null, 72_000, 72_000])
  expect(Children).toEqual([
    { DeviceID: gatewayA, LineID: null, Name: 'A柜', Wh: 48_000, Bars: [null, 24_000, 24_000] },
    { DeviceID: gatewayC, LineID: null, Name: 'C柜', Wh: 96_000, Bars: [null, 48_000, 48_000] },
  ])
  const lines = (await ask(ofGateway, { DeviceID: gatewayA })).Children ?? []
  expect([lines.length, lines.find(({ LineID }) => LineID === lineA)?.Bars]).toEqual([8, [null, 24_000, 24_000]])
  const hours = await sub.call(getEnergy, {
    query: { HouseID: projectA, Unit: 'hour', From: '2025-01-15', To: '2025-01-16', By: 'child' },
  })
  expect(hours.Children?.map((child) => child.Bars)).toEqual([Array(24).fill(1_000), Array(24).fill(2_000)])
  expect((await ask(sub, { LineID: lineA })).Children).toEqual([])
  await refused(ask(ofGateway, { HouseID: projectA }), 'project not exists')
})

describe('side by side', () => {
  const days = { From: '2025-01-15', To: '2025-01-17', Size: 50 } as const
  const report = (of: Client, ask: Omit<Request<typeof reportEnergy>['body'], 'From' | 'To'> & { From?: string; To?: string }) =>
    of.call(reportEnergy, { body: { ...days, ...ask } })
  const namesOf = (rows: readonly { Name: string; Wh: number | null }[]) => rows.map(({ Name, Wh }) => [Name, Wh])

  test('gateways and lines of a project, the largest first, and last those of which nothing is known', async () => {
    const gateways = await report(sub, { Rows: 'gateway', HouseIDs: [projectA] })
    expect(namesOf(gateways.items)).toEqual([
      ['C柜', 96_000],
      ['A柜', 48_000],
    ])
    // One gateway may stand under another: no sum is given.
    expect(gateways.about).toMatchObject({ Wh: null, Largest: 96_000, Lacking: 0 })
    const lines = await report(sub, { Rows: 'line', HouseIDs: [projectA] })
    expect([lines.total, lines.items[0]?.LineID, lines.items[1]?.LineID]).toEqual([16, lineC, lineA])
    expect(lines.items.slice(2).map(({ Wh }) => Wh)).toEqual(Array(14).fill(null))
    expect(lines.about).toMatchObject({ Largest: 96_000, Lacking: 14 })
    const second = await report(sub, { Rows: 'line', DeviceID: gatewayA, Page: 2, Size: 5 })
    expect([second.total, second.items.length]).toEqual([8, 3])
  })

  test('each row says what the line, the gateway or the project says by itself, and what it is compared with', async () => {
    for (const Compare of ['previous', 'yearAgo'] as const)
      for (const [From, To] of [
        ['2025-01-16', '2025-01-17'],
        ['2025-01-01', '2025-03-01'],
        ['2024-07-20', '2025-01-16'],
      ] as const) {
        const asked = { From, To, Compare }
        const rows = [
          ...(await report(sub, { Rows: 'project', ...asked })).items,
          ...(await report(sub, { Rows: 'gateway', HouseIDs: [projectA], ...asked })).items,
          ...(await report(sub, { Rows: 'line', HouseIDs: [projectA], Size: 3, ...asked })).items,
        ]
        expect(rows).toHaveLength(1 + 2 + 3)
        for (const { HouseID, DeviceID, LineID, Name, IsPart, Boundary, Compared, ...amount } of rows) {
          const scope = LineID !== null ? { LineID } : DeviceID !== null ? { DeviceID } : { HouseID }
          const alone = await sub.call(getEnergy, { query: { ...scope, Unit: 'month', ...asked } })
          const own = { ...amount, Cost: null }
          const compared = Compared && { ...Compared, Cost: null, FeeChange: null }
          const { CarbonG: _, ...total } = alone.Total
          expect([Name, IsPart, Boundary, own, compared]).toEqual([Name, false, alone.Boundary, total, alone.Compared])
        }
      }
  })

  test('nobody finds a project, a gateway or a line that is not theirs; of a project seen in part no figure is given', async () => {
    const all = await report(stack.client, { Rows: 'project' })
    expect(namesOf(all.items)).toEqual([
      ['项目A', 144_000],
      ['项目B', 48_000],
    ])
    expect(all.about.Wh).toBe(192_000)
    expect(namesOf((await report(sub, { Rows: 'project' })).items)).toEqual([['项目A', 144_000]])
    const { items, about } = await report(ofGateway, { Rows: 'project' })
    expect(items).toMatchObject([{ Name: '项目A', IsPart: true, Wh: null, Compared: null }])
    expect(about).toMatchObject({ Wh: null, Largest: null, Lacking: 1 })
    expect(namesOf((await report(ofGateway, { Rows: 'gateway', HouseIDs: [projectA] })).items)).toEqual([['A柜', 48_000]])
    expect((await report(ofGateway, { Rows: 'line', HouseIDs: [projectA] })).total).toBe(8)
    const projectB = stack.server.plant.lines.get(lineB)?.device.gateway.project.id ?? 0
    for (const Rows of ['project', 'gateway', 'line'] as const)
      await refused(report(sub, { Rows, HouseIDs: [projectB] }), 'project not exists')
    await refused(report(ofGateway, { Rows: 'line', DeviceID: gatewayC }), 'gateway not exists')
  })

  test('what is asked for wrongly is said at its field', async () => {
    const ask = (more: Partial<Request<typeof reportEnergy>['body']>) => report(sub, { Rows: 'project', ...more })
    await refused(ask({ To: '2025-01-15' }), 'invalid parameter', 'body.To')
    await refused(ask({ To: '2025-02-30' }), 'invalid parameter', 'body.To')
    await refused(ask({ From: '2024-01-01', To: '2025-02-05' }), 'invalid parameter', 'body.To')
    expect((await ask({ From: '2024-01-01', To: '2025-02-04' })).total).toBe(1)
    await refused(ask({ DeviceID: gatewayA }), 'invalid parameter', 'body.DeviceID')
    for (const Rows of ['gateway', 'line'] as const) {
      await refused(ask({ Rows }), 'invalid parameter', 'body.HouseIDs')
      const both = { Rows, HouseIDs: [...stack.server.plant.projects.keys()] }
      await refused(report(stack.client, both), 'invalid parameter', 'body.HouseIDs')
      await refused(ask({ Rows, HouseIDs: [projectA], DeviceID: gatewayA }), 'invalid parameter', 'body.HouseIDs')
    }
  })
})

test('the quarters equal what PostgreSQL makes of the readings itself', async () => {
  const client = await stack.server.database.connect()
  try {
    const { rows } = await client.query<{ wh: string }>(
      `select round(max(counter) * 1000) - round(min(counter) * 1000) as wh from reading where line_id = $1 and at >= $2 and at <= $3`,
      [lineA, new Date(midnight), new Date(midnight + 24 * hourMs + minuteMs)],
    )
    const { Total } = await sub.call(getEnergy, { query: { LineID: lineA, Unit: 'hour', From: '2025-01-15', To: '2025-01-16' } })
    expect(Total.Wh).toBe(Number(rows[0]?.wh))
  } finally {
    await client.end()
  }
})

function secondOf(gateway: GatewayPlan): GatewayPlan {
  const devices = gateway.devices.map((device) => ({ ...device, controllerId: device.controllerId.replace('A-', 'C-') }))
  return { ...gateway, number: 'GW-C', name: 'C柜', devices }
}
