import { dayMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { testDatabase } from '../core/test-database.ts'
import { lineSources } from './source.ts'

const from = Date.UTC(2026, 10, 1)

test('the hottest terminal of a line is looked for where its family has its terminals', async () => {
  const { database, drop } = await testDatabase()
  const client = await database.connect()
  try {
    const { rows } = await client.query<{ line_id: number }>(
      `with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
         g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', '' from p returning gateway_id),
         d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '' from g
           returning device_id)
       insert into line (device_id, line_no, name) select device_id, n, 'l' from d, generate_series(1, 3) n returning line_id`,
    )
    const [four = 0, one = 0, none = 0] = rows.map(({ line_id }) => line_id).toSorted((a, b) => a - b)
    // In slot 11 it has 50, in 12 nothing that is a number, and in 14 90.
    await client.query(
      `insert into reading_day (line_id, day, count, known, min, mean, max, quality)
       select id, $2, 1, '{}', '{}', '{}', array_fill(null::real, array[11]) || array[50, 'NaN', null, 90]::real[], 0 from unnest($1::int[]) as id`,
      [[four, one, none], new Date(from)],
    )
    const sources = await lineSources(
      client,
      [
        { id: four, terminalSlots: [11, 12, 13, 14] },
        { id: one, terminalSlots: [11] },
        { id: none, terminalSlots: [] },
      ],
      { fromDay: from / dayMs, toDay: from / dayMs, begins: from, ends: from + dayMs },
      from + dayMs,
    )
    expect([four, one, none].map((id) => sources.get(id)?.hottestC)).toEqual([90, 50, null])
  } finally {
    await client.end()
    await drop()
  }
})
