import type { Client } from '@linewarden/client'
import {
  getEnergy,
  getOrigin,
  getRunning,
  insertHandReading,
  listHandReadings,
  undoHandReading,
  updateMeter,
} from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// A register that somebody reads at the cabinet counts as a reading does, and is undone.
let stack: Stack
let manager: Client
let reader: Client
let guest: Client
let houseId = 0
/** Its clock stands well within a quarter of an hour, whatever time it is: none ends while a test runs. */
const aheadMs = (22 * 60_000 - (Date.now() % (15 * 60_000))) % (15 * 60_000)
const clock = () => Date.now() + aheadMs
/** Midnight in Shanghai, of 15 January 2025. */
const midnight = Date.UTC(2025, 0, 14, 16)
const lineOf = (lineNo: number, device = 'A-T1') => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

beforeAll(async () => {
  stack = await startStack({
    plan: smallPlan,
    env: { LINEWARDEN_RAW_DAYS: '3650' },
    clock,
    fleet: { ticking: false, now: clock },
  })
  const { accounts, plant, database } = stack.server
  houseId = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const client = await database.connect()
  try {
    // A day of 4 kWh an hour, silent from 06:00 to 18:00; the second line is silent from 18:00 on.
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, 1000 + 4 * extract(epoch from at - $1::timestamptz) / 3600
       from unnest($2::int[], '{1, 2}'::int[]) as t (line_id, number), generate_series($1::timestamptz, $1::timestamptz + interval '1 day', '5 min') as at
       where at <= $1::timestamptz + interval '6 hours' or (number = 1 and at >= $1::timestamptz + interval '18 hours')`,
      [new Date(midnight), [lineOf(1), lineOf(2)]],
    )
    await client.query(
      `insert into energy_due (line_id, starts, ends) select id, $2::timestamptz, $2::timestamptz + interval '1 day' from unnest($1::int[]) as t (id)`,
      [[lineOf(1), lineOf(2)], new Date(midnight)],
    )
  } finally {
    await client.end()
  }
  await made()
  const person = async (userName: string, privileges: string[], kind: 'sub' | 'shared' = 'sub'): Promise<Client> => {
    const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
    await accounts.createAccount({ userName, password: 'Cabinet-7391', kind, roleId, projectIds: [houseId] })
    return signedIn(stack.url, { userName, password: 'Cabinet-7391' }, clock)
  }
  const reads = ['energy', 'energy.energy']
  manager = await person('13800000071', [...reads, 'system', 'system.project'])
  reader = await person('13800000072', reads)
  guest = await person('13800000073', [...reads, 'system', 'system.project'], 'shared')
})
afterAll(() => stack?.close())

async function made(): Promise<void> {
  const client = await stack.server.database.connect()
  try {
    await makeDueQuarters(client, clock())
    await makeDueProfiles(client, clock())
  } finally {
    await client.end()
  }
}

const hours = async (LineID: number) => {
  const { Bars, Total } = await reader.call(getEnergy, {
    query: { LineID, Unit: 'hour', From: '2025-01-15', To: '2025-01-16' },
  })
  return { wh: Bars.map(({ Wh }) => Wh), total: Total.Wh, spread: Total.Spread }
}
const reading = (more: object = {}) => ({
  ...{ HouseID: houseId, LineID: lineOf(1), At: midnight + 12 * hourMs, Kwh: 1_060, Reason: '到柜抄表', ...more },
})
const undo = async (ReadingID: number) => {
  await manager.call(undoHandReading, { body: { HouseID: houseId, ReadingID, Version: 1, Reason: '抄错' } })
  await made()
}

test('one within a silence parts its energy, of the line and its project, and is gone when it is undone', async () => {
  const before = await hours(lineOf(1))
  expect(before.wh.slice(6, 18)).toEqual(Array(12).fill(4_000))
  const entered = await manager.call(insertHandReading, { body: reading() })
  expect(entered).toMatchObject({ Name: 'A线1', Kwh: 1_060, TypedBy: '13800000071', UndoneAt: null, Version: 1 })
  await made()
  const after = await hours(lineOf(1))
  expect(after.wh.slice(6, 18)).toEqual([...Array(6).fill(6_000), ...Array(6).fill(2_000)])
  expect([after.total, after.spread]).toEqual([before.total, before.spread])
  const { Line } = await reader.call(getOrigin, { query: { LineID: lineOf(1), From: midnight, To: midnight + dayMs } })
  expect(Line?.Edges[12]).toMatchObject({ Kwh: 1_060, Before: { At: midnight + 12 * hourMs, Kwh: 1_060 } })
  await undo(entered.ReadingID)
  expect(await hours(lineOf(1))).toEqual(before)
})

test('one after the last report makes the energy up to it, by the multiplier, and takes it along when it is undone', async () => {
  const before = await hours(lineOf(2))
  expect([before.total, before.wh[6]]).toEqual([24_000, null])
  const meter = { MeterID: null, From: null, Serial: '', Multiplier: 10, AccuracyPercent: 1, RegisterMaxKwh: null }
  await manager.call(updateMeter, {
    body: {
      ...{ HouseID: houseId, LineID: lineOf(2), Version: 0, ...meter },
      ...{ StartRegisterKwh: null, EndRegisterKwh: null, Reason: '互感器 50/5' },
    },
  })
  const { ReadingID } = await manager.call(insertHandReading, { body: reading({ LineID: lineOf(2), Kwh: 1_030 }) })
  await made()
  const after = await hours(lineOf(2))
  expect([after.total, after.wh[6], after.wh[11], after.wh[12]]).toEqual([300_000, 10_000, 10_000, null])
  await undo(ReadingID)
  expect((await hours(lineOf(2))).total).toBe(240_000)
})

test('what does not fit the readings around it is refused, and says which', async () => {
  const refused = (more: object) => manager.call(insertHandReading, { body: reading(more) })
  const problems = (more: object) => refused(more).catch((error) => error.problem.failure.Problems)
  expect(await problems({ Kwh: 1_020 })).toMatchObject([
    { Path: 'body.Kwh', Text: { zh: '小于前一读数 1024 kWh（2025-01-15 06:00）' } },
  ])
  expect(await problems({ Kwh: 1_080 })).toMatchObject([
    { Path: 'body.Kwh', Text: { zh: '大于后一读数 1072 kWh（2025-01-15 18:00）' } },
  ])
  expect(await problems({ At: midnight - 1 })).toMatchObject([{ Path: 'body.At' }])
  expect(await problems({ At: clock() + dayMs })).toMatchObject([{ Path: 'body.At' }])
  expect(await outcomeOf(refused({ LineID: lineOf(1, 'B-T1') }))).toBe('line not exists')
  const { ReadingID } = await manager.call(insertHandReading, { body: reading() })
  expect(await outcomeOf(refused({}))).toBe('hand reading exists')
  await undo(ReadingID)
})

test('readers see the list, guests nobody’s name, and neither writes', async () => {
  const { items } = await reader.call(listHandReadings, { query: { HouseID: houseId } })
  expect(items.length).toBeGreaterThan(0)
  const seen = await guest.call(listHandReadings, { query: { HouseID: houseId } })
  expect(seen.items.every(({ TypedBy, UndoneBy }) => TypedBy === null && UndoneBy === null)).toBe(true)
  expect(await outcomeOf(reader.call(insertHandReading, { body: reading() }))).toBe('access denied')
  expect(await outcomeOf(guest.call(insertHandReading, { body: reading() }))).toBe('access denied')
  const body = { HouseID: houseId, ReadingID: 999_999, Version: 1, Reason: 'x' }
  expect(await outcomeOf(manager.call(undoHandReading, { body }))).toBe('hand reading not exists')
})

test('what runs since the last quarter is told of lines that reported lately, and is null of others', async () => {
  const now = clock()
  const client = await stack.server.database.connect()
  try {
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select $1, at, at, 0, 1, 5000 + extract(epoch from at - ($2::timestamptz - interval '2 hours')) / 3600
       from generate_series($2::timestamptz - interval '2 hours', $2::timestamptz, '1 min') as at`,
      [lineOf(3), new Date(now)],
    )
    await client.query(
      `insert into energy_due (line_id, starts, ends) values ($1, $2::timestamptz - interval '2 hours', date_bin('15 min', $2::timestamptz, 'epoch'))`,
      [lineOf(3), new Date(now)],
    )
  } finally {
    await client.end()
  }
  await made()
  const running = await reader.call(getRunning, { query: { LineID: lineOf(3) } })
  const { Since, Until, Wh } = running
  expect([running.Lines, running.Of]).toEqual([1, 1])
  // A kWh an hour from the last quarter to the last reading, to the rounding of both registers.
  expect(Math.abs((Wh ?? 0) - ((Until ?? 0) - (Since ?? 0)) / 3_600)).toBeLessThanOrEqual(1)
  const house = await reader.call(getRunning, { query: { HouseID: houseId } })
  expect([house.Wh, house.Lines, house.Of]).toEqual([Wh, 1, 3])
  expect(await reader.call(getRunning, { query: { LineID: lineOf(1) } })).toMatchObject({ Wh: null, Lines: 0, Of: 1 })
  expect(await outcomeOf(reader.call(getRunning, { query: { LineID: lineOf(1, 'B-T1') } }))).toBe('device not exists')
})
