import type { Client } from '@linewarden/client'
import { getBalance, getEnergy, setFeed } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

// What feeds a line may be set from a past date on: energy moves from that date on only.
let stack: Stack
let client: Client
let houseId = 0
/** Midnight in Shanghai, of 15 January 2025. */
const midnight = Date.UTC(2025, 0, 14, 16)
const lineOf = (lineNo: number) => stack.server.plant.lineAt('A-T1', lineNo)?.id ?? 0
const at = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  client = stack.client
  houseId = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const db = await stack.server.database.connect()
  try {
    await db.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, pace * extract(epoch from at - $1::timestamptz) / 3600
       from unnest($2::int[], '{10,4,2}'::float8[]) as t (line_id, pace), generate_series($1::timestamptz, $1::timestamptz + interval '72 hours', '5 min') as at`,
      [new Date(midnight), [1, 2, 3].map(lineOf)],
    )
    await db.query(
      `insert into energy_due (line_id, starts, ends) select id, $2::timestamptz, $2::timestamptz + interval '72 hours' from unnest($1::int[]) as t (id)`,
      [[1, 2, 3].map(lineOf), new Date(midnight)],
    )
  } finally {
    await db.end()
  }
  await made()
})
afterAll(() => stack?.close())

/** What the server does by itself within minutes. */
async function made(): Promise<void> {
  const db = await stack.server.database.connect()
  try {
    await makeDueQuarters(db, Date.now())
    await makeDueProfiles(db, Date.now())
  } finally {
    await db.end()
  }
}

const dates = { From: '2025-01-15', To: '2025-01-18' }
const ofProject = async () => {
  const { Bars } = await client.call(getEnergy, { query: { HouseID: houseId, Unit: 'day', ...dates } })
  return Bars.map(({ Wh }) => (Wh ?? 0) / 24_000)
}
const daysFed = async (lineNo: number) =>
  (await client.call(getBalance, { query: { LineID: lineOf(lineNo), ...dates } })).Lines.map(({ Days }) => Days)
const set = (lineNo: number, by: number | null, was: number | null, Since?: string) =>
  client.call(setFeed, {
    params: at(lineNo),
    body: { FedBy: by === null ? null : at(by), Was: was === null ? null : at(was), ...(Since !== undefined && { Since }) },
  })

test('from a past date on a line is fed so, and no date before it moves', async () => {
  expect(await ofProject()).toEqual([16, 16, 16])
  await set(2, 1, null, '2025-01-16')
  await made()
  expect(await ofProject()).toEqual([16, 12, 12])
  expect(await daysFed(1)).toEqual([2])
  // Otherwise from the last date on; and what feeds it now may be said of an earlier date, too.
  await set(2, 3, 1, '2025-01-17')
  await made()
  expect(await ofProject()).toEqual([16, 12, 12])
  expect([await daysFed(1), await daysFed(3)]).toEqual([[1], [1]])
  await set(2, 3, 3, '2025-01-15')
  await made()
  expect([await daysFed(1), await daysFed(3)]).toEqual([[], [3]])
  await set(2, null, 3, '2025-01-17')
  await made()
  expect(await ofProject()).toEqual([12, 12, 16])
})

test('no line is fed by itself on any date since, though it would not be now', async () => {
  // Line 3 fed line 2 up to the 17th.
  expect(await outcomeOf(set(3, 2, null, '2025-01-16'))).toBe('feeds itself then')
  expect(await daysFed(2)).toEqual([])
  await set(3, 2, null, '2025-01-17')
  expect(await daysFed(2)).toEqual([1])
  expect(await outcomeOf(set(3, 1, 2, '2025-01-00'))).toBe('invalid parameter')
  expect(await outcomeOf(set(3, 1, 2, '2999-01-01'))).toBe('invalid parameter')
  const { after } = await stack.server.database.general
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'line.feed')
    .where('outcome', '=', 'done')
    .orderBy('audit_id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(after).toMatchObject({ since: '2025-01-17' })
})
