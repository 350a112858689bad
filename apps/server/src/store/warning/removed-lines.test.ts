import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { purgeEvidence } from '../alarm/evidence.ts'
import { purgeDetails } from './voltage-hour.ts'

// Two gateways with a breaker each; the first is taken out.
const dayMs = 86_400_000
let plant: TestIngest
let client: pg.Client

beforeAll(async () => {
  plant = await TestIngest.start()
  for (const number of ['G1', 'G2']) await (await plant.edge(number)).birth()
  client = await plant.database.connect()
})
afterAll(async () => {
  await client?.end()
  await plant?.close()
})

const tables = ['line_day_due', 'line_hours', 'voltage_hour', 'line_look', 'line_live', 'evidence', 'line_day']
const linesOf = async (table: string) =>
  (await plant.rows<{ line: number }>(`select distinct line_id as line from ${table} order by 1`)).map(({ line }) => line)

test('of lines that were taken out notes and hours go, their evidence after a year and more, and their days stay', async () => {
  const day = Math.floor(plant.now / dayMs)
  const [out, stays] = [plant.line('G1').id, plant.line('G2').id]
  // The last of them is in no plant at all.
  const gone = 999_999
  for (const line of [out, stays, gone])
    await client.query(`
      insert into line_day_due (line_id, day) values (${line}, ${day});
      insert into line_hours (line_id, day, first_hour, counts, square_a2, max_a, terminal_c) values (${line}, ${day}, 0, 0, '', '', '');
      insert into voltage_hour (line_id, hour, ten) values (${line}, to_timestamp(${plant.now / 1_000}), '{}');
      insert into evidence (line_id, minute, states, whole_at) values (${line}, to_timestamp(0), '{}', to_timestamp(0));
      insert into line_day (line_id, day, hours, coverage, opened, i95_a, peak_a, excess_k, excess_error_k, unbalance_2_min, unbalance_4_min,
        voltage_known_min, voltage_outside_min, broken_a, wear, trip_ms, online_s, made_at)
        values (${line}, ${day}, 0, 0, false, '{}', '{}', '{}', '{}', 0, 0, 0, 0, '{}', 0, '{}', 0, now())`)
  for (const line of [out, stays])
    await client.query(`
      insert into line_look (line_id, day, at, learnt_from, learnt_of, outcomes, followed, followed_before)
        values (${line}, ${day}, now(), ${day}, '{}', '{}', '{}', '{}');
      insert into line_live (line_id, state, at) values (${line}, '{}', now())`)
  await client.query('update gateway set removed_at = $1 where gateway_id = $2', [
    new Date(plant.now),
    plant.line('G1').device.gateway.id,
  ])
  await purgeDetails(client, plant.now)
  await purgeEvidence(plant.database, plant.now + 399 * dayMs)
  expect(await Promise.all(tables.map(linesOf))).toEqual([
    ...[1, 2, 3, 4, 5].map(() => [stays]),
    [out, stays],
    [out, stays, gone],
  ])
  await purgeEvidence(plant.database, plant.now + 401 * dayMs)
  expect(await linesOf('evidence')).toEqual([stays])
})
