import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../core/database.ts'
import { ownDatabase } from '../core/test-database.ts'
import { claimLapsed, databaseClock, lapsedWorks } from '../jobs/due-work.ts'

// A database from before roll-outs were works, brought to this version.
const migrations = new URL('../migrations/', import.meta.url)

test('campaigns that were open when the server was upgraded are free, and the first look goes on with them', async () => {
  const { settings, drop } = await ownDatabase('template0')
  const old = new pg.Client(settings)
  await old.connect()
  await old.query('create table migration (name text primary key, applied_at timestamptz not null default now())')
  for (const file of (await readdir(migrations)).sort().filter((each) => each < '0084')) {
    await old.query(await readFile(new URL(file, migrations), 'utf8'))
    await old.query('insert into migration (name) values ($1)', [file])
  }
  await old.query(`
    insert into city (name) select 'South' where not exists (select from city);
    insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city;
    insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', '' from project;
    insert into firmware_image (model, version, version_order, size, sha256, manifest, signature, key_name, state, uploaded_by, uploaded_at)
      values ('LW-G1', '2.0.0', '{2,0,0}', 10, '', '', '', 'works', 'ready', 'anna', now());
    insert into firmware_campaign (image_id, reason, state, ends, failure_limit, started_by, started_at, ended_at)
      select image_id, c.reason, c.state, '{1}', 0, 'anna', now() - interval '2 hours', c.ended_at from firmware_image,
        (values ('goes on', 'running', null), ('is paused', 'paused', null), ('is over', 'done', now()), ('one is unknown', 'done', now()))
        c (reason, state, ended_at);
    insert into firmware_upgrade (upgrade_id, campaign_id, gateway_id, position, state, since)
      select gen_random_uuid(), campaign_id, gateway_id, 0, case reason when 'is over' then 'success' else 'unknown' end, now()
      from firmware_campaign, gateway where state = 'done'`)
  await old.end()
  const database = await openDatabase(settings, () => {})
  try {
    const works = await lapsedWorks(database.control, ['firmwareRollout'], databaseClock)
    expect(works.map(({ isFree }) => isFree)).toEqual([true, true, true])
    const ids = works.map(({ workId }) => workId)
    const claims = await claimLapsed(database.control, ids, { server: crypto.randomUUID(), clock: databaseClock })
    const campaigns = await database.general.selectFrom('firmware_campaign').select(['campaign_id', 'reason']).execute()
    const reasons = claims.map(({ key }) => campaigns.find(({ campaign_id }) => String(campaign_id) === key)?.reason)
    expect(reasons.toSorted()).toEqual(['goes on', 'is paused', 'one is unknown'])
  } finally {
    await database.close()
    await drop()
  }
})
