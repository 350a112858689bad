import { aboutNothing } from '@linewarden/contract'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { OutgoingCommand } from '../../field/orders/outgoing.ts'
import { Hub } from '../../plant/hub.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { authoriseChanges } from '../../store/settings/setting-authorisation.ts'
import type { StoredChange } from '../../store/settings/setting-change.ts'
import { changesById } from '../../store/settings/setting-change.ts'
import { createSettingDispatcher } from './setting-dispatcher.ts'

// Two servers on one database: the second starts while the first carries its settings, and only the first hears of the equipment.
let db: TestDatabase
const now = Date.now()
let servers: { readonly dispatcher: { close(): Promise<void> } }[] = []
const wanted = { 'leakage.trip': 300, 'voltage.over': 260 }

beforeAll(async () => {
  db = await testDatabase()
  await sql`with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
    g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', 'x' from p returning gateway_id),
    d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '3P' from g returning device_id)
    insert into line (device_id, line_no, name) select device_id, no, 'l' from d, generate_series(1, 3) no`.execute(
    db.database.general,
  )
})
afterAll(() => db?.drop())
afterEach(async () => {
  for (const { dispatcher } of servers) await dispatcher.close()
  servers = []
})

async function serve() {
  const plant = await loadPlant(db.database)
  const wire: OutgoingCommand[] = []
  const hub = new Hub((error) => {
    throw error
  })
  const dispatcher = createSettingDispatcher({
    database: db.database,
    plant,
    hub,
    ingest: {
      reach: () => 'yes',
      send(command) {
        wire.push(command)
        return 'sent'
      },
      sendInterval: () => 'no_session',
    },
    clock: () => now,
    log: { error: console.error, warn() {} } as unknown as Logger,
    onSettled() {},
  })
  await dispatcher.start()
  const line = (lineNo: number) => {
    const found = plant.lineAt('D', lineNo)
    if (!found) throw new Error(`no line ${lineNo}`)
    const { device } = found
    device.gateway.link = 'online'
    Object.assign(found, { liveAt: now, liveReceivedAt: now })
    found.states.set('lock.local', 'off')
    return found
  }
  const server = {
    dispatcher,
    wire,
    line,
    /** The equipment tells one setting as it was ordered. */
    async readsBack(lineNo: number, key: keyof typeof wanted) {
      const found = line(lineNo)
      const readBack = { gateway: found.device.gateway, line: found, key, value: wanted[key], deviceAt: now, receivedAt: now }
      hub.publish({ readBacks: [readBack] })
      await dispatcher.tick()
    },
  }
  servers.push(server)
  return server
}

async function authorised({ line }: Awaited<ReturnType<typeof serve>>, lineNo: number): Promise<StoredChange> {
  const { id, device } = line(lineNo)
  const order = {
    commandId: crypto.randomUUID(),
    batchId: crypto.randomUUID(),
    gatewayId: device.gateway.id,
    lineId: id,
    wanted,
    former: { 'leakage.trip': 100, 'voltage.over': 250 },
    accountId: null,
    actor: 'a',
    source: 'console',
    reason: 'test',
    template: null,
    undoes: null,
    offUntil: null,
    issuedAt: now,
    deadline: now + 10_000,
    bypasses: [],
    validatedBy: [],
    restores: [],
  } as const
  const audit = { at: now, actor: 'a', address: '', action: 'setting.console', subject: aboutNothing, target: '' } as const
  const { saved } = await authoriseChanges(db.database, [order], () => [{ ...audit, outcome: 'authorised' }])
  const [change] = saved
  if (!change) throw new Error('it was not authorised')
  return change
}

const stateOf = async ({ commandId }: StoredChange) => {
  const [change] = await changesById(db.database, [commandId])
  return [change?.state, change?.outcome]
}

test('a setting that a starting server has called expired never leaves from the one that has it', async () => {
  const first = await serve()
  const change = await authorised(first, 1)
  const second = await serve()
  await first.dispatcher.dispatch([change])
  expect([first.wire, second.wire]).toEqual([[], []])
  expect(await stateOf(change)).toEqual(['expired', 'server_restarted'])
  expect(first.dispatcher.underWay(change.gatewayId, change.lineId)).toBeNull()
})

test('what was read back of a setting counts, whatever a starting server has called it meanwhile', async () => {
  const first = await serve()
  const change = await authorised(first, 2)
  await first.dispatcher.dispatch([change])
  await first.readsBack(2, 'leakage.trip')
  await serve()
  expect(await stateOf(change)).toEqual(['unknown', 'server_restarted'])
  await first.readsBack(2, 'voltage.over')
  expect(await stateOf(change)).toEqual(['verified', null])
})

test('a setting that another server knows as verified stays so', async () => {
  const first = await serve()
  const change = await authorised(first, 3)
  await first.dispatcher.dispatch([change])
  const second = await serve()
  for (const key of ['leakage.trip', 'voltage.over'] as const) await first.readsBack(3, key)
  // The equipment comes to the second one, and was set anew on site.
  await second.readsBack(3, 'leakage.trip')
  await second.readsBack(3, 'voltage.over')
  expect(await stateOf(change)).toEqual(['verified', null])
  const { rows } = await sql<{ state: string }>`
    select state from setting_step where command_id = ${change.commandId}::uuid order by step_no`.execute(db.database.general)
  expect(rows.map(({ state }) => state).filter((state) => state === 'verified')).toHaveLength(1)
})
