import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import type { UpgradeMessage } from '../../field/orders/upgrade-message.ts'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { createFirmware } from './service.ts'

// Servers on one database, each with its own picture of the plant. Of what one sends, gateways that are connected to it hear.
let house: TestDatabase
let now: number
let errors: unknown[]
let servers: { readonly firmware: { tick(): Promise<void>; close(): Promise<void> } }[]
/** What left for gateways, from whichever server. */
let sent: string[]
/** Where a gateway is connected; one that is connected to all is a session that a server has not seen end. */
let connections: Map<string, string>
/** Of each gateway, the upgrade that it was offered. */
let offered: Map<string, string>

beforeEach(async () => {
  house = await testDatabase()
  now = Date.UTC(2026, 0, 15, 8, 30)
  errors = []
  servers = []
  sent = []
  connections = new Map()
  offered = new Map()
  const client = await house.database.connect()
  await client.query(`
    insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city;
    insert into gateway (project_id, number, name, secret_hash, model, firmware)
      select project_id, 'G' || lpad(n::text, 2, '0'), 'g', '', 'LW-G1', '1.0.0' from project, generate_series(1, 80) n order by n;
    insert into firmware_image (model, version, version_order, size, sha256, manifest, signature, key_name, state, received, uploaded_by, uploaded_at)
      values ('LW-G1', '2.0.0', '{2,0,0}', 10, '', '', '', 'works', 'ready', 10, 'anna', now());
    insert into firmware_piece (image_id, starts_at, length, bytes) select image_id, 0, 10, '0123456789' from firmware_image`)
  await client.end()
})
afterEach(async () => {
  for (const { firmware } of servers) await firmware.close()
  await house?.drop()
  expect(errors).toEqual([])
})

type Server = Awaited<ReturnType<typeof serve>>

async function serve(name: string) {
  const { database } = house
  const plant = await loadPlant(database)
  const hub = new Hub((error) => errors.push(error))
  const log = { error: ({ err }: { err: unknown }) => errors.push(err) } as never
  const runner = new Runner({ database, log, leaseClock: () => sql<Date>`${new Date(now)}::timestamptz` })
  let deliver: (message: UpgradeMessage) => void = () => {}
  const firmware = createFirmware({
    ...{ database, plant, hub, runner, log, config: { firmwareKeys: [] }, clock: () => now },
    ingest: {
      isBorn: ({ number }) => [name, 'all'].includes(connections.get(number) ?? ''),
      sendFirmware({ number }, kind, payload) {
        sent.push(`${name}: ${kind.split('/')[0]} ${number}`)
        if (kind === 'offer') offered.set(number, JSON.parse(Buffer.from(payload).toString()).id)
        return true
      },
      onUpgradeMessage(listener) {
        deliver = listener
        return () => {}
      },
      note() {},
    },
  })
  const gatewayOf = (number: string) => plant.gatewayByNumber.get(number) ?? expect.fail(number)
  const server = {
    name,
    firmware,
    runner,
    /** What is said about the upgrade that was offered. */
    async reports(number: string, content: UpgradeMessage['content']): Promise<void> {
      deliver({ gateway: gatewayOf(number), upgradeId: offered.get(number) ?? '', at: now, content })
      await firmware.tick()
      await firmware.tick()
    },
    /** It connects to this server and says what it runs. */
    async connects(number: string, version: string): Promise<void> {
      now += 1
      connections.set(number, name)
      const gateway = gatewayOf(number)
      gateway.firmware = version
      gateway.firmwareAt = now
      await sql`update gateway set firmware = ${version}, firmware_at = ${new Date(now)} where gateway_id = ${gateway.id}`.execute(
        database.general,
      )
      const birth = { gateway, model: 'LW-G1', firmware: version, keepsPeriod: false, restarted: true, receivedAt: now }
      hub.publish({ births: [birth] })
      await firmware.tick()
      await firmware.tick()
    },
    idOf: (number: string) => gatewayOf(number).id,
  }
  servers.push(server)
  return server
}

const actor = { userName: 'anna', address: '', tenant: null, sees: () => true, seesGateway: () => true } as unknown as Actor

/** A campaign for these gateways; the first stage is of so many of them. */
async function start(server: Server, numbers: readonly string[], first: number, failureLimit = 0): Promise<number> {
  const [image] = (await server.firmware.images.list()).items
  const { CampaignID } = await server.firmware.campaigns.start(actor, {
    ImageID: image?.ImageID ?? 0,
    Gateways: numbers.map(server.idOf),
    Projects: [],
    Stages: [{ Kind: 'count', Amount: first }],
    FailureLimit: failureLimit,
    Reason: 'test',
  })
  return CampaignID
}
const steer = (server: Server, campaignId: number, act: 'pause' | 'goOn' | 'abort') =>
  server.firmware.campaigns.steer(actor, campaignId, act)

/** Every server takes its steps, all at once. */
async function tick(): Promise<void> {
  for (let times = 0; times < 3; times += 1) await Promise.all(servers.map(({ firmware }) => firmware.tick()))
}

/** Its loops run no more, and it gives nothing back. */
async function kill(server: Server): Promise<void> {
  await server.firmware.close()
  servers = servers.filter((each) => each !== server)
}

/** Another minute, in which nothing was heard of whoever carries a campaign; and this server looks. */
async function takesOver({ runner }: Server): Promise<void> {
  now += 60_001
  await runner.look()
  await runner.look()
  await tick()
}

const states = async () =>
  (
    await sql<{ state: string }>`select state from firmware_upgrade order by campaign_id, position`.execute(
      house.database.general,
    )
  ).rows.map(({ state }) => state)
const campaign = async () =>
  (await sql`select state, stage, paused_by from firmware_campaign order by campaign_id`.execute(house.database.general)).rows[0]
const audited = async () =>
  (
    await sql<{ action: string }>`select action from audit where action like 'firmware.%' order by audit_id`.execute(
      house.database.general,
    )
  ).rows.map(({ action }) => action)

/** What was sent since it was last asked. */
const newlySent = () => sent.splice(0)
const ready = { kind: 'ready' } as const
const asks = { kind: 'asks', offset: 0, length: 4 } as const

test('of two servers that both reach the gateways one carries the campaign, and each gateway is offered and let install once', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  const numbers = ['G01', 'G02', 'G03']
  for (const number of numbers) connections.set(number, 'all')
  await start(a, numbers, 3)
  await Promise.all([tick(), b.runner.look(), b.runner.look()])
  for (const number of numbers) await Promise.all([a.reports(number, ready), b.reports(number, ready)])
  await tick()
  expect(newlySent().toSorted()).toEqual(numbers.flatMap((number) => [`a: install ${number}`, `a: offer ${number}`]).toSorted())
  expect(await states()).toEqual(['installing', 'installing', 'installing'])
  for (const number of numbers) await a.connects(number, '2.0.0')
  expect(await states()).toEqual(['success', 'success', 'success'])
  expect(await campaign()).toMatchObject({ state: 'done' })
  expect(await audited()).toEqual(['firmware.campaign', ...numbers.map(() => 'firmware.outcome'), 'firmware.end'])
})

test('over all campaigns and servers no more than fifty gateways upgrade at once', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  const numbers = Array.from({ length: 80 }, (_, index) => `G${String(index + 1).padStart(2, '0')}`)
  for (const number of numbers) connections.set(number, 'all')
  await Promise.all([start(a, numbers.slice(0, 40), 40), start(b, numbers.slice(40), 40)])
  await tick()
  const first = newlySent()
  expect(first).toHaveLength(50)
  expect(new Set(first.map((each) => each.split(' ')[2])).size).toBe(50)
  const [server, , number] = first[0]?.split(' ') ?? []
  await (server === 'a:' ? a : b).connects(number ?? '', '2.0.0')
  await tick()
  expect(newlySent()).toEqual([expect.stringMatching(/offer/)])
  expect((await states()).filter((state) => state === 'offered')).toHaveLength(50)
})

test('a server killed in mid-wave is taken over when its lease is over; nobody is let install twice, and no later stage opens early', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  const numbers = ['G01', 'G02', 'G03', 'G04']
  for (const number of numbers) connections.set(number, 'a')
  await start(a, numbers, 2)
  await a.reports('G01', ready)
  await a.reports('G02', asks)
  expect(newlySent().toSorted()).toEqual(['a: install G01', 'a: offer G01', 'a: offer G02', 'a: piece G02'])
  await kill(a)
  for (const number of ['G02', 'G03', 'G04']) await b.connects(number, '1.0.0')
  await b.runner.look()
  await b.runner.look()
  await b.reports('G02', asks)
  expect([newlySent(), await states()]).toEqual([[], ['installing', 'downloading', 'waiting', 'waiting']])
  await takesOver(b)
  expect([newlySent(), await states()]).toEqual([['b: offer G02'], ['installing', 'offered', 'waiting', 'waiting']])
  await b.reports('G02', ready)
  expect(newlySent()).toEqual(['b: install G02'])
  await b.connects('G02', '2.0.0')
  expect([newlySent(), await states()]).toEqual([[], ['installing', 'success', 'waiting', 'waiting']])
  await b.connects('G01', '2.0.0')
  expect(newlySent()).toEqual(['b: offer G03', 'b: offer G04'])
  for (const number of ['G03', 'G04']) await b.connects(number, '2.0.0')
  await tick()
  expect([newlySent(), await campaign()]).toEqual([[], { state: 'done', stage: 1, paused_by: null }])
  const outcomes = numbers.map(() => 'firmware.outcome')
  expect((await audited()).toSorted()).toEqual(['firmware.campaign', 'firmware.end', ...outcomes, 'firmware.stage'].toSorted())
})

test('a server that stood still until another had its campaign sends and writes nothing more, and may take it over again', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  connections.set('G01', 'a')
  await start(a, ['G01', 'G02', 'G03'], 3)
  await a.reports('G01', asks)
  newlySent()
  await takesOver(b)
  connections.set('G02', 'a')
  await a.reports('G01', ready)
  await a.reports('G01', asks)
  await tick()
  expect([newlySent(), await states()]).toEqual([[], ['downloading', 'waiting', 'waiting']])
  await kill(b)
  await takesOver(a)
  // G01 has not begun anew: it asks on.
  expect(newlySent()).toEqual(['a: offer G02'])
  await a.reports('G01', asks)
  expect(newlySent()).toEqual(['a: piece G01'])
})

test('a person pauses, lets go on and aborts through whichever server, and the one that carries it obeys', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  for (const number of ['G01', 'G02']) connections.set(number, 'a')
  const campaignId = await start(a, ['G01', 'G02'], 1)
  await a.reports('G01', asks)
  newlySent()
  expect(await steer(b, campaignId, 'pause')).toMatchObject({ State: 'paused', PausedBy: 'person' })
  await tick()
  expect([newlySent(), await states()]).toEqual([['a: stop G01'], ['waiting', 'waiting']])
  expect(await steer(b, campaignId, 'goOn')).toMatchObject({ State: 'running', PausedBy: null })
  await tick()
  expect(newlySent()).toEqual(['a: offer G01'])
  expect(await steer(b, campaignId, 'abort')).toMatchObject({ State: 'aborted' })
  await tick()
  expect([newlySent(), await states()]).toEqual([['a: stop G01'], ['cancelled', 'cancelled']])
  await expect(steer(b, campaignId, 'goOn')).rejects.toThrow('The campaign has ended')
  const outcomes = ['firmware.outcome', 'firmware.outcome', 'firmware.end']
  expect(await audited()).toEqual(['firmware.campaign', 'firmware.pause', 'firmware.goOn', 'firmware.abort', ...outcomes])
  expect((await sql`select outcome, fence from due_work`.execute(house.database.general)).rows).toEqual([
    { outcome: 'aborted', fence: 1 },
  ])
})

test('a campaign that paused because of failures stays so with whoever takes it over, until a person lets it go on', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  for (const number of ['G01', 'G02']) connections.set(number, 'a')
  const campaignId = await start(a, ['G01', 'G02'], 1)
  await a.reports('G01', { kind: 'refused', reason: 'install_failed' })
  expect(await campaign()).toMatchObject({ state: 'paused', paused_by: 'failures' })
  newlySent()
  await kill(a)
  await takesOver(b)
  await b.connects('G02', '1.0.0')
  expect([newlySent(), await states()]).toEqual([[], ['failed', 'waiting']])
  await steer(b, campaignId, 'goOn')
  expect(newlySent()).toEqual(['b: offer G02'])
})

test('what a person says of a campaign that nobody carries counts for whoever takes it over', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  connections.set('G01', 'a')
  const campaignId = await start(a, ['G01', 'G02'], 2)
  await kill(a)
  newlySent()
  await steer(b, campaignId, 'abort')
  await b.connects('G01', '1.0.0')
  expect([newlySent(), await states()]).toEqual([[], ['offered', 'waiting']])
  await takesOver(b)
  expect(await states()).toEqual(['cancelled', 'cancelled'])
  expect(await campaign()).toMatchObject({ state: 'aborted' })
})

test('a server that ends in order gives its campaigns back, and the first look of another goes on with them', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  connections.set('G01', 'a')
  await start(a, ['G01'], 1)
  newlySent()
  await kill(a)
  await a.runner.close()
  await b.connects('G01', '1.0.0')
  await b.runner.look()
  await tick()
  expect(newlySent()).toEqual(['b: offer G01'])
})

test('a gateway that installs under one server is not said to have begun anew when another gives its campaign back', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  await a.connects('G01', '1.0.0')
  await start(a, ['G01'], 1)
  await a.reports('G01', ready)
  expect(await states()).toEqual(['installing'])
  await takesOver(b)
  expect(await states()).toEqual(['installing'])
  await kill(b)
  await b.runner.close()
  newlySent()
  await a.runner.renew()
  await tick()
  await a.runner.look()
  await tick()
  expect([newlySent(), await states()]).toEqual([[], ['installing']])
  await a.connects('G01', '2.0.0')
  expect(await states()).toEqual(['success'])
})

/** Longer than a gateway may take to come back. */
const halfAnHour = 30 * 60_000 + 1

test('a gateway that was upgraded and comes back on another server has succeeded, and is never unknown', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  await a.connects('G01', '1.0.0')
  await start(a, ['G01'], 1)
  await a.reports('G01', ready)
  await b.connects('G01', '2.0.0')
  now += halfAnHour
  await a.firmware.tick()
  expect([await states(), await campaign()]).toMatchObject([['success'], { state: 'done' }])
})

test('one that was unknown and comes back on another server is learnt: with its old version it has failed', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  for (const number of ['G01', 'G02']) {
    await a.connects(number, '1.0.0')
    connections.set(number, 'a')
  }
  await start(a, ['G01', 'G02'], 2, 100)
  for (const number of ['G01', 'G02']) await a.reports(number, ready)
  for (const number of ['G01', 'G02']) connections.delete(number)
  now += halfAnHour
  await a.firmware.tick()
  expect(await states()).toEqual(['unknown', 'unknown'])
  await b.connects('G01', '1.0.0')
  await b.connects('G02', '2.0.0')
  await a.firmware.tick()
  expect(await states()).toEqual(['failed', 'success'])
})

test('what a gateway reported elsewhere before it was let install tells nothing of how that went', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  await b.connects('G01', '1.0.0')
  connections.set('G01', 'a')
  await start(a, ['G01'], 1)
  now += 1
  await a.reports('G01', ready)
  connections.delete('G01')
  await a.firmware.tick()
  expect(await states()).toEqual(['installing'])
})

test('to a gateway whose campaign another server carries it says nothing; when that is over, to stop', async () => {
  const [a, b] = [await serve('a'), await serve('b')]
  connections.set('G01', 'a')
  const campaignId = await start(a, ['G01'], 1)
  newlySent()
  await b.reports('G01', asks)
  await b.reports('G01', ready)
  expect([newlySent(), await states()]).toEqual([[], ['offered']])
  await steer(a, campaignId, 'abort')
  newlySent()
  await b.reports('G01', asks)
  await expect.poll(() => sent).toContain('b: stop G01')
  expect(newlySent()).toEqual(['b: stop G01'])
})
