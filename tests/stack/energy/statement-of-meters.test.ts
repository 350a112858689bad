import type { Client } from '@linewarden/client'
import { draftStatement, insertMeter, updateMeter } from '@linewarden/contract'
import { hourMs, minuteMs } from '@linewarden/equipment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { addSupply } from '../../kit/statement-house.ts'

// A month with a transformer and a replaced meter: (closing - opening) x multiplier of all of them is the energy, to the Wh.
let stack: Stack
let manager: Client
let house = 0
let line = 0
const march = Date.UTC(2025, 1, 28, 16)
const replacedAt = march + 10 * 24 * hourMs + 7 * minuteMs

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  house = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  line = plant.lineAt('A-T1', 2)?.id ?? 0
  const client = await database.connect()
  try {
    // 0.37 kWh an hour before the transformer of 60; the new meter begins at nought. Read off every ten minutes, past every full one.
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select $1, at, at, 0, 1, case when at < $3 then 1234.5678 else 0 end
         + 0.37 * extract(epoch from at - case when at < $3 then $2 else $3::timestamptz end) / 3600
       from generate_series($2::timestamptz - interval '1 hour 57 minutes', $2::timestamptz + interval '31 days 2 hours', '10 min') as at`,
      [line, new Date(march), new Date(replacedAt)],
    )
    await client.query('insert into energy_due (line_id, starts, ends) values ($1, $2, $3)', [
      line,
      new Date(march - hourMs),
      new Date(march + 31 * 24 * hourMs + hourMs),
    ])
    await makeDueQuarters(client, Date.now())
  } finally {
    await client.end()
  }
  const person = { userName: '13800000065', password: 'Meters-8231-march' }
  const privileges = ['system', 'system.report', 'system.project', 'energy', 'energy.energy']
  const roleId = await accounts.createRole({ number: 'm', name: 'm', privileges, buttons: [] })
  await accounts.createAccount({ ...person, kind: 'sub', roleId, projectIds: [house] })
  manager = await signedIn(stack.url, person)
})
afterAll(() => stack?.close())

test('each meter is printed with its registers and multiplier, and together they are the energy to the Wh', async () => {
  const fields = { AccuracyPercent: 0.5, RegisterMaxKwh: null, Reason: '到期轮换' }
  const first = await manager.call(updateMeter, {
    body: {
      ...{ HouseID: house, LineID: line, Version: 0, MeterID: null, From: null, Serial: 'A', Multiplier: 60 },
      ...{ ...fields, StartRegisterKwh: null, EndRegisterKwh: null },
    },
  })
  await manager.call(insertMeter, {
    body: {
      ...{ HouseID: house, LineID: line, Version: first.Version, From: replacedAt, Serial: 'B', Multiplier: 80, ...fields },
      ...{ StartRegisterKwh: 0, FormerEndKwh: 1234.5678 + (0.37 * (replacedAt - march)) / hourMs },
    },
  })
  const client = await stack.server.database.connect()
  await makeDueQuarters(client, Date.now()).finally(() => client.end())
  const { SupplyID } = await addSupply(manager, house, [line])
  const { Members, Problems } = await manager.call(draftStatement, { body: { HouseID: house, SupplyID, Month: '2025-03' } })
  expect(Problems).toEqual([])
  const [member] = Members
  expect(member?.Agrees).toBe(true)
  expect(member?.Meters.map(({ Serial, Multiplier, From, To }) => [Serial, Multiplier, From, To])).toEqual([
    ['A', 60, null, replacedAt],
    ['B', 80, replacedAt, null],
  ])
  const risen = (member?.Meters ?? []).map(({ Opening, Closing, Multiplier }) =>
    Math.round((Number(Closing) - Number(Opening)) * Multiplier * 1_000),
  )
  expect(risen).toEqual(member?.Meters.map(({ Wh }) => Wh))
  expect(risen.reduce((sum, wh) => sum + wh, 0)).toBe(member?.Wh)
  // 0.37 kWh an hour: 240 hours and seven minutes sixty times, the rest eighty times.
  const hours = (replacedAt - march) / hourMs
  expect(Math.abs((member?.Wh ?? 0) - 370 * (60 * hours + 80 * (31 * 24 - hours)))).toBeLessThan(2)
})
