import type { TariffContent } from '@linewarden/contract'
import { aboutNothing } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { dateText, parseDate } from '@linewarden/rules/automation'
import { evenStrip, painted, quarterMs } from '@linewarden/rules/energy'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { inTurn } from '../../store/energy/due.ts'
import { storeQuarters } from '../../store/energy/make-quarters.ts'
import { cellsOf } from '../../store/energy/quarter-cells.ts'
import { findSupply, saveSupply } from '../../store/energy/supply.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { supplyDays } from './make-supply-days.ts'
import { createEnergy } from './service.ts'

// What stands of a supply is what is worked out without it, whatever happens to quarters, tariffs, members, gateways and zones.
const everybody = {
  sees: () => true,
  seesPart: () => true,
  seesGateway: () => true,
  scope: { all: true, projectIds: [], gatewayIds: [], tenant: null, administrator: true, accountId: null },
} as unknown as Actor
const firstDay = parseDate('2026-01-20') ?? 0
const now = Date.UTC(2026, 4, 12, 9, 7)
/** Clocks change in March and April, by an hour and by half of one, at midnight too; in February China has holidays. */
const zones = ['Asia/Shanghai', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kathmandu', 'Africa/Casablanca']

let db: TestDatabase
let client: pg.Client
let days: ReturnType<typeof supplyDays>
beforeAll(async () => {
  db = await testDatabase()
  days = supplyDays(db.database)
  client = await db.database.connect()
  await client.query(`
    insert into city (name) values ('c');
    insert into project (city_id, name, time_zone) values (1, 'p', 'Asia/Shanghai'), (1, 'q', 'Asia/Shanghai');
    insert into gateway (project_id, number, name, secret_hash, reporting_period_ms) values (1, 'G', 'G', '', 60000), (1, 'H', 'H', '', 60000);
    insert into device (gateway_id, controller_id, name, family, model) values (1, 'C', 'C', 'breaker3p', '3P'), (2, 'D', 'D', 'breaker3p', '3P');
    insert into line (device_id, line_no, name) values (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c');
    insert into tariff (project_id, name, currency) values (1, 't', 'CNY'), (1, 'u', 'CNY')`)
})
afterAll(async () => {
  await client.end()
  await db.drop()
})

const empty = () =>
  client.query(`truncate price_import, price_day, energy_quarter, energy_line, energy_profile_due, energy_month, tariff_version, supply, energy_supply, energy_supply_due,
      energy_supply_look restart identity cascade;
    update gateway set project_id = 1, removed_at = null; update project set time_zone = 'Asia/Shanghai'`)
beforeEach(empty)

const strip = painted(painted(evenStrip(1), 34, 46, 0), 4, 20, 2)
const content = (price: string): Omit<TariffContent, 'From' | 'To' | 'Source'> => ({
  Bands: ['peak', 'flat', price === '0.7' ? '夜' : 'valley'],
  Seasons: [
    {
      ...{ Name: '', From: '01-01', To: '12-31' },
      Days: { workday: strip, makeUpWorkday: strip, saturday: evenStrip(1), sunday: evenStrip(2), holiday: evenStrip(2) },
    },
  ],
  Components: [
    {
      Key: 'purchase',
      Basis: 'kwhByBand',
      Prices: ['1.2', price === 'spot' ? '0.33' : price, '0.11112222'],
      Of: [],
      InPowerFactorBase: true,
      GovernmentFund: false,
    },
    ...(price === 'spot'
      ? [{ Key: 'spot', Basis: 'kwhBySeries' as const, Prices: [], Of: [], InPowerFactorBase: false, GovernmentFund: false }]
      : []),
  ],
  ...{ DemandRule: null, PowerFactorStandard: null },
})

/** Quarters of a line from so many days after {@link firstDay} on, by a small chance of their own; some are not known. */
async function bring(line: number, from: number, count: number, seed: number): Promise<void> {
  const at = (firstDay + from) * dayMs
  let state = seed * 7_919 + line
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const slots = Array.from({ length: count * 96 }, () => (next() < 0.02 ? null : Math.floor(next() * 900)))
  const quarters = { wh: slots, how: Uint8Array.from(slots, (each) => (each === null ? 4 : Math.floor(next() * 4))) }
  const made = { lineId: line, from: at, to: at + slots.length * quarterMs, cells: cellsOf(quarters, at) }
  await inTurn(client, async () => {
    await storeQuarters(client, [made], now)
    return true
  })
}

const publish = (tariff: number, fromDay: number, price: string) =>
  client.query(
    `insert into tariff_version (tariff_id, project_id, number, from_day, to_day, source, content, published_at, published_name, canonical, sha256)
     select $1, 1, count(*) + 1, $2, null, 's', $3, now() + count(*) * interval '1 second', 'n', '{}', repeat('0', 64) from tariff_version where tariff_id = $1`,
    [tariff, firstDay + fromDay, JSON.stringify(content(price))],
  )

/** Prices of each quarter of some days, in no order: some below nought, some not known. */
const price = (tariff: number, from: number, count: number, seed: number) =>
  client.query(
    `insert into price_day (tariff_id, day, number, project_id, prices)
     select $1, day::date, (select coalesce(max(number), 0) + 1 from price_day where tariff_id = $1), 1,
       (select array_agg(case when hash % 40 = 0 then null else hash % 90000000 - 20000000 end order by place)
        from generate_series(1, 96) as place, lateral (select abs(hashint8(place * 7919 + $4 + extract(epoch from day)::bigint))::bigint as hash) as h)
     from generate_series($2::date, $3::date, interval '1 day') as day`,
    [tariff, dateText(firstDay + from), dateText(firstDay + from + count - 1), seed],
  )

const memberSets = [
  [{ lineId: 1, sign: 1 }],
  [
    { lineId: 1, sign: 1 },
    { lineId: 2, sign: -1 },
    { lineId: 3, sign: 1 },
  ],
  [
    { lineId: 3, sign: 1 },
    { lineId: 2, sign: 1 },
  ],
]
const tariffsOf = (from: number | null) =>
  from === null
    ? [{ tariffId: 1, from: null }]
    : [
        { tariffId: 1, from: null },
        { tariffId: 2, from: dateText(firstDay + from) },
      ]

const questions = [
  { Unit: 'month', From: '2026-01-01', To: '2026-06-01' },
  { Unit: 'month', From: '2026-02-10', To: '2026-05-12', Compare: 'yearAgo' },
  { Unit: 'day', From: '2026-03-15', To: '2026-04-20', Compare: 'previous' },
  { Unit: 'month', From: '2026-05-01', To: '2026-06-01', Compare: 'previous' },
  { Unit: 'year', From: '2025-01-01', To: '2027-01-01' },
] as const

async function answers() {
  const service = createEnergy({ database: db.database, plant: await loadPlant(db.database), clock: () => now })
  const asked = questions.map((question) => service.read(everybody, { SupplyID: 1, By: 'band', ...question }))
  return JSON.stringify(await Promise.all(asked))
}

/** The same of quarters alone: what stands says of itself that it was made of something else. */
async function reckoned() {
  await client.query("update energy_supply set made_of = 'x' || made_of")
  const found = await answers()
  await client.query('update energy_supply set made_of = substr(made_of, 2)')
  return found
}

/** A hundred and ten days of three lines, prices that change in mid-month, and a supply of all of them. */
async function seedPlant(zone: string, seed: number): Promise<void> {
  await client.query('update project set time_zone = $1 where project_id = 1', [zone])
  for (const line of [1, 2, 3]) await bring(line, line, 110, seed)
  await publish(1, 10, '0.5')
  await publish(1, 45, 'spot')
  await price(1, 43, 60, seed)
  await publish(2, 0, '0.7')
  await client.query(
    `insert into supply (project_id, name, account_no, members, billing_day, energy_step_wh, from_day, to_day, tariffs)
     values (1, 's', '', $1, 0, 1, 0, null, $2)`,
    [JSON.stringify(memberSets[1]), JSON.stringify(tariffsOf(null))],
  )
}

const summed = async (level: string) =>
  (await client.query<{ count: number }>('select count(*)::int from energy_supply where level = $1', [level])).rows[0]?.count ?? 0

const happenings = fc.oneof(
  fc.record({
    kind: fc.constant('late' as const),
    line: fc.integer({ min: 1, max: 3 }),
    from: fc.integer({ min: -3, max: 110 }),
  }),
  fc.record({ kind: fc.constant('published' as const), tariff: fc.constantFrom(1, 2), from: fc.integer({ min: -40, max: 110 }) }),
  fc.record({ kind: fc.constant('priced' as const), tariff: fc.constantFrom(1, 2), from: fc.integer({ min: -3, max: 110 }) }),
  fc.record({ kind: fc.constant('members' as const), set: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ kind: fc.constant('tariffs' as const), from: fc.option(fc.integer({ min: 5, max: 100 })) }),
  fc.record({
    kind: fc.constant('dates' as const),
    from: fc.integer({ min: -10, max: 50 }),
    to: fc.option(fc.integer({ min: 60, max: 130 })),
  }),
  fc.record({ kind: fc.constant('zone' as const), zone: fc.constantFrom(...zones) }),
  fc.record({ kind: fc.constantFrom('moved' as const, 'removed' as const, 'returned' as const) }),
)
type Happening = typeof happenings extends fc.Arbitrary<infer T> ? T : never

async function happen(each: Happening, seed: number): Promise<unknown> {
  switch (each.kind) {
    case 'late':
      return bring(each.line, each.from, 2, seed)
    case 'published':
      return publish(each.tariff, each.from, ['spot', '0.5', '0.7', 'dear'][seed % 4] ?? '')
    case 'priced':
      return price(each.tariff, each.from, 3, seed)
    case 'members':
      return client.query('update supply set members = $1', [JSON.stringify(memberSets[each.set])])
    case 'tariffs':
      return client.query('update supply set tariffs = $1', [JSON.stringify(tariffsOf(each.from))])
    case 'dates':
      return client.query('update supply set from_day = $1, to_day = $2', [
        ...[firstDay + each.from, each.to === null ? null : firstDay + each.to],
      ])
    case 'zone':
      return client.query('update project set time_zone = $1 where project_id = 1', [each.zone])
    case 'moved':
      return client.query('update gateway set project_id = 2 where gateway_id = 2')
    case 'removed':
      return client.query('update gateway set removed_at = now() where gateway_id = 2')
    case 'returned':
      return client.query('update gateway set project_id = 1, removed_at = null where gateway_id = 2')
  }
}

test('what stands of a supply is what its quarters and tariffs say, before, while and after it is made again', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...zones),
      fc.integer({ min: 1, max: 9_999 }),
      fc.array(happenings, { minLength: 1, maxLength: 5 }),
      async (zone, seed, all) => {
        await empty()
        await seedPlant(zone, seed)
        const before = await answers()
        await days.look(client, now)
        await days.make(client, now)
        expect([(await summed('d')) > 90, (await summed('m')) > 0]).toEqual([true, true])
        expect(await answers()).toBe(before)
        for (const [index, each] of all.entries()) {
          await happen(each, seed + index)
          const truth = await reckoned()
          expect(await answers()).toBe(truth)
          await days.look(client, now)
          let turns = 0
          await days.make(client, now, () => turns++ > 1)
          expect(await answers()).toBe(truth)
          await days.make(client, now)
          expect(await answers()).toBe(truth)
        }
        expect(await days.look(client, now)).toBe(0)
        expect(await days.make(client, now)).toBe(0)
      },
    ),
    { numRuns: process.env.TEST_LONG ? 300 : 8 },
  ))

test.each<Happening>([
  { kind: 'late', line: 2, from: 40 },
  { kind: 'published', tariff: 1, from: 20 },
  { kind: 'priced', tariff: 1, from: 60 },
  { kind: 'members', set: 2 },
  { kind: 'tariffs', from: 33 },
  { kind: 'dates', from: 5, to: 90 },
  { kind: 'zone', zone: 'America/Santiago' },
  { kind: 'moved' },
  { kind: 'removed' },
])('what stands of a supply is passed over, and made again, after $kind', async (each) => {
  await seedPlant('Asia/Shanghai', 3)
  await days.look(client, now)
  await days.make(client, now)
  const before = await answers()
  await happen(each, 4)
  const truth = await reckoned()
  expect(truth).not.toBe(before)
  expect(await answers()).toBe(truth)
  await days.look(client, now)
  await days.make(client, now)
  expect(await answers()).toBe(truth)
  expect([await days.look(client, now), await days.make(client, now)]).toEqual([0, 0])
})

test('the latest month comes first, a month in a turn: whatever is left waits for the next one, and a note that is broken off is still there', async () => {
  await seedPlant('Asia/Shanghai', 1)
  await days.look(client, now)
  let turns = 0
  await days.make(client, now, () => turns++ > 0)
  const { rows } = await client.query<{ first: string; last: string }>(
    'select min(start)::text as first, max(start)::text as last from energy_supply',
  )
  // Until three hours after it ended a day is worked out from its quarters.
  expect(rows).toEqual([{ first: '2026-05-01', last: '2026-05-11' }])
  const noted = () => client.query('select supply_id, day::text from energy_supply_due order by day').then((found) => found.rows)
  const before = await noted()
  await client.query("alter table energy_supply add constraint broken check (start <> '2026-04-03')")
  await expect(days.make(client, now)).rejects.toThrow('broken')
  expect(await noted()).toEqual(before)
  await client.query('alter table energy_supply drop constraint broken')
  expect(await days.make(client, now)).toBe(before.length)
  expect(await noted()).toEqual([])
})

test('members that come back find nothing of what was summed before they went', async () => {
  await seedPlant('Asia/Shanghai', 1)
  await days.look(client, now)
  await days.make(client, now)
  const save = async (set: number, name: string) => {
    const found = await findSupply(db.database.general, 1)
    if (!found) throw new Error('it is there')
    const { supply_id: supplyId, project_id: projectId, version, ...row } = found
    const columns = { ...row, name, members: JSON.stringify(memberSets[set]), tariffs: JSON.stringify(row.tariffs) }
    const entry = { at: now, actor: '', address: '', action: 'supply.edit', subject: aboutNothing, outcome: 'done' } as const
    const asked = { projectId, owner: null, supplyId, version, most: 9, columns }
    return saveSupply(
      db.database,
      asked,
      () => {},
      () => entry,
    )
  }
  const made = await summed('d')
  expect(await save(1, 'another name')).toMatchObject({ name: 'another name' })
  expect([made > 90, await summed('d')]).toEqual([true, made])
  await save(0, 's')
  // Of a line that is no member nobody forgets a day.
  await bring(3, 40, 2, 9)
  await save(1, 's')
  expect(await summed('d')).toBe(0)
  const truth = await answers()
  await days.look(client, now)
  await days.make(client, now)
  expect([await summed('d'), await answers()]).toEqual([made, truth])
})

test('two servers at once make each day once, and the same', async () => {
  await seedPlant('Europe/Berlin', 2)
  const before = await answers()
  const other = await db.database.connect()
  try {
    const looked = await Promise.all([client, other].map((each) => days.look(each, now)))
    const made = await Promise.all([client, other].map((each) => days.make(each, now)))
    expect(looked.every((count) => count <= 1)).toBe(true)
    expect(made.reduce((one, each) => one + each, 0)).toBe(await summed('d'))
  } finally {
    await other.end()
  }
  expect(await answers()).toBe(before)
})
