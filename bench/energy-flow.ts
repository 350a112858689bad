import { dayMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import type pg from 'pg'
import type { Actor } from '../apps/server/src/access/actor.ts'
import { createBalances } from '../apps/server/src/areas/energy/balance.ts'
import { createFlows } from '../apps/server/src/areas/energy/flow.ts'
import { percentile } from './calibrate.ts'

/** Flow and balance of a project of 200 lines: of the days up to now, of which no month is stored, and of a month. */
export async function flowsAsked(deps: Parameters<typeof createFlows>[0], actor: Actor, HouseID: number, rounds: number) {
  const [flows, balances] = [createFlows(deps), createBalances(deps)]
  const took = { flow: [] as number[], balance: [] as number[] }
  const day = Math.floor(deps.clock() / dayMs)
  for (let round = 0; round < rounds; round++) {
    const query = { HouseID, From: dateText(day - 30 + (round % 5)), To: dateText(day + 1) }
    const began = performance.now()
    await flows.read(actor, query)
    const between = performance.now()
    await balances.read(actor, { ...query, Compare: 'previous' })
    took.flow.push(between - began)
    took.balance.push(performance.now() - between)
  }
  const of = (name: keyof typeof took, share: number) => Math.round(percentile(took[name], share))
  return {
    ...{ flowP50Ms: of('flow', 0.5), flowP95Ms: of('flow', 0.95) },
    ...{ balanceP50Ms: of('balance', 0.5), balanceP95Ms: of('balance', 0.95) },
  }
}

/** A project of ten gateways; the first line of each feeds the nineteen others. */
export async function fedProjectOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ project_id: number }>(
    `with p as (insert into project (city_id, name, time_zone, standard) select min(city_id), 'fed', 'Asia/Shanghai', 'GB' from city returning project_id),
       g as (insert into gateway (project_id, number, name, secret_hash, reporting_period_ms)
         select project_id, 'F' || n, 'F' || n, 'x', 60000 from p, generate_series(1, 10) n returning gateway_id, number),
       d as (insert into device (gateway_id, controller_id, name, family, model)
         select gateway_id, 'DF' || number, '', 'breaker3p', '3PN' from g returning device_id),
       l as (insert into line (device_id, line_no, name, rated_current_a) select device_id, n, 'line ' || n, 63 from d, generate_series(1, 20) n)
     select project_id from p`,
  )
  return rows[0]?.project_id ?? 0
}

/** Seventy days of its lines, and what feeds them. */
export async function seedFed(client: pg.Client, projectId: number, now: number): Promise<void> {
  const own = 'line join device using (device_id) join gateway using (gateway_id)'
  await client.query(
    `insert into energy_quarter (line_id, day, wh, how)
     select line_id, day::date, array_fill(case line_no when 1 then 15000 else 750 end, array[96]), decode(repeat('00', 96), 'hex')
     from ${own}, generate_series($2::date - 70, $2::date - 1, interval '1 day') as day where project_id = $1 on conflict do nothing`,
    [projectId, dateText(Math.floor(now / dayMs))],
  )
  await client.query(
    `insert into feed_span (line_id, fed_by, starts)
     select line_id, min(line_id) over (partition by device_id), '-infinity' from ${own} where project_id = $1`,
    [projectId],
  )
  await client.query('delete from feed_span where line_id = fed_by')
}
