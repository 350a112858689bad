import { randomBytes } from 'node:crypto'
import type { CampaignRecord, UpgradeRecord } from '@linewarden/contract'
import {
  addGateway,
  campaignDetails,
  campaignUpgrades,
  controllerVersion,
  firmwarePieceBytes,
  inspect,
  listFirmware,
  listJournal,
  operateLine,
  placeTag,
  projectUpgradeOutcomes,
  projectUpgradeStatus,
  removeTag,
  sendFirmwarePiece,
  startCampaign,
  startFirmware,
  steerCampaign,
  upgradeController,
  withdrawFirmware,
} from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { firmwarePlan } from '../../kit/firmware-plan.ts'
import { jsonGateway } from '../../kit/json-gateway.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { firmwareSigner, signFirmware } from '../../kit/sign-firmware.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'
import { newGateway } from '../../kit/two-owners.ts'
import { uploadFirmware } from '../../kit/upload-firmware.ts'

// Versions only go up, so the facts below stand in their order on one stack.
let stack: Stack
const signer = firmwareSigner('works')
const stranger = firmwareSigner('stranger')
const model = 'LW-G1'

beforeAll(async () => {
  stack = await startStack({
    plan: firmwarePlan,
    env: { LINEWARDEN_FIRMWARE_KEYS: `${signer.name}:${signer.publicKey}` },
    expects: /the disk is full/,
  })
})
afterAll(() => stack?.close())
beforeEach(() => {
  for (const { updater } of stack.fleet.gateways.values())
    Object.assign(updater.habits, { pieceBytes: 65_536, askAgainMs: 500, installMs: 100, comesUp: true, answers: true })
})

const simulated = (number: string) => {
  const found = stack.fleet.gateways.get(number)
  if (!found) throw new Error(`no gateway ${number}`)
  return found
}
const idOf = (number: string) => stack.server.plant.gatewayByNumber.get(number)?.id ?? 0
const houseOf = (number: string) => stack.server.plant.gatewayByNumber.get(number)?.project.id ?? 0
const image = (version: string, size = 200_000) => signFirmware(signer, { model, version, bytes: randomBytes(size) })
const upload = (version: string, size?: number) => uploadFirmware(stack.client, image(version, size))
const begin = (
  ImageID: number,
  numbers: readonly string[],
  Stages: { Kind: 'count' | 'percent'; Amount: number }[],
  FailureLimit = 0,
) =>
  stack.client.call(startCampaign, {
    body: { ImageID, Gateways: numbers.map(idOf), Projects: [], Stages, FailureLimit, Reason: 'test' },
  })
const campaign = ({ CampaignID }: CampaignRecord) => stack.client.call(campaignDetails, { params: { CampaignID } })
const upgrades = async ({ CampaignID }: CampaignRecord): Promise<readonly UpgradeRecord[]> =>
  (await stack.client.call(campaignUpgrades, { params: { CampaignID }, body: { Size: 200 } })).items
const upgradeOf = async (of: CampaignRecord, number: string) => (await upgrades(of)).find((each) => each.Number === number)
const until = (fact: () => Promise<void>) => vi.waitFor(fact, { timeout: 20_000, interval: 50 })
const ended = (of: CampaignRecord, state: CampaignRecord['State'] = 'done') =>
  until(async () => expect(await campaign(of)).toMatchObject({ State: state }))

describe('an image is not taken', () => {
  const start = ({ manifest, signature }: { manifest: Buffer; signature: Buffer }) =>
    outcomeOf(
      stack.client.call(startFirmware, {
        body: { Manifest: manifest.toString('base64'), Signature: signature.toString('base64') },
      }),
    )

  test('when a stranger signed it, or nobody', async () => {
    const bytes = randomBytes(100)
    expect(await start(signFirmware(stranger, { model, version: '1.1.0', bytes }))).toBe('firmware signature wrong')
    expect(await start({ ...image('1.1.0'), signature: Buffer.alloc(0) })).toBe('firmware signature wrong')
    expect(await start({ ...image('1.1.0'), signature: Buffer.alloc(64) })).toBe('firmware signature wrong')
  })

  test('when its manifest was changed after it was signed', async () => {
    const { manifest, signature } = image('1.1.0')
    const changed = Buffer.from(manifest.toString().replace('1.1.0', '1.2.0'))
    expect(await start({ manifest: changed, signature })).toBe('firmware signature wrong')
  })

  test.each([
    ['format', { format: 'something-else' }],
    ['version', { version: '1.1' }],
    ['size', { size: 33_554_433 }],
    ['sha256', { sha256: 'no' }],
    ['note', { note: 'unknown field' }],
  ])('when its manifest has a wrong %s', async (_, change) => {
    const signed = signFirmware(signer, { model, version: '1.1.0', bytes: randomBytes(10) }, change)
    expect(await start(signed)).toBe('firmware manifest wrong')
  })

  test('when no gateway is of its model', async () => {
    const signed = signFirmware(signer, { model: 'NOBODY', version: '1.1.0', bytes: randomBytes(10) })
    expect(await start(signed)).toBe('firmware model unknown')
  })

  test('when it is cut short, too long or not what was signed; and nothing of it stays', async () => {
    const signed = image('1.1.0', 2 * firmwarePieceBytes)
    const short = { ...signed, bytes: signed.bytes.subarray(0, firmwarePieceBytes + 10) }
    expect(await outcomeOf(uploadFirmware(stack.client, short))).toBe('firmware cut short')
    const long = { ...signed, bytes: Buffer.concat([signed.bytes, Buffer.alloc(1)]) }
    expect(await outcomeOf(uploadFirmware(stack.client, long))).toBe('firmware too long')
    const { items } = await stack.client.call(listFirmware)
    for (const { ImageID } of items) await stack.client.call(withdrawFirmware, { params: { ImageID } })
    const other = Buffer.from(signed.bytes)
    other[firmwarePieceBytes] = (other[firmwarePieceBytes] ?? 0) ^ 1
    expect(await outcomeOf(uploadFirmware(stack.client, { ...signed, bytes: other }))).toBe('firmware damaged')
    expect((await stack.client.call(listFirmware)).items).toEqual([])
  })

  test('a refused signature is in the log, with who tried', async () => {
    const { items } = await stack.client.call(listJournal, { body: { Action: 'startFirmware', Size: 5 } })
    expect(items[0]).toMatchObject({ Actor: 'admin', Outcome: 'refused' })
  })
})

/** The image that was uploaded last, or that of a version. */
async function uploaded(version?: string): Promise<number> {
  const { items } = await stack.client.call(listFirmware)
  const image = items.find(({ Version }) => version === undefined || Version === version)
  if (!image) throw new Error('there is no such image')
  return image.ImageID
}

test('an upload that broke off goes on where it was, and an image is here once', async () => {
  const signed = image('1.1.0', 2 * firmwarePieceBytes + 5)
  const body = { Manifest: signed.manifest.toString('base64'), Signature: signed.signature.toString('base64') }
  const { ImageID } = await stack.client.call(startFirmware, { body })
  const first = signed.bytes.subarray(0, firmwarePieceBytes).toString('base64')
  await stack.client.call(sendFirmwarePiece, { params: { ImageID }, body: { Offset: 0, Bytes: first } })
  expect(await outcomeOf(stack.client.call(sendFirmwarePiece, { params: { ImageID }, body: { Offset: 0, Bytes: first } }))).toBe(
    'firmware piece elsewhere',
  )
  expect(await stack.client.call(startFirmware, { body })).toMatchObject({ ImageID, Received: firmwarePieceBytes })
  expect(await uploadFirmware(stack.client, signed)).toMatchObject({ State: 'ready', Version: '1.1.0', KeyName: 'works' })
  expect(await outcomeOf(upload('1.1.0'))).toBe('firmware same version')
  expect(await outcomeOf(upload('1.0.9'))).toBe('firmware lower version')
  expect(await outcomeOf(begin(ImageID, ['F-X'], []))).toBe('firmware wrong model')
})

test('a campaign goes stage by stage, and only reported versions make success', async () => {
  const ImageID = await uploaded()
  const made = await stack.client.call(startCampaign, {
    body: {
      ImageID,
      Gateways: [],
      Projects: [houseOf('F-1'), houseOf('F-5')],
      Stages: [
        { Kind: 'count', Amount: 1 },
        { Kind: 'percent', Amount: 50 },
      ],
      FailureLimit: 0,
      Reason: '测试',
    },
  })
  expect(made).toMatchObject({ Ends: [1, 3, 6], Model: model, Version: '1.1.0' })
  expect(await outcomeOf(begin(ImageID, ['F-1'], []))).toMatch(/upgrade under way|done/)
  await ended(made)
  const all = await upgrades(made)
  expect(all.map(({ Number: number, State, Firmware }) => [number, State, Firmware])).toEqual([
    ['F-1', 'success', '1.1.0'],
    ['F-2', 'success', '1.1.0'],
    ['F-3', 'success', '1.1.0'],
    ['F-4', 'success', '1.1.0'],
    ['F-5', 'success', '1.1.0'],
    ['F-NEW', 'currentNewer', '9.0.0'],
  ])
  expect(simulated('F-1').updater.version).toBe('1.1.0')
  const status = await stack.client.call(projectUpgradeOutcomes, { query: { HouseID: houseOf('F-5') } })
  expect(status.items.map(({ Number: number, Outcome }) => [number, Outcome])).toEqual([
    ['F-5', 'success'],
    ['F-NEW', 'current newer'],
  ])
})

test('one gateway is upgraded to the latest, once', async () => {
  const body = { DeviceID: idOf('F-1') }
  expect(await stack.client.call(upgradeController, { body })).toMatchObject({ State: 'alreadyLatest' })
  await upload('1.2.0')
  expect(await stack.client.call(controllerVersion, { body })).toMatchObject({
    Version: '1.1.0',
    Standing: 'older',
    Latest: { Version: '1.2.0' },
  })
  await stack.client.call(upgradeController, { body })
  await until(async () =>
    expect(await stack.client.call(controllerVersion, { body })).toMatchObject({
      Version: '1.2.0',
      Standing: 'same',
      Upgrade: { State: 'success' },
    }),
  )
})

test('a power loss in the middle of the download goes on from what was kept', async () => {
  const { ImageID } = await upload('1.3.0', 3_000_000)
  simulated('F-2').updater.habits.pieceBytes = 4_096
  const made = await begin(ImageID, ['F-2'], [])
  await until(async () => {
    const status = await stack.client.call(projectUpgradeStatus, { query: { HouseID: houseOf('F-2') } })
    expect(status.items).toMatchObject([{ Number: 'F-2', State: 'downloading' }])
    expect(status.items[0]?.Progress).toBeGreaterThan(0.05)
  })
  await simulated('F-2').powerLoss()
  const kept = simulated('F-2').updater.have
  expect(kept).toBeGreaterThan(150_000)
  expect(simulated('F-2').updater.version).toBe('1.1.0')
  simulated('F-2').updater.habits.pieceBytes = 65_536
  await ended(made)
  expect(await upgradeOf(made, 'F-2')).toMatchObject({ State: 'success', Former: '1.1.0', Firmware: '1.3.0' })
})

test('a power loss while installing leaves the old version running, and it is tried again', async () => {
  const { ImageID } = await upload('1.4.0')
  simulated('F-2').updater.habits.installMs = 60_000
  const made = await begin(ImageID, ['F-2'], [])
  await until(async () => expect(await upgradeOf(made, 'F-2')).toMatchObject({ State: 'installing' }))
  simulated('F-2').updater.habits.installMs = 100
  await simulated('F-2').powerLoss()
  await ended(made)
  expect(await upgradeOf(made, 'F-2')).toMatchObject({ State: 'success', Firmware: '1.4.0' })
})

test('an image that does not come up stops the campaign after its first gateway, and the others keep what they have', async () => {
  const { ImageID } = await upload('1.5.0')
  for (const number of ['F-3', 'F-4']) simulated(number).updater.habits.comesUp = false
  const made = await begin(ImageID, ['F-3', 'F-4', 'F-5'], [{ Kind: 'count', Amount: 1 }], 20)
  await ended(made, 'paused')
  expect(await campaign(made)).toMatchObject({ PausedBy: 'failures', Stage: 0 })
  const all = await upgrades(made)
  expect(all.map(({ Number: number, State, Why }) => [number, State, Why])).toEqual([
    ['F-3', 'failed', 'rolled_back'],
    ['F-4', 'waiting', null],
    ['F-5', 'waiting', null],
  ])
  expect(all.every(({ Firmware }) => Firmware === '1.1.0')).toBe(true)
  expect(await outcomeOf(stack.client.call(withdrawFirmware, { params: { ImageID } }))).toBe('firmware in use')
  const params = { CampaignID: made.CampaignID }
  simulated('F-4').updater.habits.comesUp = true
  expect(await stack.client.call(steerCampaign, { params, body: { Act: 'goOn' } })).toMatchObject({ State: 'running' })
  await ended(made)
  expect((await upgrades(made)).map(({ State }) => State)).toEqual(['failed', 'success', 'success'])
  expect(await outcomeOf(stack.client.call(steerCampaign, { params, body: { Act: 'abort' } }))).toBe('campaign ended')
})

test('a pause holds a download where it is; an abort ends it', async () => {
  const { ImageID } = await upload('1.6.0', 4_000_000)
  simulated('F-1').updater.habits.pieceBytes = 2_048
  const made = await begin(ImageID, ['F-1', 'F-2'], [{ Kind: 'count', Amount: 1 }])
  const params = { CampaignID: made.CampaignID }
  await until(async () => expect((await upgradeOf(made, 'F-1'))?.Progress).toBeGreaterThan(0.01))
  await stack.client.call(steerCampaign, { params, body: { Act: 'pause' } })
  expect(await upgradeOf(made, 'F-1')).toMatchObject({ State: 'waiting', Waiting: 'paused' })
  const held = simulated('F-1').updater.have
  await simulated('F-1').powerLoss()
  await stack.server.ingest.drained()
  expect(await upgradeOf(made, 'F-1')).toMatchObject({ State: 'waiting' })
  expect(simulated('F-1').updater.have).toBeLessThanOrEqual(held + 2_048)
  await stack.client.call(steerCampaign, { params, body: { Act: 'goOn' } })
  await until(async () => expect(await upgradeOf(made, 'F-1')).toMatchObject({ State: 'downloading' }))
  expect(await stack.client.call(steerCampaign, { params, body: { Act: 'abort' } })).toMatchObject({ State: 'aborted' })
  expect((await upgrades(made)).map(({ State }) => State)).toEqual(['cancelled', 'cancelled'])
  expect(simulated('F-1').updater.version).toBe('1.2.0')
})

/** Runs SQL as the owner of the database. */
async function owned<T>(
  work: (query: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>) => Promise<T>,
): Promise<T> {
  const client = await stack.server.database.connect()
  return work((text, values) => client.query(text, values)).finally(() => client.end())
}

test('an abort that could not be stored whole says so, and ends by itself', async () => {
  const { ImageID } = await upload('1.6.1', 4_000_000)
  simulated('F-1').updater.habits.pieceBytes = 2_048
  const made = await begin(ImageID, ['F-1', 'F-2'], [{ Kind: 'count', Amount: 1 }])
  const params = { CampaignID: made.CampaignID }
  await until(async () => expect(await upgradeOf(made, 'F-1')).toMatchObject({ State: 'downloading' }))
  await owned((query) =>
    query(`create function no_cancel() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
      create trigger no_cancel before update on firmware_upgrade for each row when (new.state = 'cancelled') execute function no_cancel()`),
  )
  expect(await outcomeOf(stack.client.call(steerCampaign, { params, body: { Act: 'abort' } }))).toBe('failed')
  expect(await campaign(made)).toMatchObject({ State: 'aborted', EndedAt: null })
  await owned((query) => query('drop trigger no_cancel on firmware_upgrade; drop function no_cancel()'))
  await until(async () => expect((await campaign(made)).EndedAt).not.toBeNull())
  expect((await upgrades(made)).map(({ State }) => State)).toEqual(['cancelled', 'cancelled'])
})

test('an image that is being withdrawn begins no campaign', async () => {
  const ImageID = await uploaded('1.6.1')
  await owned(async (query) => {
    await query('begin')
    await query("update firmware_image set state = 'withdrawn' where image_id = $1", [ImageID])
    const starting = outcomeOf(begin(ImageID, ['F-1'], []))
    // It waits for the row: what it read of the image before is not true any more.
    await until(async () => expect((await query('select 1 from pg_locks where not granted')).rows).not.toEqual([]))
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
  const { ImageID } = await upload('1.7.0')
  simulated('F-4').behaviour.mechanismMs = 2_500
  await trip('F-4-T1')
  const made = await begin(ImageID, ['F-4'], [])
  await until(async () => expect(await upgradeOf(made, 'F-4')).toMatchObject({ State: 'waiting', Waiting: 'busy' }))
  await ended(made)
  expect(await upgradeOf(made, 'F-4')).toMatchObject({ State: 'success', Firmware: '1.7.0' })
  expect(executedOn('F-4-T1')).toMatchObject(done)
})

test('nothing is offered or installed while somebody stands before a line of the gateway or works at it, and it says why', async () => {
  const ImageID = await uploaded('1.7.0')
  const gateway = stack.server.plant.gatewayByNumber.get('F-2')
  const [line] = [...(gateway?.devices.values() ?? [])].flatMap(({ lines }) => [...lines.values()])
  if (!gateway || !line) throw new Error('F-2 has no line')
  const { updater } = simulated('F-2')
  updater.habits.pieceBytes = 1_024
  await stack.client.call(inspect, { body: { DeviceID: gateway.id } })
  const made = await begin(ImageID, ['F-2'], [])
  await until(async () => expect(await upgradeOf(made, 'F-2')).toMatchObject({ State: 'waiting', Waiting: 'inspection' }))
  for (const { lines } of gateway.devices.values()) for (const each of lines.values()) each.inspectionUntil = null
  await until(async () => expect(await upgradeOf(made, 'F-2')).toMatchObject({ State: 'downloading' }))
  const at = { ControllerID: line.device.controllerId, LineNo: line.lineNo }
  const TagID = crypto.randomUUID()
  await stack.client.call(placeTag, { params: at, body: { TagID, Kind: 'lock', Reason: '更换电缆头' } })
  updater.habits.pieceBytes = 65_536
  await until(async () => expect(await upgradeOf(made, 'F-2')).toMatchObject({ State: 'ready', Waiting: 'tagged' }))
  await stack.client.call(removeTag, { params: { ...at, TagID }, body: {} })
  await ended(made)
  expect(updater.version).toBe('1.7.0')
})

test('a gateway that holds the image installs it only after the command that came meanwhile', async () => {
  const ImageID = await uploaded('1.7.0')
  const { updater, behaviour } = simulated('F-5')
  updater.habits.pieceBytes = 1_024
  behaviour.mechanismMs = 4_000
  const made = await begin(ImageID, ['F-5'], [])
  await until(async () => expect(await upgradeOf(made, 'F-5')).toMatchObject({ State: 'downloading' }))
  await trip('F-5-T1')
  updater.habits.pieceBytes = 65_536
  await until(async () => expect(await upgradeOf(made, 'F-5')).toMatchObject({ State: 'ready', Progress: 1 }))
  expect(executedOn('F-5-T1')).toEqual([])
  await ended(made)
  expect(executedOn('F-5-T1')).toMatchObject(done)
  expect(updater.version).toBe('1.7.0')
})

test('a trip that comes while it installs is carried out before it restarts', async () => {
  const ImageID = await uploaded('1.7.0')
  const { updater, behaviour } = simulated('F-3')
  updater.habits.installMs = 2_000
  behaviour.mechanismMs = 3_000
  const made = await begin(ImageID, ['F-3'], [])
  await until(async () => expect(await upgradeOf(made, 'F-3')).toMatchObject({ State: 'installing' }))
  await trip('F-3-T1')
  await ended(made)
  expect(executedOn('F-3-T1')).toMatchObject(done)
  expect(updater.version).toBe('1.7.0')
})

test('a withdrawn image is offered to nobody, and its version is not taken again', async () => {
  const { items } = await stack.client.call(listFirmware)
  const newest = items.find(({ Version }) => Version === '1.7.0')
  await stack.client.call(withdrawFirmware, { params: { ImageID: newest?.ImageID ?? 0 } })
  expect(await outcomeOf(begin(newest?.ImageID ?? 0, ['F-1'], []))).toBe('firmware not ready')
  expect(await stack.client.call(controllerVersion, { body: { DeviceID: idOf('F-1') } })).toMatchObject({
    Latest: { Version: '1.6.0' },
  })
  expect(await outcomeOf(upload('1.7.0'))).toBe('firmware same version')
})

test('a JSON gateway fetches by asking; nobody gets a byte of an upgrade that is not its own', async () => {
  const HouseID = houseOf('F-1')
  const [own, other] = await Promise.all(
    ['F-JSON', 'F-CURIOUS'].map(async (number) => {
      const { Secret } = await stack.client.call(addGateway, { body: { HouseID, ...newGateway(number), Platform: 'json' } })
      return jsonGateway(stack.server.mqttPort, number, Secret)
    }),
  )
  if (!own || !other) throw new Error('both connect')
  await own.say('birth', { values: { 'info/model': 'LW-J1', 'info/firmware': '1.0.0' }, devices: [] })
  await stack.server.ingest.drained()
  const bytes = randomBytes(100_000)
  await uploadFirmware(stack.client, signFirmware(signer, { model: 'LW-J1', version: '1.0.1', bytes }))
  await stack.client.call(upgradeController, { body: { DeviceID: idOf('F-JSON') } })
  const { id } = JSON.parse((await own.heard('offer')).toString()) as { id: string }
  await other.say('upgrade', { id, offset: 0, length: 100 })
  await other.heard('stop')
  expect(other.pieces()).toEqual([])
  await own.say('upgrade', { id, offset: 0, length: 65_536 })
  await own.heard(`piece/${id}/0`)
  await own.say('upgrade', { id, offset: 65_536, length: 65_536 })
  await own.heard(`piece/${id}/65536`)
  expect(Buffer.concat(own.pieces()).equals(bytes)).toBe(true)
  const before = stack.server.ingest.status().Quarantined
  await own.say('upgrade', { id, offset: 0, length: 65_537 })
  await own.say('upgrade', { id, state: 'success' })
  await until(async () => expect(stack.server.ingest.status().Quarantined).toBe(before + 2))
  await own.say('upgrade', { id, state: 'ready' })
  await own.heard('install')
  await own.say('birth', { values: { 'info/model': 'LW-J1', 'info/firmware': '1.0.1' }, devices: [] })
  await until(async () =>
    expect(await stack.client.call(controllerVersion, { body: { DeviceID: idOf('F-JSON') } })).toMatchObject({
      Version: '1.0.1',
      Upgrade: { State: 'success' },
    }),
  )
  own.end()
  other.end()
})
