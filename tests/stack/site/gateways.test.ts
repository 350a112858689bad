import {
  addGateway,
  addGateways,
  addPush,
  allGateways,
  deleteGateway,
  devicesOfGateway,
  enableGateway,
  equipmentLedger,
  gatewayByNumber,
  gatewayDetails,
  gatewaysSharedWithMe,
  gatewaysWithDevices,
  listEvents,
  listGateways,
  maxGateways,
  ownGateways,
  projectDetails,
  proposeNumbers,
  renameGateway,
  renameLine,
  rotatePush,
  rotateSecret,
  searchGateways,
  searchLines,
  transferGateways,
  transferProject,
  tree,
} from '@linewarden/contract'
import { loadPlant } from '@linewarden/server/plant'
import type { MqttClient } from 'mqtt'
import mqtt from 'mqtt'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newImei, newProject, startTwoOwners } from '../../kit/two-owners.ts'

let all: TwoOwners
let houseId: number

beforeAll(async () => {
  all = await startTwoOwners()
  houseId = (await newProject(all.anna, '网关项目')).HouseID
})
afterAll(() => all?.close())

const add = (number: string, HouseID = houseId) => all.anna.call(addGateway, { body: { HouseID, ...newGateway(number) } })
const plant = () => all.stack.server.plant

const open = (username: string, password: string): MqttClient =>
  mqtt.connect(`mqtt://127.0.0.1:${all.stack.server.mqttPort}`, { username, password, reconnectPeriod: 0 })

const happens = (client: MqttClient, event: 'connect' | 'error' | 'close') =>
  new Promise<void>((resolve) => client.once(event, () => resolve()))

/** How the broker answers a gateway's name and secret. */
async function connects(username: string, password: string): Promise<'in' | 'refused'> {
  const client = open(username, password)
  const outcome = await Promise.race([
    happens(client, 'connect').then(() => 'in' as const),
    happens(client, 'error').then(() => 'refused' as const),
  ])
  client.end(true)
  return outcome
}

describe('a gateway', () => {
  test('is added with a secret shown once, and connects with it', async () => {
    const { Gateway, Secret } = await add('GW-NEW')
    expect(Gateway).toMatchObject({ Number: 'GW-NEW', Link: 'never', Enabled: true, HouseID: houseId, Version: 1 })
    expect(await connects('GW-NEW', Secret)).toBe('in')
    expect(await connects('GW-NEW', 'another')).toBe('refused')
    expect(JSON.stringify(await all.anna.call(gatewayDetails, { params: { DeviceID: Gateway.DeviceID } }))).not.toContain(Secret)
  })

  test.each(['Number', 'Name', 'IMEI', 'AddMethod', 'Platform', 'DeviceType'] as const)(
    'without %s is refused',
    async (field) => {
      const { [field]: _, ...rest } = newGateway('GW-LESS')
      const body = { HouseID: houseId, ...rest, [field]: '' } as never
      expect(await outcomeOf(all.anna.call(addGateway, { body }))).toBe('invalid parameter')
    },
  )

  test('whose IMEI has a wrong check digit is refused', async () => {
    const body = { HouseID: houseId, ...newGateway('GW-IMEI'), IMEI: '490154203237519' }
    expect(await outcomeOf(all.anna.call(addGateway, { body }))).toBe('IMEI wrong')
  })

  test('whose number or IMEI is in use, by anybody, is refused', async () => {
    const first = { ...newGateway('GW-TWICE'), HouseID: houseId }
    await all.anna.call(addGateway, { body: first })
    const other = (await newProject(all.bert, '伯特')).HouseID
    expect(await outcomeOf(all.bert.call(addGateway, { body: { ...newGateway('GW-TWICE'), HouseID: other } }))).toBe(
      'device exists',
    )
    const body = { ...newGateway('GW-OTHER'), HouseID: other, IMEI: first.IMEI }
    expect(await outcomeOf(all.bert.call(addGateway, { body }))).toBe('device exists')
  })

  test('is renamed; the second of two editors is told', async () => {
    const { Gateway } = await add('GW-NAME')
    const params = { DeviceID: Gateway.DeviceID }
    const renamed = await all.anna.call(renameGateway, { params, body: { Name: '一号柜', Remark: '东侧', Version: 1 } })
    expect(renamed).toMatchObject({ Name: '一号柜', GatewayName: '一号柜', Remark: '东侧', Version: 2 })
    expect(await outcomeOf(all.anna.call(renameGateway, { params, body: { Name: '二号柜', Version: 1 } }))).toBe(
      'changed meanwhile',
    )
    // As the specification has the call.
    expect(await all.anna.call(renameGateway, { params, body: { Name: '三号柜', Remark: '' } })).toMatchObject({ Version: 3 })
    expect(await all.anna.call(gatewayDetails, { params })).toMatchObject({ Name: '三号柜', Remark: '' })
  })

  test('that is disabled loses its connection, cannot come back, and can when it is enabled again', async () => {
    const { Gateway, Secret } = await add('GW-OFF')
    const params = { DeviceID: Gateway.DeviceID }
    const client = open('GW-OFF', Secret)
    await happens(client, 'connect')
    const closed = happens(client, 'close')
    expect((await all.anna.call(enableGateway, { params, body: { Enabled: false } })).Enabled).toBe(false)
    await closed
    expect(await connects('GW-OFF', Secret)).toBe('refused')
    await all.anna.call(enableGateway, { params, body: { Enabled: true } })
    expect(await connects('GW-OFF', Secret)).toBe('in')
  })

  test('with a new secret connects with that only', async () => {
    const { Gateway, Secret } = await add('GW-ROT')
    const fresh = await all.anna.call(rotateSecret, { params: { DeviceID: Gateway.DeviceID } })
    expect([await connects('GW-ROT', Secret), await connects('GW-ROT', fresh.Secret)]).toEqual(['refused', 'in'])
  })

  test('that is removed is gone everywhere, its number is free, and its alarms are over', async () => {
    const found = plant().gatewayByNumber.get('GW-B')
    const DeviceID = found?.id ?? 0
    all.stack.fleet.run('shortCircuit', { controllerId: 'B-T1', lineNo: 1 })
    const stillOpen = () => all.platform.call(listEvents, { body: { HouseID: found?.project.id ?? 0, Open: true } })
    await vi.waitFor(async () => expect((await stillOpen()).total).toBeGreaterThan(0))
    await all.platform.call(deleteGateway, { body: { DeviceID } })
    expect((await stillOpen()).total).toBe(0)
    expect(plant().lineAt('B-T1', 1)).toBeNull()
    expect(await outcomeOf(all.platform.call(gatewayDetails, { params: { DeviceID } }))).toBe('gateway not exists')
    expect(await outcomeOf(all.platform.call(gatewayByNumber, { params: { Number: 'GW-B' } }))).toBe('DeviceState:NotAdded')
    const again = await all.anna.call(addGateway, { body: { HouseID: houseId, ...newGateway('GW-B') } })
    expect(again.Gateway.DeviceID).not.toBe(DeviceID)
    const loaded = await loadPlant(all.stack.server.database)
    expect([loaded.gateways.has(DeviceID), loaded.gatewayByNumber.get('GW-B')?.id]).toEqual([false, again.Gateway.DeviceID])
    await all.anna.call(deleteGateway, { body: { DeviceID: again.Gateway.DeviceID } })
  })

  test('proposed numbers are free, and proposed once', async () => {
    const first = await all.anna.call(proposeNumbers, { body: { Count: 3 } })
    await add(first.Numbers[0] ?? '')
    const second = await all.bert.call(proposeNumbers, { body: { Count: 3 } })
    expect(new Set([...first.Numbers, ...second.Numbers]).size).toBe(6)
  })
})

describe('two hundred gateways a project', () => {
  test('hold when many are added at the same moment', async () => {
    const { HouseID } = await newProject(all.anna, '两百')
    const row = (number: string) => ({ Number: number, Name: number, IMEI: newImei(), Platform: 'JSON', DeviceType: '4g' })
    const rows = Array.from({ length: maxGateways - 5 }, (_, i) => row(`FULL-${i}`))
    const { Added } = await all.anna.call(addGateways, { body: { HouseID, DryRun: false, Rows: rows } })
    expect(Added).toBe(maxGateways - 5)
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, i) => outcomeOf(add(`OVER-${i}`, HouseID))))
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(5)
    expect(outcomes.filter((each) => each === 'too many gateways')).toHaveLength(7)
    expect((await all.anna.call(listGateways, { body: { HouseID } })).total).toBe(maxGateways)
    const { Gateway } = await add('GW-MOVER')
    const body = { DeviceIDs: [Gateway.DeviceID], HouseID }
    expect(await outcomeOf(all.anna.call(transferGateways, { body }))).toBe('too many gateways')
    // One that is there already takes nobody's place.
    const own = plant().gatewayByNumber.get('FULL-0')?.id ?? 0
    expect(await outcomeOf(all.anna.call(transferGateways, { body: { DeviceIDs: [own], HouseID } }))).toBe('done')
  })
})

describe('gateways are moved', () => {
  test('all or none, with what stands behind them and what happened on them', async () => {
    const lines = plant().gatewayByNumber.get('GW-A')?.devices.get('A-T1')
    const gateway = lines?.gateway
    const from = gateway?.project.id ?? 0
    const { HouseID } = await newProject(all.platform, '迁入')
    await all.platform.call(transferGateways, { body: { DeviceIDs: [gateway?.id ?? 0], HouseID } })
    expect(plant().lineAt('A-T1', 1)?.device.gateway.project.id).toBe(HouseID)
    const { Groups } = await all.platform.call(tree, { query: {} })
    const house = Groups.flatMap(({ Houses }) => Houses).find((each) => each.HouseID === HouseID)
    expect(house?.Devices.flatMap(({ Devices }) => Devices.map(({ ControllerID }) => ControllerID))).toContain('A-T1')
    all.stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo: 2 })
    const eventsOf = (house: number) =>
      all.platform.call(listEvents, { body: { HouseID: house } }).then(({ items }) => items.map(({ Key }) => Key))
    await vi.waitFor(async () => expect(await eventsOf(HouseID)).toContain('trip.short'))
    await all.platform.call(transferGateways, { body: { DeviceIDs: [gateway?.id ?? 0], HouseID: from } })
    expect(await eventsOf(from)).toContain('trip.short')
    expect(await eventsOf(HouseID)).toEqual([])
  })

  test('with an event that is just being stored', async () => {
    const { ingest, database } = all.stack.server
    const { Gateway } = await add('GW-BUSY')
    const gateway = plant().gatewayByNumber.get('GW-BUSY')
    const { HouseID } = await newProject(all.anna, '搬去')
    const client = await database.connect()
    try {
      await client.query(`create function held() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock(4711); return null; end $$;
        create constraint trigger held after insert on event deferrable initially deferred for each row
          when (new.key = 'while.moving') execute function held();
        select pg_advisory_lock(4711)`)
      const about = {
        gateway: gateway as NonNullable<typeof gateway>,
        line: null,
        point: null,
        value: null,
        limit: null,
        unit: '',
      }
      const what = { act: 'raise', kind: 'fault', priority: 'high', key: 'while.moving', label: { zh: '', en: '' } } as const
      ingest.note({ ...about, ...what, at: Date.now(), historical: false })
      await vi.waitFor(async () => {
        const { rows } = await client.query("select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted")
        expect(rows).toHaveLength(1)
      })
      const moved = all.anna.call(transferGateways, { body: { DeviceIDs: [Gateway.DeviceID], HouseID } })
      await vi.waitFor(() => expect(gateway?.project.id).toBe(HouseID))
      await client.query('select pg_advisory_unlock(4711)')
      await moved
      const { items } = await all.anna.call(listEvents, { body: { HouseID } })
      expect(items.map(({ Key }) => Key)).toEqual(['while.moving'])
    } finally {
      await client.query('drop trigger if exists held on event; drop function if exists held')
      await client.end()
    }
  })

  test('not by an administrator into a project of somebody else, and not gateways of somebody else', async () => {
    const { Gateway } = await add('GW-MINE')
    const theirs = (await newProject(all.bert, '伯特的')).HouseID
    const move = (client: TwoOwners['anna'], HouseID: number) =>
      outcomeOf(client.call(transferGateways, { body: { DeviceIDs: [Gateway.DeviceID], HouseID } }))
    expect(await move(all.anna, theirs)).toBe('project not exists')
    expect(await move(all.bert, theirs)).toBe('gateway not exists')
    expect(await move(all.platform, theirs)).toBe('done')
    expect(await outcomeOf(all.anna.call(gatewayDetails, { params: { DeviceID: Gateway.DeviceID } }))).toBe('gateway not exists')
  })

  test('not while one of the projects goes to somebody else, nor is anything added or opened there', async () => {
    const { HouseID, Version } = await newProject(all.anna, '正在移交')
    const [inside, outside] = [await add('GW-LEAVING', HouseID), await add('GW-COMING')]
    const push = { HouseID, Platform: 'onenet' as const, Name: 'x', Products: [] }
    const { PushID } = (await all.anna.call(addPush, { body: push })).Push
    const writer = await all.stack.server.database.connect()
    const waiting = async (count: number) =>
      vi.waitFor(async () => {
        const { rows } = await writer.query(`select pid from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`)
        expect(rows.length).toBeGreaterThanOrEqual(count)
      })
    // What was refused until now is counted in the log now, and not while it is held.
    await all.stack.server.refused.flush()
    try {
      // Whoever writes the log holds the transfer open: it has done everything else.
      await writer.query("begin; select pg_advisory_xact_lock(hashtext('audit'))")
      const handOver = { HouseID, UserName: '13900000002', Version }
      const transfer = outcomeOf(all.platform.call(transferProject, { body: handOver }))
      await waiting(1)
      const move = ({ Gateway }: typeof inside, to: number) =>
        all.anna.call(transferGateways, { body: { DeviceIDs: [Gateway.DeviceID], HouseID: to } })
      const late = [
        move(inside, houseId),
        move(outside, HouseID),
        add('GW-LATE', HouseID),
        all.anna.call(addPush, { body: push }),
        all.anna.call(rotatePush, { body: { HouseID, PushID } }),
      ].map(outcomeOf)
      await waiting(6)
      await writer.query('commit')
      expect([await transfer, ...(await Promise.all(late))]).toEqual([
        'done',
        'gateway not exists',
        'gateway not exists',
        'project not exists',
        'project not exists',
        'push not exists',
      ])
    } finally {
      await writer.end()
    }
    const { Devices } = await all.bert.call(projectDetails, { params: { HouseID } })
    expect(Devices.map(({ Number: number }) => number)).toEqual(['GW-LEAVING'])
  })
})

describe('finding', () => {
  test('by name and number, own things only', async () => {
    await add('GW-FIND')
    const found = await all.anna.call(searchGateways, { query: { GatewayName: 'gw-find' } })
    expect(found.items.map(({ GatewayName }) => GatewayName)).toEqual(['GW-FIND 柜'])
    expect((await all.bert.call(searchGateways, { query: { GatewayName: 'GW-FIND' } })).items).toEqual([])
    expect(await outcomeOf(all.bert.call(gatewayByNumber, { params: { Number: 'GW-FIND' } }))).toBe('device exists')
    expect((await all.anna.call(allGateways)).items.every(({ HouseName }) => HouseName !== '项目A')).toBe(true)
  })

  test('a line that somebody else has renamed meanwhile is not renamed unseen; without the former name it is', async () => {
    const [line] = (await all.platform.call(searchLines, { query: { LineName: 'a线6' } })).items
    const { DeviceID = 0, LineID = 0, LineName = '' } = line ?? {}
    const rename = (body: { LineName: string; Was?: string }) =>
      outcomeOf(all.platform.call(renameLine, { params: { DeviceID, LineID }, body }))
    expect(await rename({ LineName: '水泵', Was: LineName })).toBe('done')
    expect(await rename({ LineName: '风机', Was: LineName })).toBe('changed meanwhile')
    expect((await loadPlant(all.stack.server.database)).lines.get(LineID)?.name).toBe('水泵')
    expect(await rename({ LineName: '风机' })).toBe('done')
    // Two who opened it at the same name: one of them is told, however close they are.
    const both = ['甲', '乙'].map((LineName) => rename({ LineName, Was: '风机' }))
    expect((await Promise.all(both)).sort()).toEqual(['changed meanwhile', 'done'])
  })

  test('a line whose new name was stored while its answer was lost can be named again, by whoever reads the name it has', async () => {
    const [line] = (await all.platform.call(searchLines, { query: { LineName: 'a线5' } })).items
    const { DeviceID = 0, LineID = 0, LineName = '' } = line ?? {}
    const rename = (body: { LineName: string; Was: string }) =>
      outcomeOf(all.platform.call(renameLine, { params: { DeviceID, LineID }, body }))
    await all.stack.server.database.general.updateTable('line').set({ name: '冷库' }).where('line_id', '=', LineID).execute()
    expect(await rename({ LineName: '冷藏', Was: LineName })).toBe('changed meanwhile')
    const [now] = (await all.platform.call(searchLines, { query: { LineName: '冷库' } })).items
    expect(now).toMatchObject({ LineID, LineName: '冷库' })
    expect(await rename({ LineName: '冷藏', Was: '冷库' })).toBe('done')
  })

  test('a line that has the longest name of its own is renamed by whoever read it', async () => {
    const [line] = (await all.platform.call(searchLines, { query: { LineName: 'a线4' } })).items
    const { DeviceID = 0, LineID = 0 } = line ?? {}
    // A device's name has up to 200 characters, its lines have their number after it.
    const name = `${'柜'.repeat(200)} #99`
    await all.stack.server.database.general.updateTable('line').set({ name }).where('line_id', '=', LineID).execute()
    const body = { LineName: '照明', Was: name }
    expect(await outcomeOf(all.platform.call(renameLine, { params: { DeviceID, LineID }, body }))).toBe('done')
  })

  test('lines by name; a renamed one by its new name', async () => {
    const [line] = (await all.platform.call(searchLines, { query: { LineName: 'a线7' } })).items
    const { DeviceID = 0, LineID = 0 } = line ?? {}
    const rename = (client: TwoOwners['anna'], params = { DeviceID, LineID }) =>
      outcomeOf(client.call(renameLine, { params, body: { LineName: '消防泵' } }))
    expect(await rename(all.anna)).toBe('gateway not exists')
    expect(await rename(all.platform, { DeviceID, LineID: 999_999 })).toBe('line not exists')
    expect(await rename(all.platform)).toBe('done')
    expect((await all.platform.call(searchLines, { query: { LineName: '消防' } })).items.map((each) => each.LineNo)).toEqual([7])
    expect((await loadPlant(all.stack.server.database)).lines.get(LineID)?.name).toBe('消防泵')
    expect((await all.anna.call(searchLines, { query: { LineName: '消防' } })).items).toEqual([])
  })

  test('what stands behind a gateway, and the ledger of everything', async () => {
    const DeviceID = plant().gatewayByNumber.get('GW-A')?.id ?? 0
    const devices = await all.platform.call(devicesOfGateway, { params: { DeviceID } })
    expect(devices.items.map(({ ControllerID, LineCount }) => [ControllerID, LineCount])).toEqual([
      ['A-T1', 8],
      ['A-Y1', 0],
    ])
    const ledger = await all.platform.call(equipmentLedger, { body: { Family: 'breaker3p' } })
    expect(ledger.items).toMatchObject([{ ControllerID: 'A-T1', Number: 'GW-A', LineCount: 8 }])
    expect((await all.anna.call(equipmentLedger, { body: {} })).total).toBe(0)
    const pickers = await all.platform.call(gatewaysWithDevices)
    expect(pickers.items.find((each) => each.DeviceID === DeviceID)?.Devices).toHaveLength(2)
  })

  test('own and shared are told apart', async () => {
    expect((await all.anna.call(ownGateways, { body: { HouseID: houseId } })).total).toBeGreaterThan(0)
    expect((await all.anna.call(gatewaysSharedWithMe, { body: {} })).total).toBe(0)
  })
})
