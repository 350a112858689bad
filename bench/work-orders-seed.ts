import { dayMs, hourMs } from '@linewarden/equipment'
import type { Server } from '@linewarden/server/compose'

/** Most are over, as after years of work; the rest waits for somebody. */
const share = { undispatched: 0.15, dispatched: 0.1, processed: 0.02, closed: 0.1 } as const

/**
 * Orders all over the organisation, each of a gateway of its project and a person of its owner; those that are over of the last three years, the
 * others of the last days, a fifth of them late.
 */
export async function seedOrders(server: Server, orders: number): Promise<void> {
  const client = await server.database.connect()
  const run = (sql: string) => client.query(sql)
  const until = { undispatched: share.undispatched, dispatched: share.undispatched + share.dispatched }
  const bounds = {
    ...until,
    processed: until.dispatched + share.processed,
    closed: until.dispatched + share.processed + share.closed,
  }
  try {
    await run('begin')
    await run(`update role set privileges = privileges || array['hazard', 'hazard.workorder']`)
    await run(`create temp table chosen on commit drop as
      select i, gateway_id, project_id, owner_id,
        case when at < ${bounds.undispatched} then 'undispatched' when at < ${bounds.dispatched} then 'dispatched'
          when at < ${bounds.processed} then 'processed' when at < ${bounds.closed} then 'closed' else 'accepted' end as status,
        (array['critical', 'high', 'medium', 'low'])[1 + i * 7 % 4] as priority
      from (select gateway_id, project_id, owner_id, row_number() over (order by gateway_id) - 1 as n, count(*) over () as all_of
          from gateway join project using (project_id) where secret_hash = '') as place
        join generate_series(1, ${orders}) as i on i % all_of = n, lateral (select (i * 7919 % 10000) / 10000.0 as at) as part`)
    await run(`create temp table person on commit drop as
      select account_id, nick_name, owner_id, row_number() over (partition by owner_id order by account_id) - 1 as n, count(*) over (partition by owner_id) as all_of
      from account where kind = 'sub'`)
    await run(`insert into work_order (number, project_id, gateway_id, type, status, title, description, priority, founder_id, founder_name, person_id,
        person_name, created_at, dealt_at, accepted_at, closed_at, valid_days, reminder_days, working_days_only, clock, overdue_at, close_reason,
        closed_from, verification)
      select to_char(at, 'YYYYMM') || '-' || lpad(i::text, 5, '0'), project_id, gateway_id, case when i % 3 = 0 then 'inspection' else 'repair' end, status,
        '漏电缓升 ' || i, '查明原因，处理后复测绝缘电阻 ' || i, priority, chosen.owner_id, '管理员', person.account_id, person.nick_name, at,
        case when status in ('processed', 'accepted') then at + interval '5 hours' end,
        case when status = 'accepted' then at + interval '2 days' end, case when status = 'closed' then at + interval '1 day' end, 7, 1, false,
        jsonb_build_object('respondFrom', ms, 'takenAt', ms + 600000, 'resolveFrom', ms, 'priorities', jsonb_build_array(jsonb_build_object('from', ms, 'priority', priority)),
          'interruptions', case when status in ('processed', 'accepted')
            then jsonb_build_array(jsonb_build_object('from', ms + ${5 * hourMs}, 'until', null, 'processed', true)) else '[]'::jsonb end),
        case when status = 'dispatched' then at + make_interval(hours => 24 + i % 96) end,
        case when status = 'closed' then 'cancelled' end, case when status = 'closed' then 'dispatched' end,
        case when status in ('processed', 'accepted') then '{"state":"none"}'::jsonb end
      from chosen join person on person.owner_id = chosen.owner_id and person.n = chosen.i % person.all_of,
        lateral (select case when status in ('accepted', 'closed') then now() - make_interval(secs => 8 * 86400 + i * 947 % 94000000)
          else now() - make_interval(secs => i * 131 % 200000) end as at) as made,
        lateral (select floor(extract(epoch from at) * 1000)::bigint as ms) as instant`)
    await run(`insert into work_order_step (order_id, at, act, to_status, actor)
      select order_id, created_at, 'insert', 'undispatched', founder_name from work_order`)
    await run(`insert into work_order_due (order_id, why, due_at)
      select order_id, 'reminder', now() + interval '1 day' + make_interval(secs => order_id) from work_order where status in ('dispatched', 'processed')`)
    await run('commit')
    await run('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** Nine o’clock in Shanghai, the last that has gone by. */
export const lastNine = (now: number): number => Math.floor((now - hourMs) / dayMs) * dayMs + hourMs
