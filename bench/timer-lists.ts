import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { logTimers, queryTimers, tree } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Server } from '@linewarden/server/compose'
import { signedIn } from '../tests/kit/stack.ts'
import { percentile } from './calibrate.ts'
import { field } from './field.ts'
import { full, ownerName, password, seedOrganisation, subName } from './lists-seed.ts'

/**
 * The list of 10,000 timers and the log of what they did, in every order and with every filter, as the platform administrator, a project
 * administrator and a sub-user ask: the 95th percentile of the slowest, in milliseconds.
 */
export async function timerLists(timers: number, rounds: number) {
  const share = 0.2
  const size = { ...full, projects: full.projects * share, gateways: full.gateways * share, lines: full.lines * share }
  const target = await field([], 18_480, {
    async seed(server) {
      await seedOrganisation(server, size)
      await seedTimers(server, timers)
    },
  })
  try {
    const people = {
      platform: await signedIn(target.url, target.admin),
      owner: await signedIn(target.url, { userName: ownerName(0), password }),
      sub: await signedIn(target.url, { userName: subName(0), password }),
    }
    const times: { readonly what: string; readonly median: number; readonly p95: number }[] = []
    for (const [who, client] of Object.entries(people))
      for (const { what, ask } of await questions(client)) {
        const took: number[] = []
        for (let i = -1; i < rounds; i++) {
          const began = performance.now()
          await ask()
          if (i >= 0) took.push(performance.now() - began)
        }
        process.stderr.write(`${what} (${who}): ${took.map(Math.round).join(' ')} ms\n`)
        times.push({
          what: `${what} (${who})`,
          median: Math.round(percentile(took, 0.5)),
          p95: Math.round(percentile(took, 0.95)),
        })
      }
    times.sort((one, other) => other.median - one.median)
    return {
      ...{ listTimers: timers, listP95Ms: Math.max(...times.map(({ p95 }) => p95)) },
      worstLists: times.slice(0, 8).map(({ what, median, p95 }) => `${what}: median ${median}, p95 ${p95}`),
    }
  } finally {
    await target.close()
  }
}

async function questions(client: Client): Promise<readonly { readonly what: string; readonly ask: () => Promise<unknown> }[]> {
  const { Groups } = await client.call(tree, { query: { Depth: 'projects' } })
  const HouseID = Groups.flatMap(({ Houses }) => Houses)[0]?.HouseID ?? 0
  const [timer] = (await client.call(queryTimers, { body: { HouseID, Size: 1 } })).items
  const line = timer?.Lines[0]
  const lists: readonly Request<typeof queryTimers>['body'][] = [
    ...([{}, { Sort: '-Next' }, { Sort: 'Name' }, { Sort: 'Last' }, { Page: 150 }] as const),
    ...[{ Missed: true }, { Orphan: true }, { Conflict: true }, { Text: '77' }, { HouseID }, { Enabled: false }],
    ...(line ? [{ ControllerID: line.ControllerID, LineNo: line.LineNo }] : []),
  ]
  const logs: readonly Request<typeof logTimers>['body'][] = [
    ...[{}, { AmissFirst: true }, { AmissFirst: true, From: Date.now() - 7 * dayMs }, { HouseID, AmissFirst: true }],
    ...[{ States: ['missed' as const] }, { Text: '77' }, { TimerID: timer?.TimerID ?? 1 }],
  ]
  return [
    ...lists.map((body) => ({
      what: `timers ${JSON.stringify(body)}`,
      ask: () => client.call(queryTimers, { body: { Size: 50, ...body } }),
    })),
    ...logs.map((body) => ({
      what: `log ${JSON.stringify(body)}`,
      ask: () => client.call(logTimers, { body: { Size: 50, ...body } }),
    })),
  ]
}

/** Timers of four lines each, with ten runs behind each, one in fifty missed; one in twenty in conflict. */
async function seedTimers(server: Server, timers: number): Promise<void> {
  const client = await server.database.connect()
  const run = (sql: string) => client.query(sql)
  try {
    await run('begin')
    await run(`update role set privileges = privileges || array['timer', 'timer.list', 'timer.log']`)
    await run(`insert into timer (project_id, name, function, schedule, keep_while_wanted, enabled, owner_id, owner_name, changed_at, changed_by)
      select project_id, '定时 ' || i, 'switch',
        '{"period":{"type":"weekly","days":127,"fromDate":null,"toDate":null},"points":[{"pointNo":1,"at":"08:00","action":"close"},{"pointNo":2,"at":"20:00","action":"trip"}],"exceptions":[]}',
        true, i % 10 > 0, project.owner_id, '管理员', now(), '管理员'
      from (select project_id, owner_id, row_number() over (order by project_id) - 1 as n, count(*) over () as all_of from project where owner_id is not null) as project
      join generate_series(1, ${timers}) as i on i % all_of = n`)
    await run(`insert into timer_line (timer_id, position, line_id)
      select timer_id, at, line_id from timer cross join lateral (
        select line_id, row_number() over (order by line_id) - 1 as at from line join device using (device_id) join gateway using (gateway_id)
        where gateway.project_id = timer.project_id order by line_id offset timer_id % 50 limit 4) as chosen`)
    await run(
      `insert into timer_conflict (timer_id, keys, checked_at) select timer_id, '{fight}', now() from timer where timer_id % 20 = 0`,
    )
    await run(`insert into timer_due (timer_id, version, time_zone, point_no, due_at, action)
      select timer_id, 1, 'Asia/Shanghai', 1, now() + interval '1 day' + make_interval(secs => timer_id), 'close' from timer where enabled`)
    await run(`insert into automation_run (run_id, source, source_id, project_id, name, point_no, due_at, claimed_at, ended_at, state, why, actor, trace)
      select gen_random_uuid(), 'timer', timer_id, project_id, name, 1, at, at + interval '50 ms', at + interval '2 s',
        case when (timer_id + day) % 50 = 0 then 'missed' else 'done' end, case when (timer_id + day) % 50 = 0 then 'serverDown' end, owner_name,
        '{"action":"close"}'
      from timer, generate_series(1, 10) as day, lateral (select now() - make_interval(days => day, secs => timer_id) as at) as due`)
    await run(`create temp table begun on commit drop as
      select gen_random_uuid() as operation_id, run_id, source_id, claimed_at, ended_at from automation_run where state = 'done'`)
    await run(`insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, begun_at, ended_at, automation_run_id)
      select operation_id, 'close', '管理员', '定时', 1000, claimed_at, claimed_at, ended_at, run_id from begun`)
    await run(`insert into operation_run_line (run_id, position, line_id, command_id, state)
      select operation_id, position, line_id, gen_random_uuid(), 'ordered' from begun join timer_line on timer_id = source_id`)
    await run('commit')
    await run('vacuum analyze')
  } finally {
    await client.end()
  }
}
