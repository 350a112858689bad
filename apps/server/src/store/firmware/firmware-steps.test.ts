import { about } from '@linewarden/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import type { Claim } from '../jobs/due-work.ts'
import { databaseClock } from '../jobs/due-work.ts'
import type { MadeCampaign, StoredUpgrade } from './firmware-campaign.ts'
import { campaignsOf, insertCampaign, isOpenUpgrade } from './firmware-campaign.ts'
import {
  mayInstallAgain,
  moveCampaign,
  saveInstall,
  saveOffer,
  saveUpgrades,
  steerCampaign,
  upgradingNow,
} from './firmware-steps.ts'

// A campaign of four gateways, carried by its maker; another server may have taken it over.
let house: TestDatabase
let made: MadeCampaign
let offered: StoredUpgrade
const at = Date.UTC(2026, 0, 15, 8)
const audit = (action: 'firmware.campaign' | 'firmware.pause' | 'firmware.stage') => ({
  ...{ at, actor: 'anna', address: '', tenant: null, action, subject: about('campaign', 1), outcome: 'done' as const },
})

beforeEach(async () => {
  house = await testDatabase()
  const client = await house.database.connect()
  await client.query(`
    insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city;
    insert into gateway (project_id, number, name, secret_hash) select project_id, 'G' || n, 'g', '' from project, generate_series(1, 4) n;
    insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '' from gateway where number = 'G1';
    insert into line (device_id, line_no, name) select device_id, 1, 'l' from device;
    insert into firmware_image (model, version, version_order, size, sha256, manifest, signature, key_name, state, received, uploaded_by, uploaded_at)
      values ('LW-G1', '2.0.0', '{2,0,0}', 10, '', '', '', 'works', 'ready', 10, 'anna', now())`)
  const { rows } = await client.query('select gateway_id, image_id from gateway, firmware_image order by number')
  await client.end()
  const answer = await insertCampaign(
    house.database,
    {
      imageId: rows[0].image_id,
      reason: '',
      ends: [2, 4],
      stage: 0,
      failureLimit: 0,
      forgiven: 0,
      startedBy: 'anna',
      startedAt: at,
    },
    rows.map(({ gateway_id }, position) => ({
      ...{ upgradeId: crypto.randomUUID(), gatewayId: gateway_id, position, former: '1.0.0', state: 'waiting' as const },
      ...{ got: 0, tries: 0, reason: null, since: at, reportedAt: null },
    })),
    audit('firmware.campaign'),
    { server: crypto.randomUUID(), clock: databaseClock },
  )
  if (typeof answer === 'string' || 'busy' in answer) throw new Error('it was not made')
  made = answer
  offered = { ...upgrade(0), state: 'offered' }
})
afterEach(() => house?.drop())

const upgrade = (position: number) => made.upgrades[position] ?? expect.fail('no such gateway')
const run = (text: string) => sql.raw<Record<string, unknown>>(text).execute(house.database.general)
const state = async () => (await run('select state from firmware_upgrade where position = 0')).rows[0]?.state
const pause = () =>
  steerCampaign(
    house.database,
    made.campaign.campaignId,
    (campaign) => ({ ...campaign, state: 'paused', pausedBy: 'person' }),
    audit('firmware.pause'),
  )
const install = () => saveInstall(house.database, made.claim, { ...offered, state: 'installing' }, at)
const lost = (): Claim => ({ ...made.claim, fence: made.claim.fence - 1 })

test('a step after which something is sent is stored while its campaign is carried here and runs', async () => {
  expect(await saveOffer(house.database, lost(), offered, 50)).toBe('carried elsewhere')
  expect(await state()).toBe('waiting')
  expect(await saveOffer(house.database, made.claim, offered, 50)).toBe('given')
  expect(await state()).toBe('offered')
  await pause()
  expect(await install()).toBe('not running')
  expect(await state()).toBe('offered')
})

test('a pause waits for a step that is being stored, and none comes after it', async () => {
  const writer = await house.database.connect()
  await writer.query("begin; select pg_advisory_xact_lock(hashtext('firmware offers'))")
  const step = saveOffer(house.database, made.claim, offered, 50)
  const waiting = async () =>
    (await run("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")).rows.length
  await expect.poll(waiting).toBe(1)
  const paused = pause()
  await expect.poll(waiting).toBe(2)
  await writer.query('commit')
  await writer.end()
  expect([await step, (await paused)?.state]).toEqual(['given', 'paused'])
})

test('no more gateways are offered at once than may be, but who is among them already goes on', async () => {
  await run("update firmware_upgrade set state = 'downloading' where position in (1, 2)")
  expect(await saveOffer(house.database, made.claim, offered, 2)).toBe('many at once')
  expect(await saveOffer(house.database, made.claim, offered, 3)).toBe('given')
  expect(await install()).toBe('given')
})

test('of servers that offer at once, none goes beyond what may be', async () => {
  const steps = made.upgrades.map((each) => saveOffer(house.database, made.claim, { ...each, state: 'offered' }, 2))
  expect((await Promise.all(steps)).toSorted()).toEqual(['given', 'given', 'many at once', 'many at once'])
})

const ofLine = 'line.line_id from gateway join device using (gateway_id) join line using (device_id)'
test.each([
  [
    'a tag hangs on its line',
    `insert into tag (tag_id, kind, holder, reason, placed_at, line_id) select gen_random_uuid(), 'lock', '', '', now(), ${ofLine}`,
  ],
  [
    'a tag hangs on its device',
    "insert into tag (tag_id, kind, holder, reason, placed_at, device_id) select gen_random_uuid(), 'lock', '', '', now(), device_id from device",
  ],
  [
    'a tag hangs on it',
    "insert into tag (tag_id, kind, holder, reason, placed_at, gateway_id) select gen_random_uuid(), 'lock', '', '', now(), gateway_id from device",
  ],
  ['somebody stands before its line', `update line set inspection_until = timestamptz '2026-01-15 08:00:00.001Z'`],
  [
    'a command is under way',
    `insert into command (command_id, action, state, actor, source, reason, fence, issued_at, deadline, line_id)
      select gen_random_uuid(), 'trip', 'sent', '', 'console', '', 1, now(), now(), ${ofLine}`,
  ],
  [
    'an order to set something is under way',
    `insert into setting_change (command_id, batch_id, wanted, former, state, actor, source, reason, fence, issued_at, deadline, gateway_id)
      select gen_random_uuid(), gen_random_uuid(), '{}', '{}', 'sent', '', 'console', '', 1, now(), now(), gateway_id from device`,
  ],
])('a gateway is not let install while %s, whichever server was told so', async (_, something) => {
  await run(something)
  expect([await install(), await state()]).toEqual(['blocked', 'waiting'])
  await run(`update tag set removed_at = now(); update line set inspection_until = timestamptz '2026-01-15 08:00Z';
    update command set state = 'verified'; update setting_change set state = 'verified'`)
  expect([await install(), await state()]).toEqual(['given', 'installing'])
})

test.each([
  [
    'a tag that is being hung',
    `insert into command_fence (line_id, fence) select line_id, 0 from line;
      insert into tag (tag_id, kind, holder, reason, placed_at, line_id) select gen_random_uuid(), 'lock', '', '', now(), ${ofLine}`,
  ],
  [
    'an order to set it that is being authorised',
    `insert into gateway_fence (gateway_id, fence) select gateway_id, 1 from device;
      insert into setting_change (command_id, batch_id, wanted, former, state, actor, source, reason, fence, issued_at, deadline, gateway_id)
      select gen_random_uuid(), gen_random_uuid(), '{}', '{}', 'authorised', '', 'console', '', 1, now(), now(), gateway_id from device`,
  ],
])('%s is waited for before a gateway is let install', async (_, something) => {
  const writer = await house.database.connect()
  await writer.query(`begin; ${something}`)
  const step = install()
  const again = mayInstallAgain(house.database, made.claim, offered.gatewayId, at)
  await expect
    .poll(
      async () =>
        (await run("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")).rows.length,
    )
    .toBe(2)
  await writer.query('commit')
  await writer.end()
  expect([await step, await again, await state()]).toEqual(['blocked', 'blocked', 'waiting'])
})

test('whose campaign another server carries is not told once more', async () => {
  expect(await mayInstallAgain(house.database, lost(), offered.gatewayId, at)).toBe('carried elsewhere')
  expect(await mayInstallAgain(house.database, made.claim, offered.gatewayId, at)).toBe('given')
})

test('what stands against another gateway keeps this one from nothing', async () => {
  await run(
    "insert into tag (tag_id, kind, holder, reason, placed_at, gateway_id) select gen_random_uuid(), 'lock', '', '', now(), gateway_id from gateway where number <> 'G1'",
  )
  expect(await install()).toBe('given')
})

test.each(['line', 'device', 'gateway'])('a gateway that is ready takes no room while a tag hangs on its %s', async (on) => {
  await run(
    "update firmware_upgrade set state = 'ready' where position = 0; update firmware_upgrade set state = 'offered' where position = 1",
  )
  expect(await upgradingNow(house.database)).toBe(2)
  await run(`insert into tag (tag_id, ${on}_id, kind, holder, reason, placed_at)
    select gen_random_uuid(), ${on}.${on}_id, 'lock', 'anna', '', now() from gateway join device using (gateway_id) join line using (device_id)`)
  expect(await upgradingNow(house.database)).toBe(1)
  await run('update tag set removed_at = now()')
  expect(await upgradingNow(house.database)).toBe(2)
})

test('whoever has lost a campaign writes nothing of its gateways, its stage and the log', async () => {
  const next = { ...made.campaign, stage: 1 }
  expect(await saveUpgrades(house.database, lost(), [offered], [audit('firmware.stage')])).toBe(false)
  expect(await moveCampaign(house.database, lost(), made.campaign, next, audit('firmware.stage'))).toBe(false)
  expect([await state(), await campaignsOf(house.database, [made.campaign.campaignId])]).toEqual(['waiting', [made.campaign]])
  expect((await run('select action from audit')).rows).toEqual([{ action: 'firmware.campaign' }])
})

test('what a campaign does by itself is not written over what a person did meanwhile', async () => {
  await pause()
  const ended = { ...made.campaign, state: 'done' as const, endedAt: at }
  expect(await moveCampaign(house.database, made.claim, made.campaign, ended, audit('firmware.stage'))).toBe(false)
  expect(await campaignsOf(house.database, [made.campaign.campaignId])).toMatchObject([{ state: 'paused', endedAt: null }])
})

test('whoever steers knows how many gateways went wrong', async () => {
  await run(
    "update firmware_upgrade set state = 'failed' where position = 0; update firmware_upgrade set state = 'unknown' where position = 1",
  )
  const decide = (campaign: typeof made.campaign, failures: number) => ({ ...campaign, forgiven: failures })
  expect(await steerCampaign(house.database, made.campaign.campaignId, decide, audit('firmware.pause'))).toMatchObject({
    forgiven: 2,
  })
})

test('what changes nothing, or is refused, is not in the log', async () => {
  for (const same of [(campaign: typeof made.campaign) => campaign, () => null])
    await steerCampaign(house.database, made.campaign.campaignId, same, audit('firmware.pause'))
  expect((await run('select action from audit')).rows).toEqual([{ action: 'firmware.campaign' }])
})

test('an upgrade is open to its own gateway, until it is over', async () => {
  const { upgradeId, gatewayId } = upgrade(0)
  const open = () => isOpenUpgrade(house.database, upgradeId, gatewayId)
  expect([await open(), await isOpenUpgrade(house.database, upgradeId, upgrade(1).gatewayId)]).toEqual([true, false])
  await run("update firmware_upgrade set state = 'unknown'")
  expect(await open()).toBe(true)
  await run("update firmware_upgrade set state = 'success'")
  expect(await open()).toBe(false)
})
