import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@linewarden/client'
import { campaignDetails, campaignUpgrades, startCampaign } from '@linewarden/contract'
import type { Server } from '@linewarden/server/compose'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import type { Fleet } from '@linewarden/simulator'
import { startFleet } from '@linewarden/simulator'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { seedPlan } from '../../../scripts/demo/seed.ts'
import { peopleChosePasswords } from '../../kit/chosen-passwords.ts'
import { firmwarePlan } from '../../kit/firmware-plan.ts'
import { firmwareSigner, signFirmware } from '../../kit/sign-firmware.ts'
import { signedIn } from '../../kit/stack.ts'
import { uploadFirmware } from '../../kit/upload-firmware.ts'

const signer = firmwareSigner('works')
let dataDir: string
let server: Server
let fleet: Fleet

const start = (mqttPort: number) =>
  compose(
    readConfig({
      LINEWARDEN_PORT: '0',
      LINEWARDEN_MQTT_PORT: String(mqttPort),
      LINEWARDEN_DATA: dataDir,
      LINEWARDEN_LOG: 'error',
      LINEWARDEN_FIRMWARE_KEYS: `${signer.name}:${signer.publicKey}`,
    }),
    { log: pino({ level: 'error' }, process.stderr), clock: Date.now, env: {} },
  )

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-firmware-'))
  server = await start(0)
  await peopleChosePasswords(server)
  const gateways = await seedPlan(server, firmwarePlan)
  fleet = startFleet(gateways, { url: `mqtt://127.0.0.1:${server.mqttPort}`, firmwareKeys: [signer.publicKey] })
  await fleet.ready
})
afterAll(async () => {
  await fleet?.close()
  await server?.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('a campaign goes on after a restart of the server: one downloading, one installing, one still to come', {
  timeout: 120_000,
}, async () => {
  const admin = server.accounts.firstPassword
  if (!admin) throw new Error('the first start prints a password')
  let client: Client = await signedIn(server.url, admin)
  const idOf = (number: string) => server.plant.gatewayByNumber.get(number)?.id ?? 0
  const habits = (number: string) => fleet.gateways.get(number)?.updater.habits ?? expect.fail(number)
  // So small that it is still downloading when the other has long begun to install, however fast the machine is.
  Object.assign(habits('F-1'), { pieceBytes: 64, askAgainMs: 500 })
  Object.assign(habits('F-2'), { installMs: 4_000 })

  const { ImageID } = await uploadFirmware(
    client,
    signFirmware(signer, { model: 'LW-G1', version: '1.1.0', bytes: randomBytes(1_000_000) }),
  )
  const { CampaignID } = await client.call(startCampaign, {
    body: {
      ImageID,
      Gateways: ['F-1', 'F-2', 'F-3'].map(idOf),
      Projects: [],
      Stages: [{ Kind: 'count', Amount: 2 }],
      FailureLimit: 0,
      Reason: 'test',
    },
  })
  const params = { CampaignID }
  const states = async () =>
    (await client.call(campaignUpgrades, { params, body: {} })).items.map(({ State, Firmware }) => [State, Firmware])
  const until = (fact: () => Promise<void>) => vi.waitFor(fact, { interval: 100 })
  await until(async () =>
    expect(await states()).toEqual([
      ['downloading', '1.0.0'],
      ['installing', '1.0.0'],
      ['waiting', '1.0.0'],
    ]),
  )
  const have = fleet.gateways.get('F-1')?.updater.have ?? 0
  expect(have).toBeGreaterThan(0)

  const port = server.mqttPort
  await server.close()
  server = await start(port)
  client = await signedIn(server.url, admin)
  // It goes on from what it holds.
  expect(fleet.gateways.get('F-1')?.updater.have).toBeGreaterThanOrEqual(have)
  habits('F-1').pieceBytes = 65_536
  await until(async () => expect(await client.call(campaignDetails, { params })).toMatchObject({ State: 'done' }))
  expect(await states()).toEqual([
    ['success', '1.1.0'],
    ['success', '1.1.0'],
    ['success', '1.1.0'],
  ])
})
