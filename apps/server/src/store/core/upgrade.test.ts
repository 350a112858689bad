import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { ownDatabase } from './test-database.ts'

/** A database as the first version left it, with an administrator who had projects, brought to this version. */
let empty: Awaited<ReturnType<typeof ownDatabase>>

async function run<Row>(settings: pg.ClientConfig, sql: string): Promise<Row[]> {
  const client = new pg.Client(settings)
  await client.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows as Row[])
    .finally(() => client.end())
}

const old = () => empty.settings

beforeAll(async () => {
  empty = await ownDatabase('template0')
  await run(old(), await readFile(new URL('../migrations/0001-spine.sql', import.meta.url), 'utf8'))
  await run(
    old(),
    `create table migration (name text primary key, applied_at timestamptz not null default now());
     insert into migration (name) values ('0001-spine.sql');
     insert into account (user_name, kind, password_hash) values ('admin', 'platform', 'x'), ('anna', 'project', 'x'), ('sub', 'sub', 'x');
     insert into role (number, name) values ('duty', 'duty');
     insert into city (name) values ('South');
     insert into project (city_id, name, time_zone) select city_id, project, 'UTC' from city, unnest(array['mine', 'hers']) project;
     insert into account_project select account_id, project_id from account, project
       where (user_name, project.name) in (('anna', 'hers'), ('sub', 'mine'));
     insert into gateway (project_id, number, name, secret_hash) select project_id, 'G-' || name, name, 'x' from project;
     insert into device (gateway_id, controller_id, name, family, model)
       select gateway_id, 'D', 'd', 'breaker3p', '' from gateway where number = 'G-mine';
     insert into line (device_id, line_no, name, trip_latched, trip_explained, trip_explained_at) select device_id, line.* from device,
       (values (1, 'found', null, 'wet cable', timestamptz '2026-01-15 09:00Z'), (2, 'waits', 'short', null, null), (3, 'never', null, null, null)) line;
     insert into event (kind, priority, key, label_zh, label_en, project_id, gateway_id, line_id, raised_at, stored_at)
       select 'alarm', 'critical', trip.key, '', '', project_id, gateway_id, line_id, trip.at, trip.at
       from line join device using (device_id) join gateway using (gateway_id),
         (values ('trip.leakage', timestamptz '2026-01-15 08:00Z'), ('trip.short', timestamptz '2026-01-15 08:30Z'),
           ('trip.overload', timestamptz '2026-01-15 08:40Z'), ('trip.leakage', timestamptz '2026-01-15 09:30Z')) trip (key, at)
       where line.name <> 'never';
     insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at, returned_at)
       select 'alarm', 'high', chatter.key, chatter.name, '', chatter.state, project_id, gateway_id, line_id, now(), now(),
         case when chatter.state in ('returned', 'normal') then now() end
       from line join device using (device_id) join gateway using (gateway_id),
         (values ('a', '1', 'returned'), ('a', '2', 'returned'), ('a', '3', 'active'), ('b', '4', 'returned'), ('b', '5', 'returned'),
           ('c', '6', 'returned'), ('c', '7', 'acknowledged'), ('d', '8', 'normal'), ('d', '9', 'active')) chatter (key, name, state)
       where line.name = 'never';
     insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, ended_at)
       select gen_random_uuid(), line_id, 'close', 'verified', 'anna', given.source, given.reason, given.fence, now(), now(), now()
       from line, (values (1, 'reclosure', '自动重合闸第 2 次 / auto-reclose, attempt 2'), (2, 'console', 'pump / fan')) given (fence, source, reason)
       where line.name = 'never';
     insert into audit (audit_id, at, actor, address, action, target, outcome, previous_hash, hash)
       values (1, now(), 'admin', '', 'login', 'admin', 'done', '', '')`,
  )
  await (await openDatabase(old(), () => {})).close()
})
afterAll(() => empty?.drop())

test("what an administrator was given is the administrator's own, in a default group of their own", async () => {
  const rows = await run(
    old(),
    `select project.name, account.user_name as owner, city.name as folder, city.is_default from project
     join city using (city_id) left join account on account.account_id = project.owner_id order by 1`,
  )
  expect(rows).toEqual([
    { name: 'hers', owner: 'anna', folder: '默认分组', is_default: true },
    { name: 'mine', owner: null, folder: 'South', is_default: false },
  ])
})

test('everybody else sees what they saw, and the installation has a default group too', async () => {
  const seen = await run(
    old(),
    'select user_name, name from account_project join account using (account_id) join project using (project_id)',
  )
  expect(seen).toEqual([{ user_name: 'sub', name: 'mine' }])
  const groups = await run(old(), 'select count(*)::int as count from city where is_default')
  expect(groups).toEqual([{ count: 2 }])
})

test('an explanation that stood on the line stands with the trip it explained, and a trip that waits for one waits on', async () => {
  const trips = await run(
    old(),
    `select line.name, cause, at, explained, explained_at, trip_no = trip_latches and trip_latched is not null as waits
     from trip join line using (line_id) order by 1`,
  )
  const at = (time: string) => new Date(`2026-01-15T${time}:00Z`)
  expect(trips).toEqual([
    { name: 'found', cause: 'short', at: at('08:30'), explained: 'wet cable', explained_at: at('09:00'), waits: false },
    { name: 'waits', cause: 'short', at: at('08:30'), explained: null, explained_at: null, waits: true },
  ])
})

test('of several rows of one alarm the present one goes on, and the others say into which they went', async () => {
  const rows = await run(
    old(),
    `select e.key, e.label_zh as name, e.state, e.raises, kept.label_zh as into from event e
     left join event_transition t on t.event_id = e.event_id left join event kept on kept.event_id = t.merged_into
     where e.key in ('a', 'b', 'c', 'd') order by 2`,
  )
  const over = (key: string, name: string, into: string | null) => ({ key, name, state: 'normal', raises: 1, into })
  const kept = (key: string, name: string, state: string, raises: number) => ({ key, name, state, raises, into: null })
  expect(rows).toEqual([
    over('a', '1', '3'),
    over('a', '2', '3'),
    kept('a', '3', 'active', 3),
    over('b', '4', '5'),
    kept('b', '5', 'returned', 2),
    over('c', '6', '7'),
    kept('c', '7', 'acknowledged', 2),
    over('d', '8', null),
    kept('d', '9', 'active', 1),
  ])
})

test('a reason of the server stands in both languages by itself, and the words of a person as they were', async () => {
  const reasons = await run(old(), 'select reason, reason_en from command order by fence')
  expect(reasons).toEqual([
    { reason: '自动重合闸第 2 次', reason_en: 'auto-reclose, attempt 2' },
    { reason: 'pump / fan', reason_en: null },
  ])
})

test('brought up once, it is left alone', async () => {
  const lines: string[] = []
  await (await openDatabase(old(), (line) => lines.push(line))).close()
  expect(lines).toEqual([])
})
