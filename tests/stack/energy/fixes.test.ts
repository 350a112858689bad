import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { getEnergy, insertFix, listFixes, undoFix, updateMeter } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// Energy that somebody enters over quarters: it counts, is marked, and is gone when it is undone.
let stack: Stack
let manager: Client
let reader: Client
let guest: Client
let houseId = 0
const password = 'Entry-7391'
const dayMs = 24 * hourMs
/** Midnight in Shanghai, of 15 January 2025. */
const midnight = Date.UTC(2025, 0, 14, 16)
const lineOf = (lineNo: number, device = 'A-T1') => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  houseId = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const client = await database.connect()
  try {
    // Ten days before and one after; the second line is silent for six hours, and its meter began at nought again meanwhile.
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, case when line_id = ($2::int[])[2] and at > $1::timestamptz then 0 else 1000 end + 4 * extract(epoch from at - $1::timestamptz + interval '10 days') / 3600
       from unnest($2::int[]) as line_id, generate_series($1::timestamptz - interval '10 days', $1::timestamptz + interval '1 day', '5 min') as at
       where line_id <> ($2::int[])[2] or at <= $1::timestamptz or at >= $1::timestamptz + interval '6 hours'`,
      [new Date(midnight), [1, 2].map((no) => lineOf(no))],
    )
    await client.query(
      `insert into energy_due (line_id, starts, ends) select id, $2::timestamptz - interval '10 days', $2::timestamptz + interval '1 day' from unnest($1::int[]) as t (id)`,
      [[1, 2].map((no) => lineOf(no)), new Date(midnight)],
    )
  } finally {
    await client.end()
  }
  await made()
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const manages = await role('manages', ['energy', 'energy.energy', 'system', 'system.project'])
  const reads = await role('reads', ['energy', 'energy.energy'])
  const person = async (userName: string, roleId: number, kind: 'sub' | 'shared' = 'sub'): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind, roleId, projectIds: [houseId] })
    return signedIn(stack.url, { userName, password })
  }
  manager = await person('13800000051', manages)
  reader = await person('13800000052', reads)
  guest = await person('13800000053', manages, 'shared')
})
afterAll(() => stack?.close())

/** What the server does by itself within minutes. */
async function made(): Promise<void> {
  const client = await stack.server.database.connect()
  try {
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
}

const day = async (scope: { LineID: number } | { HouseID: number }) => {
  const { Total } = await reader.call(getEnergy, { query: { ...scope, Unit: 'day', From: '2025-01-15', To: '2025-01-16' } })
  return { wh: Total.Wh, spread: Total.Spread, estimated: Total.Estimated, entered: Total.Entered, lackingS: Total.LackingS }
}
const second = () => day({ LineID: lineOf(2) })
type Fix = Request<typeof insertFix>['body']
const fix = (more: Partial<Fix> = {}): Fix => ({
  ...{ HouseID: houseId, LineID: lineOf(2), From: midnight, To: midnight + 6 * hourMs, Method: 'kwh', Kwh: 30 },
  ...{ StartKwh: null, EndKwh: null, Reason: '按电工抄表', ...more },
})
const undo = async (FixID: number) => {
  const undone = await manager.call(undoFix, { body: { HouseID: houseId, FixID, Version: 1, Reason: '录错' } })
  await made()
  return undone
}

test('what was entered counts, is marked in the line and its project, and is gone when it is undone', async () => {
  const [before, house] = [await second(), await day({ HouseID: houseId })]
  const entered = await manager.call(insertFix, { body: fix() })
  await made()
  expect(await second()).toMatchObject({ wh: 30_000 + 72_000, entered: 30_000, spread: 0, lackingS: 0 })
  expect(await day({ HouseID: houseId })).toMatchObject({ wh: 96_000 + 102_000, entered: 30_000 })
  expect(entered).toMatchObject({ Wh: 30_000, Kwh: 30, TypedBy: '13800000051', UndoneAt: null, Version: 1 })
  // Nothing that was reported is another.
  const readings = await stack.server.database.general
    .selectFrom('reading')
    .select('counter')
    .where('line_id', '=', lineOf(2))
    .where('at', '>', new Date(midnight))
    .where('at', '<', new Date(midnight + 6 * hourMs))
    .execute()
  expect(readings).toEqual([])
  expect(await undo(entered.FixID)).toMatchObject({ UndoneBy: '13800000051', Version: 2 })
  expect(await second()).toEqual(before)
  expect(await day({ HouseID: houseId })).toEqual(house)
  expect(
    await outcomeOf(manager.call(undoFix, { body: { HouseID: houseId, FixID: entered.FixID, Version: 1, Reason: 'x' } })),
  ).toBe('changed meanwhile')
})

test('two registers count by the multiplier of their time, also where it is corrected afterwards', async () => {
  const { FixID, Wh } = await manager.call(insertFix, {
    body: fix({ Method: 'register', Kwh: null, StartKwh: 100, EndKwh: 112.5 }),
  })
  await made()
  expect([Wh, (await second()).entered]).toEqual([12_500, 12_500])
  const meter = {
    ...{
      HouseID: houseId,
      LineID: lineOf(2),
      Version: 0,
      MeterID: null,
      From: null,
      Serial: '',
      AccuracyPercent: 1,
      Reason: 'CT',
    },
    ...{ RegisterMaxKwh: null, StartRegisterKwh: null, EndRegisterKwh: null },
  }
  const saved = await manager.call(updateMeter, { body: { ...meter, Multiplier: 4 } })
  await made()
  expect(await second()).toMatchObject({ wh: 50_000 + 4 * 72_000, entered: 50_000 })
  await manager.call(updateMeter, {
    body: { ...meter, Version: saved.Version, MeterID: saved.Meters[0]?.MeterID ?? null, Multiplier: 1 },
  })
  await undo(FixID)
  expect((await second()).entered).toBe(0)
})

test('the usual course is an estimate, and nothing used is nought', async () => {
  const usual = await manager.call(insertFix, { body: fix({ Method: 'profile', Kwh: null }) })
  await made()
  expect(await second()).toMatchObject({ wh: 24_000 + 72_000, estimated: 24_000, entered: 0 })
  await undo(usual.FixID)
  const nothing = await manager.call(insertFix, { body: fix({ Method: 'zero', Kwh: null }) })
  await made()
  expect(await second()).toMatchObject({ wh: 72_000, entered: 0, lackingS: 0 })
  await undo(nothing.FixID)
})

test('where the readings are gone an undone entry leaves what was known before', async () => {
  const first = () => day({ LineID: lineOf(1) })
  const before = await first()
  const entered = await manager.call(insertFix, { body: fix({ LineID: lineOf(1), Kwh: 1 }) })
  await made()
  expect((await first()).entered).toBe(1_000)
  await stack.server.database.general
    .deleteFrom('reading')
    .where('line_id', '=', lineOf(1))
    .where('at', '<', new Date(midnight + dayMs))
    .execute()
  await undo(entered.FixID)
  expect(await first()).toEqual(before)
})

test('what cannot be entered is said at its field', async () => {
  const pathOf = (more: Partial<Fix>) =>
    manager.call(insertFix, { body: fix(more) }).then(
      () => null,
      (error) => error.problem?.failure?.Problems?.[0]?.Path,
    )
  expect(await pathOf({ From: midnight + 60_000 })).toBe('body.From')
  expect(await pathOf({ To: midnight })).toBe('body.To')
  expect(await pathOf({ From: midnight - 20 * dayMs })).toBe('body.From')
  expect(await pathOf({ Kwh: null })).toBe('body.Kwh')
  expect(await pathOf({ Method: 'register', Kwh: null, StartKwh: 5 })).toBe('body.EndKwh')
  expect(await pathOf({ Method: 'register', Kwh: null, StartKwh: 5, EndKwh: 4 })).toBe('body.EndKwh')
  const { FixID } = await manager.call(insertFix, { body: fix() })
  expect(
    await outcomeOf(manager.call(insertFix, { body: fix({ From: midnight + 5 * hourMs, To: midnight + 7 * hourMs }) })),
  ).toBe('energy fix overlaps')
  await undo(FixID)
})

test('who only reads, is a guest or means another project enters nothing; guests see no names', async () => {
  const count = (await reader.call(listFixes, { query: { HouseID: houseId } })).items.length
  for (const client of [reader, guest]) expect(await outcomeOf(client.call(insertFix, { body: fix() }))).toBe('access denied')
  expect(await outcomeOf(manager.call(insertFix, { body: fix({ LineID: lineOf(1, 'B-T1') }) }))).toBe('line not exists')
  const { items } = await guest.call(listFixes, { query: { HouseID: houseId } })
  expect(items.length).toBe(count)
  expect(items.every(({ TypedBy, UndoneBy }) => TypedBy === null && UndoneBy === null)).toBe(true)
})
