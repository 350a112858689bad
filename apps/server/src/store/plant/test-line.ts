import type { Database } from '../core/database.ts'

/** A project with a gateway, a device and one line, as loaded by whoever serves it next. */
export async function insertTestLine(
  database: Database,
): Promise<{ readonly project_id: number; readonly gateway_id: number; readonly line_id: number }> {
  const client = await database.connect()
  const { rows } = await client
    .query<Awaited<ReturnType<typeof insertTestLine>>>(
      `with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
         g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', '' from p returning gateway_id, project_id),
         d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '3PN' from g
           returning device_id)
       insert into line (device_id, line_no, name, rated_current_a) select device_id, 1, 'l', 63 from d
       returning line_id, (select project_id from g), (select gateway_id from g)`,
    )
    .finally(() => client.end())
  const [row] = rows
  if (!row) throw new Error('the plan has a line')
  return row
}
