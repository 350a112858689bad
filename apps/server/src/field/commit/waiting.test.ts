import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestEdge } from '../test-ingest.ts'
import { connect, TestIngest } from '../test-ingest.ts'

/** What happens to a gateway while something it reported waits for the database. */
let plant: TestIngest
let edge: TestEdge
let blocker: pg.Client

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.birth()
  blocker = await plant.database.connect()
})
afterEach(async () => {
  await blocker.query('rollback')
  await blocker.end()
  await plant.close()
})

const gateway = () => plant.line().device.gateway
const deviceOf = (id: string) => plant.plant.deviceByControllerId.get(id)
const lockWaits = async () =>
  (await plant.rows("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")).length
/** Whoever writes to the table waits until the blocker lets go. */
async function block(table: string, work: () => void): Promise<void> {
  await blocker.query('begin')
  await blocker.query(`lock table ${table} in exclusive mode`)
  work()
  await vi.waitUntil(async () => (await lockWaits()) > 0)
}
/** Sends it, and returns when it has arrived: it waits there, behind what is blocked. */
async function arrives(send: () => Promise<unknown>): Promise<void> {
  plant.now += 1
  send().catch(() => {})
  await vi.waitUntil(() => gateway().lastMessageAt === plant.now)
}

test('a connection that is lost while a new device is registered is lost all the same, with what was said on it', async () => {
  await block('device', () => void edge.deviceBirth('C-NEW').catch(() => {}))
  await arrives(() => edge.nodeBirth())
  edge.client.end(true)
  await vi.waitFor(() => expect(plant.ingest.isConnected(gateway())).toBe(false))
  await blocker.query('rollback')
  await vi.waitFor(() => expect(gateway().link).toBe('offline'))
  expect([deviceOf('C-NEW')?.link, plant.ingest.isBorn(gateway())]).toEqual(['offline', false])
  edge = await plant.edge()
  await edge.nodeBirth()
  expect([gateway().link, deviceOf('C-NEW')?.link]).toEqual(['online', 'offline'])
})

test('an exception in a message that waited ends its connection, and what waits behind it is not forgotten', async () => {
  const get = gateway().devices.get.bind(gateway().devices)
  await block('device', () => void edge.deviceBirth('C-NEW').catch(() => {}))
  const bug = vi.spyOn(gateway().devices, 'get').mockImplementation((id) => {
    if (id === edge.device) throw new TypeError('a bug')
    return get(id)
  })
  const { Messages } = plant.ingest.status()
  const gone = new Promise<void>((resolve) => edge.client.once('close', () => resolve()))
  for (const values of [{ residual: 5 }, { residual: 6 }]) await arrives(() => edge.data({ values }))
  await blocker.query('rollback')
  await gone
  await vi.waitFor(() => expect(plant.ingest.status().Messages).toBe(Messages + 2))
  bug.mockRestore()
  expect(deviceOf('C-NEW')).toBeDefined()
})

const setAside = () => plant.rows<{ reason: string; messages: number }>('select reason, messages from quarantine order by 1')
/** A gateway that says nothing that could be read, and whether it was told that it arrived. */
async function senseless(): Promise<{ acknowledged: boolean; done: Promise<unknown>; end(): void }> {
  const client = await connect(plant, 'G2', 'secret-of-G2')
  const sent = { acknowledged: false, done: Promise.resolve<unknown>(null), end: () => client.end(true) }
  sent.done = client.publishAsync('linewarden/v1/G2/data', '{', { qos: 1 }).then(() => {
    sent.acknowledged = true
  })
  return sent
}

test('what cannot be taken is acknowledged only once it is kept, and nobody else waits for that', async () => {
  let sent = await senseless()
  await sent.done
  sent.end()
  await blocker.query('begin; lock table quarantine in exclusive mode')
  sent = await senseless()
  await vi.waitUntil(async () => (await lockWaits()) > 0)
  await edge.data({ values: { residual: 7 }, at: plant.now + 1 })
  // The connection dies with the statement: it is written again on another.
  await plant.rows(
    "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  await edge.data({ values: { residual: 8 }, at: plant.now + 2 })
  expect([plant.value('residual'), sent.acknowledged]).toEqual([8, false])
  await blocker.query('rollback')
  await sent.done
  expect(await setAside()).toEqual([
    { reason: 'json', messages: 1 },
    { reason: 'json', messages: 1 },
  ])
  sent.end()
})

test('what the database refuses to keep keeps back nothing else, and is only counted after a minute', async () => {
  await plant.rows("alter table quarantine add constraint refuse check (reason <> 'json') not valid")
  const sent = await senseless()
  await edge.data({ states: { position: 9 }, values: { residual: 7 }, at: plant.now + 1 })
  expect([await setAside(), plant.value('residual'), sent.acknowledged]).toEqual([
    [{ reason: 'unknown_state', messages: 1 }],
    7,
    false,
  ])
  plant.now += 60_000
  await sent.done
  sent.end()
  await plant.restart()
  expect(await setAside()).toEqual([
    { reason: 'over_limit', messages: 1 },
    { reason: 'unknown_state', messages: 1 },
  ])
})

test('each word of an upgrade counts as one message, whether it can be read or not', async () => {
  const { Messages, Quarantined } = plant.ingest.status()
  const topic = `linewarden/v1/${gateway().number}/upgrade`
  for (const word of ['{', JSON.stringify({ id: crypto.randomUUID(), state: 'ready' })])
    await edge.client.publishAsync(topic, word, { qos: 1 })
  const after = plant.ingest.status()
  expect([after.Messages - Messages, after.Quarantined - Quarantined]).toEqual([2, 1])
})
