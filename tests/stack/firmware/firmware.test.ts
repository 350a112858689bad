import { randomBytes } from 'node:crypto'
import {
  addGateway,
  controllerVersion,
  inspect,
  listFirmware,
  operateLine,
  placeTag,
  projectUpgradeOutcomes,
  projectUpgradeStatus,
  removeTag,
  startCampaign,
  steerCampaign,
  upgradeController,
  withdrawFirmware,
} from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FirmwareStack } from '../../kit/firmware-stack.ts'
import { firmwareStack } from '../../kit/firmware-stack.ts'
import { jsonGateway } from '../../kit/json-gateway.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { signFirmware } from '../../kit/sign-firmware.ts'
import type { Stack } from '../../kit/stack.ts'
import { newGateway } from '../../kit/two-owners.ts'
import { uploadFirmware } from '../../kit/upload-firmware.ts'

// Versions only go up, so the facts below stand in their order on one stack.
let house: FirmwareStack
let stack: Stack

beforeAll(async () => {
  house = await firmwareStack({ expects: /the disk is full/ })
  stack = house.stack
})
afterAll(() => stack?.close())
beforeEach(() => {
  for (const { updater } of stack.fleet.gateways.values())
    Object.assign(updater.habits, { pieceBytes: 65_536, askAgainMs: 500, installMs: 100, comesUp: true, answers: true })
})

test('a campaign goes stage by stage, and only reported versions make success', async () => {
  const { ImageID } = await house.upload('1.1.0')
  const made = await stack.client.call(startCampaign, {
    body: {
      ImageID,
      Gateways: [],
      Projects: [house.houseOf('F-1'), house.houseOf('F-5')],
      Stages: [
        { Kind: 'count', Amount: 1 },
        { Kind: 'percent', Amount: 50 },
      ],
      FailureLimit: 0,
      Reason: '测试',
    },
  })
  expect(made).toMatchObject({ Ends: [1, 3, 6], Model: 'LW-G1', Version: '1.1.0' })
  expect(await outcomeOf(house.begin(ImageID, ['F-1'], []))).toMatch(/upgrade under way|done/)
  await house.ended(made)
  const all = await house.upgrades(made)
  expect(all.map(({ Number: number, State, Firmware }) => [number, State, Firmware])).toEqual([
    ['F-1', 'success', '1.1.0'],
    ['F-2', 'success', '1.1.0'],
    ['F-3', 'success', '1.1.0'],
    ['F-4', 'success', '1.1.0'],
    ['F-5', 'success', '1.1.0'],
    ['F-NEW', 'currentNewer', '9.0.0'],
  ])
  expect(house.simulated('F-1').updater.version).toBe('1.1.0')
  const status = await stack.client.call(projectUpgradeOutcomes, { query: { HouseID: house.houseOf('F-5') } })
  expect(status.items.map(({ Number: number, Outcome }) => [number, Outcome])).toEqual([
    ['F-5', 'success'],
    ['F-NEW', 'current newer'],
  ])
})

test('one gateway is upgraded to the latest, once', async () => {
  const body = { DeviceID: house.idOf('F-1') }
  expect(await stack.client.call(upgradeController, { body })).toMatchObject({ State: 'alreadyLatest' })
  await house.upload('1.2.0')
  expect(await stack.client.call(controllerVersion, { body })).toMatchObject({
    Version: '1.1.0',
    Standing: 'older',
    Latest: { Version: '1.2.0' },
  })
  await stack.client.call(upgradeController, { body })
  await house.until(async () =>
    expect(await stack.client.call(controllerVersion, { body })).toMatchObject({
      Version: '1.2.0',
      Standing: 'same',
      Upgrade: { State: 'success' },
    }),
  )
})

test('a power loss in the middle of the download goes on from what was kept', async () => {
  const { ImageID } = await house.upload('1.3.0', 3_000_000)
  house.simulated('F-2').updater.habits.pieceBytes = 4_096
  const made = await house.begin(ImageID, ['F-2'], [])
  await house.until(async () => {
    const status = await stack.client.call(projectUpgradeStatus, { query: { HouseID: house.houseOf('F-2') } })
    expect(status.items).toMatchObject([{ Number: 'F-2', State: 'downloading' }])
    expect(status.items[0]?.Progress).toBeGreaterThan(0.05)
  })
  await house.simulated('F-2').powerLoss()
  const kept = house.simulated('F-2').updater.have
  expect(kept).toBeGreaterThan(150_000)
  expect(house.simulated('F-2').updater.version).toBe('1.1.0')
  house.simulated('F-2').updater.habits.pieceBytes = 65_536
  await house.ended(made)
  expect(await house.upgradeOf(made, 'F-2')).toMatchObject({ State: 'success', Former: '1.1.0', Firmware: '1.3.0' })
})

test('a power loss while installing leaves the old version running, and it is tried again', async () => {
  const { ImageID } = await house.upload('1.4.0')
  house.simulated('F-2').updater.habits.installMs = 60_000
  const made = await house.begin(ImageID, ['F-2'], [])
  await house.until(async () => expect(await house.upgradeOf(made, 'F-2')).toMatchObject({ State: 'installing' }))
  house.simulated('F-2').updater.habits.installMs = 100
  await house.simulated('F-2').powerLoss()
  await house.ended(made)
  expect(await house.upgradeOf(made, 'F-2')).toMatchObject({ State: 'success', Firmware: '1.4.0' })
})

test('an image that does not come up stops the campaign after its first gateway, and the others keep what they have', async () => {
  const { ImageID } = await house.upload('1.5.0')
  for (const number of ['F-3', 'F-4']) house.simulated(number).updater.habits.comesUp = false
  const made = await house.begin(ImageID, ['F-3', 'F-4', 'F-5'], [{ Kind: 'count', Amount: 1 }], 20)
  await house.ended(made, 'paused')
  expect(await house.campaign(made)).toMatchObject({ PausedBy: 'failures', Stage: 0 })
  const all = await house.upgrades(made)
  expect(all.map(({ Number: number, State, Why }) => [number, State, Why])).toEqual([
    ['F-3', 'failed', 'rolled_back'],
    ['F-4', 'waiting', null],
    ['F-5', 'waiting', null],
  ])
  expect(all.every(({ Firmware }) => Firmware === '1.1.0')).toBe(true)
  expect(await outcomeOf(stack.client.call(withdrawFirmware, { params: { ImageID } }))).toBe('firmware in use')
  const params = { CampaignID: made.CampaignID }
  house.simulated('F-4').updater.habits.comesUp = true
  expect(await stack.client.call(steerCampaign, { params, body: { Act: 'goOn' } })).toMatchObject({ State: 'running' })
  await house.ended(made)
  expect((await house.upgrades(made)).map(({ State }) => State)).toEqual(['failed', 'success', 'success'])
  expect(await outcomeOf(stack.client.call(steerCampaign, { params, body: { Act: 'abort' } }))).toBe('campaign ended')
})

test('a pause holds a download where it is; an abort ends it', async () => {
  const { ImageID } = await house.upload('1.6.0', 4_000_000)
  house.simulated('F-1').updater.habits.pieceBytes = 2_048
  const made = await house.begin(ImageID, ['F-1', 'F-2'], [{ Kind: 'count', Amount: 1 }])
  const params = { CampaignID: made.CampaignID }
  await house.until(async () => expect((await house.upgradeOf(made, 'F-1'))?.Progress).toBeGreaterThan(0.01))
  await stack.client.call(steerCampaign, { params, body: { Act: 'pause' } })
  expect(await house.upgradeOf(made, 'F-1')).toMatchObject({ State: 'waiting', Waiting: 'paused' })
  const received = house.simulated('F-1').updater.have
  await house.simulated('F-1').powerLoss()
  await stack.server.ingest.drained()
  expect(await house.upgradeOf(made, 'F-1')).toMatchObject({ State: 'waiting' })
  expect(house.simulated('F-1').updater.have).toBeLessThanOrEqual(received + 2_048)
  await stack.client.call(steerCampaign, { params, body: { Act: 'goOn' } })
  await house.until(async () => expect(await house.upgradeOf(made, 'F-1')).toMatchObject({ State: 'downloading' }))
  expect(await stack.client.call(steerCampaign, { params, body: { Act: 'abort' } })).toMatchObject({ State: 'aborted' })
  expect((await house.upgrades(made)).map(({ State }) => State)).toEqual(['cancelled', 'cancelled'])
  expect(house.simulated('F-1').updater.version).toBe('1.2.0')
})

/** Runs SQL as the owner of the database. */
async function owned<T>(
  work: (query: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>) => Promise<T>,
): Promise<T> {
  const client = await stack.server.database.connect()
  return work((text, values) => client.query(text, values)).finally(() => client.end())
}

test('an abort that could not be stored whole says so, and ends by itself', async () => {
  const { ImageID } = await house.upload('1.6.1', 4_000_000)
  house.simulated('F-1').updater.habits.pieceBytes = 2_048
  const made = await house.begin(ImageID, ['F-1', 'F-2'], [{ Kind: 'count', Amount: 1 }])
  const params = { CampaignID: made.CampaignID }
  await house.until(async () => expect(await house.upgradeOf(made, 'F-1')).toMatchObject({ State: 'downloading' }))
  await owned((query) =>
    query(`create function no_cancel() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
      create trigger no_cancel before update on firmware_upgrade for each row when (new.state = 'cancelled') execute function no_cancel()`),
  )
  expect(await outcomeOf(stack.client.call(steerCampaign, { params, body: { Act: 'abort' } }))).toBe('failed')
  expect(await house.campaign(made)).toMatchObject({ State: 'aborted', EndedAt: null })
  await owned((query) => query('drop trigger no_cancel on firmware_upgrade; drop function no_cancel()'))
  await house.until(async () => expect((await house.campaign(made)).EndedAt).not.toBeNull())
  expect((await house.upgrades(made)).map(({ State }) => State)).toEqual(['cancelled', 'cancelled'])
})

test('an image that is being withdrawn begins no campaign', async () => {
  const ImageID = await house.uploaded('1.6.1')
  await owned(async (query) => {
    await query('begin')
    await query("update firmware_image set state = 'withdrawn' where image_id = $1", [ImageID])
    const starting = outcomeOf(house.begin(ImageID, ['F-1'], []))
    // It waits for the row: what it read of the image before is not true any more.
    await house.until(async () => expect((await query('select 1 from pg_locks where not granted')).rows).not.toEqual([]))
    await query('commit')
    expect(await starting).toBe('firmware not ready')
  })
})

const trip = (ControllerID: string) =>
  stack.client.call(operateLine, {
    params: { ControllerID, LineNo: 1, attr: 'trip' },
    body: { CommandID: crypto.randomUUID(), Reason: 'test' },
  })
/** A trip is repeated until it is proven; what a gateway has seen already it does not do again. */
const executedOn = (wanted: string) =>
  stack.fleet.executed.filter(({ controllerId, outcome }) => controllerId === wanted && outcome === 'executed')
const done = [{ action: 'trip', outcome: 'executed', positionAfter: 'open' }]

test('a gateway with a command under way is not offered anything before the command has ended', async () => {
  const { ImageID } = await house.upload('1.7.0')
  house.simulated('F-4').behaviour.mechanismMs = 2_500
  await trip('F-4-T1')
  const made = await house.begin(ImageID, ['F-4'], [])
  await house.until(async () => expect(await house.upgradeOf(made, 'F-4')).toMatchObject({ State: 'waiting', Waiting: 'busy' }))
  await house.ended(made)
  expect(await house.upgradeOf(made, 'F-4')).toMatchObject({ State: 'success', Firmware: '1.7.0' })
  expect(executedOn('F-4-T1')).toMatchObject(done)
})

test('nothing is offered or installed while somebody stands before a line of the gateway or works at it, and it says why', async () => {
  const ImageID = await house.uploaded('1.7.0')
  const gateway = stack.server.plant.gatewayByNumber.get('F-2')
  const [line] = [...(gateway?.devices.values() ?? [])].flatMap(({ lines }) => [...lines.values()])
  if (!gateway || !line) throw new Error('F-2 has no line')
  const { updater } = house.simulated('F-2')
  updater.habits.pieceBytes = 1_024
  await stack.client.call(inspect, { body: { DeviceID: gateway.id } })
  const made = await house.begin(ImageID, ['F-2'], [])
  await house.until(async () =>
    expect(await house.upgradeOf(made, 'F-2')).toMatchObject({ State: 'waiting', Waiting: 'inspection' }),
  )
  for (const { lines } of gateway.devices.values()) for (const each of lines.values()) each.inspectionUntil = null
  await owned((query) => query('update line set inspection_until = null'))
  await house.until(async () => expect(await house.upgradeOf(made, 'F-2')).toMatchObject({ State: 'downloading' }))
  const at = { ControllerID: line.device.controllerId, LineNo: line.lineNo }
  const TagID = crypto.randomUUID()
  await stack.client.call(placeTag, { params: at, body: { TagID, Kind: 'lock', Reason: '更换电缆头' } })
  updater.habits.pieceBytes = 65_536
  await house.until(async () => expect(await house.upgradeOf(made, 'F-2')).toMatchObject({ State: 'ready', Waiting: 'tagged' }))
  await stack.client.call(removeTag, { params: { ...at, TagID }, body: {} })
  await house.ended(made)
  expect(updater.version).toBe('1.7.0')
})

test('a gateway that holds the image installs it only after the command that came meanwhile', async () => {
  const ImageID = await house.uploaded('1.7.0')
  const { updater, behaviour } = house.simulated('F-5')
  updater.habits.pieceBytes = 1_024
  behaviour.mechanismMs = 4_000
  const made = await house.begin(ImageID, ['F-5'], [])
  await house.until(async () => expect(await house.upgradeOf(made, 'F-5')).toMatchObject({ State: 'downloading' }))
  await trip('F-5-T1')
  updater.habits.pieceBytes = 65_536
  await house.until(async () => expect(await house.upgradeOf(made, 'F-5')).toMatchObject({ State: 'ready', Progress: 1 }))
  expect(executedOn('F-5-T1')).toEqual([])
  await house.ended(made)
  expect(executedOn('F-5-T1')).toMatchObject(done)
  expect(updater.version).toBe('1.7.0')
})

test('a trip that comes while it installs is carried out before it restarts', async () => {
  const ImageID = await house.uploaded('1.7.0')
  const { updater, behaviour } = house.simulated('F-3')
  updater.habits.installMs = 2_000
  behaviour.mechanismMs = 3_000
  const made = await house.begin(ImageID, ['F-3'], [])
  await house.until(async () => expect(await house.upgradeOf(made, 'F-3')).toMatchObject({ State: 'installing' }))
  await trip('F-3-T1')
  await house.ended(made)
  expect(executedOn('F-3-T1')).toMatchObject(done)
  expect(updater.version).toBe('1.7.0')
})

test('a withdrawn image is offered to nobody, and its version is not taken again', async () => {
  const { items } = await stack.client.call(listFirmware)
  const newest = items.find(({ Version }) => Version === '1.7.0')
  await stack.client.call(withdrawFirmware, { params: { ImageID: newest?.ImageID ?? 0 } })
  expect(await outcomeOf(house.begin(newest?.ImageID ?? 0, ['F-1'], []))).toBe('firmware not ready')
  expect(await stack.client.call(controllerVersion, { body: { DeviceID: house.idOf('F-1') } })).toMatchObject({
    Latest: { Version: '1.6.0' },
  })
  expect(await outcomeOf(house.upload('1.7.0'))).toBe('firmware same version')
})

test('a JSON gateway fetches by asking; nobody gets a byte of an upgrade that is not its own', async () => {
  const HouseID = house.houseOf('F-1')
  const [own, other] = await Promise.all(
    ['F-JSON', 'F-CURIOUS'].map(async (number) => {
      const { Secret } = await stack.client.call(addGateway, { body: { HouseID, ...newGateway(number), Platform: 'json' } })
      return jsonGateway(stack.server.mqttPort, number, Secret)
    }),
  )
  if (!own || !other) throw new Error('both connect')
  await own.publish('birth', { values: { 'info/model': 'LW-J1', 'info/firmware': '1.0.0' }, devices: [] })
  await stack.server.ingest.drained()
  const bytes = randomBytes(100_000)
  await uploadFirmware(stack.client, signFirmware(house.signer, { model: 'LW-J1', version: '1.0.1', bytes }))
  await stack.client.call(upgradeController, { body: { DeviceID: house.idOf('F-JSON') } })
  const { id } = JSON.parse((await own.received('offer')).toString()) as { id: string }
  await other.publish('upgrade', { id, offset: 0, length: 100 })
  await other.received('stop')
  expect(other.pieces()).toEqual([])
  await own.publish('upgrade', { id, offset: 0, length: 65_536 })
  await own.received(`piece/${id}/0`)
  await own.publish('upgrade', { id, offset: 65_536, length: 65_536 })
  await own.received(`piece/${id}/65536`)
  expect(Buffer.concat(own.pieces()).equals(bytes)).toBe(true)
  const before = stack.server.ingest.status().Quarantined
  await own.publish('upgrade', { id, offset: 0, length: 65_537 })
  await own.publish('upgrade', { id, state: 'success' })
  await house.until(async () => expect(stack.server.ingest.status().Quarantined).toBe(before + 2))
  await own.publish('upgrade', { id, state: 'ready' })
  await own.received('install')
  await own.publish('birth', { values: { 'info/model': 'LW-J1', 'info/firmware': '1.0.1' }, devices: [] })
  await house.until(async () =>
    expect(await stack.client.call(controllerVersion, { body: { DeviceID: house.idOf('F-JSON') } })).toMatchObject({
      Version: '1.0.1',
      Upgrade: { State: 'success' },
    }),
  )
  own.end()
  other.end()
})
