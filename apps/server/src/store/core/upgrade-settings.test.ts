import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changesById } from '../settings/setting-change.ts'
import { stepsOfChange } from '../settings/setting-step.ts'
import { openDatabase } from './database.ts'
import { ownDatabase } from './test-database.ts'

// A database in which a detector's set points still were a command of their own, brought to this version.
let empty: Awaited<ReturnType<typeof ownDatabase>>
const old = () => empty.settings
const migrations = new URL('../migrations/', import.meta.url)
const set = '0d9c1f0e-6a57-4c9b-9a53-0c2f5b6b7a11'
const trip = '0d9c1f0e-6a57-4c9b-9a53-0c2f5b6b7a12'

async function run<Row>(settings: pg.ClientConfig, sql: string): Promise<Row[]> {
  const client = new pg.Client(settings)
  await client.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows as Row[])
    .finally(() => client.end())
}

beforeAll(async () => {
  empty = await ownDatabase('template0')
  await run(old(), 'create table migration (name text primary key, applied_at timestamptz not null default now())')
  for (const file of (await readdir(migrations)).sort().filter((each) => each < '0008')) {
    await run(old(), await readFile(new URL(file, migrations), 'utf8'))
    await run(old(), `insert into migration (name) values ('${file}')`)
  }
  await run(
    old(),
    `insert into city (name) values ('South');
     insert into project (city_id, name, time_zone) select city_id, 'p', 'UTC' from city where name = 'South';
     insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'G', 'x' from project;
     insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'D', 'detectorRs', 'TCQ-RS' from gateway;
     insert into line (device_id, line_no, name) select device_id, 0, 'D' from device;
     insert into command (command_id, line_id, action, settings, state, outcome, actor, source, reason, fence, issued_at, deadline, sent_at, verified_at, ended_at)
       select '${set}'::uuid, line_id, 'set', '{"residual.alarm": 400}'::jsonb, 'verified', null, 'zhang', 'console', 'why', 3, now(), now(), now(), now(), now() from line
       union all
       select '${trip}'::uuid, line_id, 'trip', null, 'verified', null, 'zhang', 'console', 'why', 4, now(), now(), now(), now(), now() from line;
     insert into command_step values ('${set}', 1, 'authorised', now(), '{"fence": 3}'), ('${set}', 2, 'verified', now(), '{"kind": "report"}');`,
  )
})
afterAll(() => empty?.drop())

test('it is in the settings history then, with its steps, and the commands stay', async () => {
  const database = await openDatabase(old(), () => {})
  try {
    expect(await changesById(database, [set])).toMatchObject([
      {
        wanted: { 'residual.alarm': 400 },
        former: { 'residual.alarm': null },
        state: 'verified',
        actor: 'zhang',
        reason: 'why',
        fence: 3,
      },
    ])
    expect((await stepsOfChange(database, set)).map(({ state, evidence }) => [state, evidence])).toEqual([
      ['authorised', { fence: 3 }],
      ['verified', { kind: 'report' }],
    ])
    expect(await run(old(), 'select command_id from command')).toEqual([{ command_id: trip }])
  } finally {
    await database.close()
  }
})
