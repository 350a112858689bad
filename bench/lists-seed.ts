import type { Server } from '@linewarden/server/compose'

export const full = { owners: 20, projects: 1_000, gateways: 20_000, lines: 200_000, users: 2_000 } as const

export const password = 'Owner-7391'
export const ownerName = (i: number): string => `139${String(i).padStart(8, '0')}`
export const subName = (i: number): string => `sub${String(i).padStart(8, '0')}`

/**
 * An organisation of the figures' size, written set by set: administrators with groups, roles and users, their projects, gateways and lines,
 * and what lists page through (events, log, commands, groups, settings). Everybody has the first administrator's password.
 */
export async function seedOrganisation(server: Server, size: Readonly<Record<keyof typeof full, number>>): Promise<void> {
  await server.accounts.createAccount({ userName: ownerName(0), password, kind: 'project' })
  const client = await server.database.connect()
  const run = (sql: string) => client.query(sql)
  try {
    await run('begin')
    await run('set local synchronous_commit = off')
    await run(`insert into account (user_name, nick_name, kind, password_hash)
      select '139' || lpad(i::text, 8, '0'), '管理员 ' || i, 'project', password_hash
      from generate_series(1, ${size.owners - 1}) as i, account where user_name = '${ownerName(0)}'`)
    await run(`insert into city (name, is_default, owner_id) select '默认分组', true, account_id from account
      where kind = 'project' and not exists (select from city where owner_id = account_id and is_default)`)
    await run(
      `insert into city (name, owner_id) select '分组 ' || i, account_id from account, generate_series(1, 9) as i where kind = 'project'`,
    )
    await run(`create temp table owner on commit drop as
      select account_id, row_number() over (order by user_name) - 1 as n from account where kind = 'project'`)
    await run(`insert into role (number, name, owner_id, privileges, buttons)
      select 'R' || i, '角色 ' || i, account_id, array['devmon', 'devmon.realtime', 'devmon.hisdata', 'devmon.ledger', 'devmon.params', 'system',
        'system.project', 'system.city', 'system.geteway', 'system.roles', 'system.users', 'system.log', 'system.devLists', 'system.report'],
        array['lineSwitch'] from owner, generate_series(1, 5) as i`)
    await run(`insert into project (city_id, name, time_zone, owner_id, number, person_in_charge, contact_phone, province, city, district)
      select (select city_id from city where city.owner_id = account_id order by city_id offset i / ${size.owners} % 10 limit 1), '项目 ' || i,
        'Asia/Shanghai', account_id, 'P' || i, '王工', '13800000000', '浙江省', '杭州市', '西湖区'
      from generate_series(0, ${size.projects - 1}) as i join owner on n = i % ${size.owners}`)
    await run(`insert into gateway (project_id, number, name, secret_hash, link, imei)
      select project_id, 'GW' || lpad(project_id::text, 5, '0') || '-' || i, '网关 ' || project_id || '-' || i, '', 'offline',
        '86' || lpad((project_id * 100 + i)::text, 13, '0')
      from project, generate_series(1, ${size.gateways / size.projects}) as i where owner_id is not null`)
    await run(`insert into device (gateway_id, controller_id, name, family, model)
      select gateway_id, 'C-' || number, '配电箱 ' || number, 'breaker3p', '3PN' from gateway where secret_hash = ''`)
    await run(`insert into line (device_id, line_no, name, rated_current_a)
      select device_id, i, '线路 ' || device_id || '-' || i, 63 from device, generate_series(1, ${size.lines / size.gateways}) as i`)
    await run(`insert into account (user_name, nick_name, kind, created_at, password_hash, owner_id, role_id)
      select 'sub' || lpad(i::text, 8, '0'), '用户 ' || i, case when i % 5 = 4 then 'shared' else 'sub' end, now() - interval '2 days', password_hash, owner.account_id,
        (select role_id from role where role.owner_id = owner.account_id order by role_id offset i % 5 limit 1)
      from generate_series(0, ${size.users - size.owners - 1}) as i join owner on n = i % ${size.owners}, account where user_name = '${ownerName(0)}'`)
    await run(`insert into account_project select account_id, project_id from account
      cross join lateral (select project_id from project where project.owner_id = account.owner_id order by project_id
        offset ('x' || left(md5(user_name), 4))::bit(16)::int % ${Math.max(1, size.projects / size.owners - 3)} limit 3) as chosen where kind in ('sub', 'shared')`)
    await run(`insert into event (kind, priority, key, label_zh, label_en, project_id, gateway_id, line_id, raised_at, stored_at, state)
      select 'alarm', 'high', 'leakage.alarm', '漏电报警', 'Leakage alarm', project_id, gateway_id, line_id, at, at, 'normal'
      from (select line_id, gateway_id, project_id, now() - make_interval(secs => line_id * 7) as at
        from line join device using (device_id) join gateway using (gateway_id)) as chosen`)
    await run(`insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, ended_at)
      select gen_random_uuid(), line_id, 'trip', 'verified', '${ownerName(0)}', 'console', '检修', 1, at, at, at
      from (select line_id, now() - make_interval(secs => line_id * 11) as at from line where line_no <= 5) as chosen`)
    // Group operations of ten lines each, five of each project; one in a hundred runs, as if another server carried it out.
    await run(`create temp table batch on commit drop as
      select gen_random_uuid() as run_id, project_id, owner_id, (project_id * 5 + i) % 100 = 0 as runs,
        now() - make_interval(secs => project_id * 977 + i * 86400) as at
      from project, generate_series(1, 5) as i where owner_id is not null`)
    await run(`insert into operation_run (run_id, action, account_id, actor, reason, stagger_ms, started_at, ended_at)
      select run_id, 'close', owner_id, '${ownerName(0)}', '恢复供电', 1000, at, case when not runs then at + interval '1 minute' end from batch`)
    await run(`insert into due_work (work_id, kind, key, due_at, holder, lease_until, fence)
      select run_id, 'groupOperation', run_id, at, gen_random_uuid(), now() + interval '1 day', 1 from batch where runs`)
    await run(`insert into operation_run_line (run_id, position, line_id, command_id, state)
      select run_id, position, line_id, gen_random_uuid(), case when runs then 'waiting' else 'ordered' end
      from batch cross join lateral (
        select line_id, row_number() over (order by line_id) as position from line join device using (device_id) join gateway using (gateway_id)
        where gateway.project_id = batch.project_id order by line_id limit 10) as chosen`)
    // Nine in ten entries stand in the first administrator's tenant; each names a gateway, a line or a person of its tenant.
    const each = { gateways: size.gateways / size.owners, users: Math.floor((size.users - size.owners) / size.owners) }
    await run(`create temp table place on commit drop as
      select n, gateway_id, gateway.number, row_number() over (partition by n order by gateway_id) - 1 as at from gateway join project using (project_id)
        join owner on owner.account_id = project.owner_id`)
    await run(`insert into audit (audit_id, at, actor, address, action, target, outcome, previous_hash, hash, tree, chain, claimed,
        subject_kind, subject_id, gateway_id)
      select (select max(audit_id) from audit) + i, now() - make_interval(secs => 100000 - i),
        case when i % 10 = 4 then person else '139' || lpad(n::text, 8, '0') end, '10.0.0.1',
        (array['gateway.rename', 'line.trip', 'gateway.enable', 'line.close', 'account.edit'])[1 + i % 5],
        (array[number, 'C-' || number || '/1', number, 'C-' || number || '/2', person])[1 + i % 5], 'done', '', '', account_id, 1, false,
        (array['gateway', 'line', 'gateway', 'line', 'account'])[1 + i % 5],
        (array[number, 'C-' || number || '/1', number, 'C-' || number || '/2', person])[1 + i % 5],
        case when i % 5 < 4 then gateway_id end
      from (select i, n, account_id, (hashint4(i) & 2147483647) % ${each.gateways} as at,
          'sub' || lpad((n + ${size.owners} * (i * 7 % ${each.users}))::text, 8, '0') as person
        from generate_series(1, 100000) as i join owner on n = case when i % 10 > 0 then 0 else i / 10 % ${size.owners} end) as entry
      join place using (n, at)`)
    await run(`insert into quarantine (received_at, gateway_number, topic, reason, detail, size, payload)
      select now(), 'GW' || i, 't', 'json', 'not JSON', 2, '\\x7b7b' from generate_series(1, 10000) as i`)
    await run('commit')
    await run('vacuum analyze')
  } finally {
    await client.end()
  }
}
