import { getEnergy, history } from '@linewarden/contract'
import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

// Bars of energy in history and on the page of energy are of the same quarters.
let stack: Stack
let line = 0
/** Midnight in Shanghai, of 15 January 2025. */
const midnight = Date.UTC(2025, 0, 14, 16)

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  const { plant, database } = stack.server
  line = plant.lineAt('A-T1', 1)?.id ?? 0
  const client = await database.connect()
  try {
    // Three days of 1 kWh an hour behind a transformer of 60, silent for six hours from noon of the first on.
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select $2, at, at, 0, 1, extract(epoch from at - $1::timestamptz) / 3600
       from generate_series($1::timestamptz, $1::timestamptz + interval '72 hours', '5 min') as at
       where at <= $1::timestamptz + interval '12 hours' or at >= $1::timestamptz + interval '18 hours'`,
      [new Date(midnight), line],
    )
    await client.query(
      `insert into meter_span (line_id, starts, serial, multiplier, accuracy_pct, reason, typed_name, typed_at)
       values ($1, '-infinity', '', 60, 1, '', '', now())`,
      [line],
    )
    await client.query(`insert into energy_due (line_id, starts, ends) values ($1, $2, $2::timestamptz + interval '72 hours')`, [
      line,
      new Date(midnight),
    ])
    await makeDueQuarters(client, Date.now())
  } finally {
    await client.end()
  }
})
afterAll(() => stack?.close())

async function barsOf(from: number, to: number, width: number) {
  const { Series } = await stack.client.call(history, {
    body: { Points: [{ LineID: line, Point: 'energy' }], From: from, To: to, Width: width },
  })
  return { ...Series[0], bars: Series[0]?.At.map((at, index) => [at, Series[0]?.Value[index]]) }
}

test.each(['hour', 'day'] as const)('by the %s', async (Unit) => {
  const days = Unit === 'hour' ? 3 : 310
  const { bars, Level, BucketMs } = await barsOf(midnight, midnight + days * dayMs, Unit === 'hour' ? 400 : 1_000)
  expect([Level, BucketMs]).toEqual([Unit, Unit === 'hour' ? hourMs : dayMs])
  const query = { LineID: line, Unit, From: '2025-01-15', To: '2025-01-18' } as const
  const { Bars } = await stack.client.call(getEnergy, { query })
  expect(bars?.filter(([, value]) => value !== null)).toEqual(Bars.map(({ Start, Wh }) => [Start, (Wh ?? 0) / 1_000]))
  expect(Bars.every(({ Wh }) => Wh === (Unit === 'hour' ? 60_000 : 1_440_000))).toBe(true)
})

test('shorter bars are multiplied too', async () => {
  const { bars, Level, BucketMs = 0 } = await barsOf(midnight + hourMs, midnight + 3 * hourMs, 1_000)
  expect(Level).toBe('raw')
  const sum = bars?.reduce((total, [, value]) => total + (value ?? 0), 0)
  expect(BucketMs).toBeLessThan(10 * minuteMs)
  expect(sum).toBeCloseTo(120, 3)
})
