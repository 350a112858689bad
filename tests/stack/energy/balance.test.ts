import type { Client } from '@linewarden/client'
import { getBalance, getEnergy, getFlow } from '@linewarden/contract'
import type { GatewayPlan } from '@linewarden/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueMonths } from '../../../apps/server/src/store/energy/make-months.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

/** Midnight in Shanghai, of 15 January 2025. */
const midnight = Date.UTC(2025, 0, 14, 16)
const [whole, firstOnly] = [
  { From: '2025-01-15', To: '2025-01-17' },
  { From: '2025-01-15', To: '2025-01-16' },
]
const password = 'Quarter-7391'
/** The first project has a second gateway of as many lines. */
const plan = smallPlan.map((project, index) => ({
  ...project,
  gateways: index > 0 ? project.gateways : project.gateways.flatMap((gateway) => [gateway, secondOf(gateway)]),
}))

let stack: Stack
let sub: Client
/** Each sees one gateway of project A, and nothing else. */
let ofA: Client
let ofC: Client
let houseId: number
let gatewayId: number
/** By controller and number: `A1`, `C3`. */
const line = (name: string): number => stack.server.plant.lineAt(`${name.slice(0, 1)}-T1`, Number(name.slice(1)))?.id ?? 0

/** kWh an hour through two days. A1 feeds A2, A3, C1 and on the first date A6, which A7 feeds from the second on; A4 feeds A5, C2 feeds C3. */
const paces = { A1: 11, A2: 5, A3: 3, A4: 4, A5: 8, A6: 2, A7: 2, C1: 1, C2: 4 } as const
const feeds = [
  ['A2', 'A1', '-infinity', null],
  ['A3', 'A1', '-infinity', null],
  ['C1', 'A1', '-infinity', null],
  ['A6', 'A1', '-infinity', '2025-01-16 15:00+08'],
  ['A6', 'A7', '2025-01-16 15:00+08', null],
  ['A5', 'A4', '-infinity', null],
  ['C3', 'C2', '-infinity', null],
] as const

beforeAll(async () => {
  stack = await startStack({ plan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  gatewayId = plant.gatewayByNumber.get('GW-A')?.id ?? 0
  houseId = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const client = await database.connect()
  try {
    const report = (names: readonly string[], each: readonly number[], from: string) =>
      client.query(
        `insert into reading (line_id, at, received_at, quality, v0, counter)
         select line_id, at, at, 0, 1, pace * extract(epoch from at - $1::timestamptz) / 3600
         from unnest($2::int[], $3::float8[]) as t (line_id, pace), generate_series($1::timestamptz + $4::interval, $1::timestamptz + interval '48 hours', '5 min') as at`,
        [new Date(midnight), names.map(line), each, from],
      )
    await report(Object.keys(paces), Object.values(paces), '0 h')
    // What C3 used before six o'clock of the second date nobody knows.
    await report(['C3'], [4], '30 h')
    for (const [name, upstream, starts, ends] of feeds)
      await client.query('insert into feed_span (line_id, fed_by, starts, ends) values ($1, $2, $3, $4)', [
        line(name),
        line(upstream),
        starts,
        ends,
      ])
    await client.query(
      `insert into energy_due (line_id, starts, ends) select id, $2::timestamptz, $2::timestamptz + interval '48 hours' from unnest($1::int[]) as t (id)`,
      [[...Object.keys(paces), 'C3'].map(line), new Date(midnight)],
    )
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
  const roleId = await accounts.createRole({
    number: 'energy',
    name: '用电',
    privileges: ['energy', 'energy.energy'],
    buttons: [],
  })
  const clientOf = async (userName: string, projectIds: readonly number[], gateway: string | null) => {
    await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds: [...projectIds] })
    if (gateway !== null)
      await database.general
        .insertInto('account_gateway')
        .columns(['account_id', 'gateway_id'])
        .expression((each) =>
          each
            .selectFrom('account')
            .select(['account_id', each.val(plant.gatewayByNumber.get(gateway)?.id ?? 0).as('gateway_id')])
            .where('user_name', '=', userName),
        )
        .execute()
    return signedIn(stack.url, { userName, password })
  }
  sub = await clientOf('13800000021', [houseId], null)
  ofA = await clientOf('13800000022', [], 'GW-A')
  ofC = await clientOf('13800000023', [], 'GW-C')
})
afterAll(() => stack?.close())

const balanceOf = async (name: string, dates: { readonly From: string; readonly To: string }, client = sub) =>
  (await client.call(getBalance, { query: { LineID: line(name), ...dates } })).Lines[0]

test('what a feeder measured is what those measured that it fed, and the rest', async () => {
  const { Lines, Total, Verdicts, Top, AccuracyPercent } = await sub.call(getBalance, { query: { HouseID: houseId, ...whole } })
  // The worst first.
  expect(Lines.map(({ Name, Verdict }) => [Name, Verdict])).toEqual([
    ['A线4', 'partsAboveWhole'],
    ['A线1', 'unmetered'],
    ['A线7', 'withinError'],
    ['C线2', 'withinError'],
  ])
  expect([Total, AccuracyPercent]).toEqual([4, 1])
  expect(Verdicts).toEqual({ partsAboveWhole: 1, unmetered: 1, unknown: 0, withinError: 2 })
  const first = Lines.find(({ LineID }) => LineID === line('A1'))
  expect(first).toMatchObject({ Days: 2, Wh: 528_000, ChildrenWh: 480_000, RestWh: 48_000, LeftOutS: 0, ComparedS: 172_800 })
  expect(first?.Children.map(({ Name, Wh, Whole }) => [Name, Wh, Whole])).toEqual([
    ['A线2', 240_000, true],
    ['A线3', 144_000, true],
    ['A线6', 48_000, false],
    ['C线1', 48_000, true],
  ])
  const wh = [528_000, 240_000, 144_000, 48_000, 48_000]
  // The register of A3 rises by a quarter of a kilowatt hour each time: it may count no finer.
  const classes = ((2 * 0.01) / Math.sqrt(3)) * Math.hypot(...wh)
  expect(first?.ErrorWh).toBe(Math.round(Math.hypot(classes, 250 * Math.sqrt(2 / 3))))
  // The first date of A7 is not compared: it fed nothing then.
  expect(Top).toMatchObject({ Lines: 4, Wh: 528_000 + 192_000 + 48_000 + 72_000 })
})

test('a line that is moved counts for the one that feeds it at the end of the date, and not for both', async () => {
  const names = async (name: string, dates: typeof whole) => (await balanceOf(name, dates))?.Children.map(({ Name }) => Name)
  expect(await names('A1', firstOnly)).toContain('A线6')
  expect(await names('A1', { From: '2025-01-16', To: '2025-01-17' })).not.toContain('A线6')
  expect(await names('A7', firstOnly)).toBeUndefined()
  expect(await balanceOf('A7', whole)).toMatchObject({ Days: 1, Wh: 48_000, ChildrenWh: 48_000, RestWh: 0 })
})

test('children above their feeder are named with what would explain it, and a quarter that one of them lacks counts for neither', async () => {
  expect(await balanceOf('A4', whole)).toMatchObject({
    ...{ Wh: 192_000, ChildrenWh: 384_000, RestWh: -192_000, Tried: 4 },
    Causes: [{ Name: 'A线5', Cause: 'double', RestWh: 0 }],
  })
  expect(await balanceOf('C2', whole)).toMatchObject({
    ...{ Days: 1, Wh: 72_000, ChildrenWh: 72_000, RestWh: 0, LeftOutS: 6 * 3_600, ComparedS: 18 * 3_600 },
    Children: [{ Name: 'C线3', LackingS: 6 * 3_600 }],
  })
})

test('the days before stand beside it', async () => {
  const { Lines, Compared } = await sub.call(getBalance, {
    query: { LineID: line('A1'), From: '2025-01-16', To: '2025-01-17', Compare: 'previous' },
  })
  expect(Compared).toEqual({ From: '2025-01-15', To: '2025-01-16', Until: null })
  expect(Lines[0]?.Compared).toEqual({ Wh: 264_000, RestWh: 0, Verdict: 'withinError' })
})

test('whoever does not see all that a line feeds gets neither names nor figures of the others, and no rest', async () => {
  const answer = await ofA.call(getBalance, { query: { DeviceID: gatewayId, ...whole } })
  expect(JSON.stringify(answer)).not.toContain('C线')
  const first = answer.Lines.find(({ LineID }) => LineID === line('A1'))
  expect(first).toMatchObject({ Wh: 528_000, ChildrenWh: null, RestWh: null, Verdict: 'unknown', Why: 'unseen', Causes: [] })
  expect(first?.Children.map(({ Name }) => Name)).toEqual(['A线2', 'A线3', 'A线6'])
  const flow = await ofA.call(getFlow, { query: { DeviceID: gatewayId, ...whole } })
  expect(JSON.stringify(flow)).not.toContain('C线')
  expect(flow.Nodes.map(({ Kind }) => Kind)).toContain('notKnown')
  // And the other way round: what feeds C1 is not named, and C1 is where energy comes in.
  const other = await ofC.call(getFlow, { query: { LineID: line('C1'), ...whole } })
  expect(other.Nodes.map(({ Kind, Wh }) => [Kind, Wh])).toEqual([
    ['whole', 48_000],
    ['line', 48_000],
  ])
  for (const call of [getBalance, getFlow]) {
    const refusal = (Message: string) => ({ problem: { kind: 'refusal', failure: { Message } } })
    await expect(ofA.call(call, { query: { HouseID: houseId, ...whole } })).rejects.toMatchObject(refusal('project not exists'))
    await expect(ofA.call(call, { query: { LineID: line('C2'), ...whole } })).rejects.toMatchObject(refusal('device not exists'))
  }
})

test('flow is the energy of the project, and at each line what comes in goes out or is left', async () => {
  const { Nodes, Links, Lines, Feeders } = await sub.call(getFlow, { query: { HouseID: houseId, ...whole } })
  const { Total } = await sub.call(getEnergy, { query: { HouseID: houseId, Unit: 'day', ...whole } })
  const placeOf = (name: string) => Nodes.findIndex(({ LineID }) => LineID === line(name))
  const linkOf = (from: number, to: number) => Links.find(({ From, To }) => From === from && To === to)?.Wh
  const endOf = (kind: string) => Nodes.findIndex(({ Kind }) => Kind === kind)
  expect(Nodes[0]).toMatchObject({ Kind: 'whole', Name: '项目A', Wh: Total.Wh })
  expect([Lines, Feeders]).toEqual([10, 4])
  expect(linkOf(placeOf('A1'), placeOf('A6'))).toBe(48_000)
  expect(linkOf(placeOf('A7'), placeOf('A6'))).toBe(48_000)
  expect(linkOf(placeOf('A1'), endOf('rest'))).toBe(48_000)
  expect(Nodes[placeOf('A4')]).toMatchObject({ Wh: 192_000, AboveWh: 192_000 })
  // While C3 is not known, nobody knows where it goes.
  expect(linkOf(placeOf('C2'), endOf('notKnown'))).toBe(192_000 - 72_000)
  expect(Nodes[placeOf('C3')]).toMatchObject({ Wh: 72_000, LackingS: 6 * 3_600 })
})

test('a month reads the same once it is stored as a sum', async () => {
  const month = { From: '2025-01-01', To: '2025-02-01' }
  const ask = async () => [
    { ...(await sub.call(getBalance, { query: { HouseID: houseId, ...month, Compare: 'yearAgo' } })), At: 0 },
    { ...(await sub.call(getFlow, { query: { HouseID: houseId, ...month } })), At: 0 },
  ]
  const client = await stack.server.database.connect()
  try {
    // As if they were there all month.
    await client.query("update energy_line set since = '2024-12-01'")
    const before = await ask()
    await makeDueMonths(client, Date.now())
    const { rows } = await client.query("select from energy_month where kind = 'l' and month = '2025-01-01'")
    expect(rows.length).toBe(10)
    expect(await ask()).toEqual(before)
  } finally {
    await client.end()
  }
})

test('what was not measured is of the feeder, and of what is compared', async () => {
  const client = await stack.server.database.connect()
  try {
    await client.query("update energy_quarter set how = decode(repeat('01', 96), 'hex') where line_id = any ($1::int[])", [
      [line('C2'), line('C3')],
    ])
    expect(await balanceOf('C2', whole)).toMatchObject({ Wh: 72_000, Uncertain: 72_000 })
  } finally {
    await client.end()
  }
})

test.each([
  [{ From: '2025-01-16', To: '2025-01-16' }, 'query.To'],
  [{ From: '2025-02-30', To: '2025-03-01' }, 'query.To'],
  [{ From: '2000-01-01', To: '2025-01-01' }, 'query.To'],
  [{ ...whole, DeviceID: 1 }, 'query.HouseID'],
])('%j is refused by what is wrong with it', async (query, path) => {
  for (const call of [getBalance, getFlow])
    await expect(
      sub.call(call, { query: { HouseID: houseId, ...query, ...('DeviceID' in query && { DeviceID: gatewayId }) } }),
    ).rejects.toMatchObject({
      problem: { kind: 'refusal', failure: { Message: 'invalid parameter', Problems: [{ Path: path }] } },
    })
})

function secondOf(gateway: GatewayPlan): GatewayPlan {
  const devices = gateway.devices.map((device) => ({
    ...{ ...device, controllerId: device.controllerId.replace('A-', 'C-') },
    lines: device.lines.map((each) => ({ ...each, name: each.name.replace('A', 'C') })),
  }))
  return { ...gateway, number: 'GW-C', name: 'C柜', devices }
}
