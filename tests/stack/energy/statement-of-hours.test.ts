import type { Client } from '@linewarden/client'
import { draftStatement, issueStatement } from '@linewarden/contract'
import { evenStrip, painted } from '@linewarden/rules/energy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { addSupply, plainTariff, storeSpring } from '../../kit/statement-house.ts'

// A month of which only hours were kept, as after an upgrade: each hour is known, and its four quarters are even parts of it.
let stack: Stack
let manager: Client
let house = 0
let lines: readonly number[] = []

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { accounts, plant } = stack.server
  house = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  lines = [2, 3].map((lineNo) => plant.lineAt('A-T1', lineNo)?.id ?? 0)
  await storeSpring(stack.server, lines)
  const client = await stack.server.database.connect()
  try {
    await client.query("update energy_quarter set how = decode(repeat('01', 96), 'hex')")
    await client.query(
      `insert into reading_hour (line_id, hour, count, min, mean, max, counter_used)
       select line_id, hour, 360000, array_fill(null::real, '{1}'), array_fill(null::real, '{1}'), array_fill(null::real, '{1}'), 1
       from unnest($1::int[]) as line_id, generate_series('2025-02-28T00:00:00Z'::timestamptz, '2025-04-01T12:00:00Z', interval '1 hour') as hour`,
      [lines],
    )
  } finally {
    await client.end()
  }
  const person = { userName: '13800000064', password: 'Hours-8231-march' }
  const privileges = ['system', 'system.report', 'system.project', 'energy', 'energy.energy']
  const roleId = await accounts.createRole({ number: 'm', name: 'm', privileges, buttons: [] })
  await accounts.createAccount({ ...person, kind: 'sub', roleId, projectIds: [house] })
  manager = await signedIn(stack.url, person)
})
afterAll(() => stack?.close())

/** A tariff whose other price begins and ends at these quarters of workdays. */
const withPeak = (from: number, to: number) => {
  const workday = painted(evenStrip(1), from, to, 0)
  const content = plainTariff('2025-01-01')
  return {
    ...content,
    Seasons: content.Seasons.map((season) => ({
      ...season,
      Days: { ...season.Days, workday, makeUpWorkday: workday },
    })),
  }
}
const draftWith = async (line: number, content: ReturnType<typeof withPeak>) => {
  const { SupplyID } = await addSupply(manager, house, lines.slice(line, line + 1), { Name: `进线 ${line}` }, content)
  return manager.call(draftStatement, { body: { HouseID: house, SupplyID, Month: '2025-03' } })
}

test('hours whose bands change on the hour are known, and a statement of them is issued', async () => {
  const draft = await draftWith(0, withPeak(32, 48))
  expect([draft.Problems, draft.Members.map(({ Across, Spread }) => [Across, Spread])]).toEqual([[], [[0, 31 * 96]]])
  const { SupplyID, Month, Total } = draft
  const issued = await manager.call(issueStatement, {
    body: { HouseID: house, SupplyID, Month: Month ?? '2025-03', Total: Total ?? '', Estimates: null },
  })
  expect(issued.Total).toBe(Total)
})

test('of an hour in which a band changes nobody knows how much was used before and after', async () => {
  const draft = await draftWith(1, withPeak(34, 46))
  // Two hours on each of 21 workdays of March 2025.
  expect(draft.Members.map(({ Across }) => Across)).toEqual([21 * 2 * 4])
  expect(draft.Problems.map(({ Kind, ByReason }) => [Kind, ByReason])).toEqual([['lineUnknown', true]])
})
