import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PushPlatform } from '@linewarden/contract'
import {
  addGateway,
  addPush,
  analyseStatus,
  deletePush,
  editPush,
  enableGateway,
  lineCommands,
  lineDetails,
  listEvents,
  listJournal,
  listPushes,
  nt8141Silencing,
  operationPermit,
  quarantine,
  rotatePush,
  setReportingInterval,
  settingHistory,
  transferProject,
  updateLine,
} from '@linewarden/contract'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { ctwingReport, oneNetBody, oneNetReport, oneNetSignature, pushTo } from '@linewarden/simulator'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { jsonGateway } from '../../kit/json-gateway.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newProject, startTwoOwners } from '../../kit/two-owners.ts'

let all: TwoOwners
let HouseID = 0
const aesKey = '0123456789abcdef'
const products = [
  { ProductID: 'pSmoke', Model: 'NT8141' },
  { ProductID: 'pWater', Model: 'WI-4G' },
  { ProductID: 'pGas', Model: 'GAS-1' },
  { ProductID: 'pFire', Model: 'TCQ-LTE' },
]

beforeAll(async () => {
  all = await startTwoOwners()
})
// Subscriptions of a project are limited.
beforeEach(async () => {
  HouseID = (await newProject(all.anna, '窄带项目')).HouseID
})
afterAll(() => all?.close())

/** A subscription of its own, with the address and the secret that the platform gets. */
async function subscribed(Platform: PushPlatform, more: { AesKey?: string } = {}) {
  const made = await all.anna.call(addPush, {
    body: { HouseID, Platform, Name: `${Platform} 推送`, Products: products, ...more },
  })
  const base = all.stack.url + made.Push.Path
  const url = Platform === 'ctwing' ? `${base}/${made.Secret}` : base
  return { ...made, base, url }
}

async function detector(number: string) {
  const gateway = { ...newGateway(number), DeviceType: 'NB', Platform: 'json' } as const
  const { Gateway } = await all.anna.call(addGateway, { body: { HouseID, ...gateway } })
  return { number, imei: gateway.IMEI, DeviceID: Gateway.DeviceID }
}

const settled = () => all.stack.server.push.drained()
const lineOf = (number: string) => all.anna.call(lineDetails, { params: { ControllerID: number, LineNo: 0 } })
const recordOf = async (PushID: number) =>
  (await all.anna.call(listPushes, { query: { HouseID } })).items.find((each) => each.PushID === PushID)
const aside = async (pushId: number) =>
  (await all.platform.call(quarantine, { query: { Size: 100 } })).items.filter(({ Topic }) => Topic.endsWith(`/${pushId}`))

describe('OneNET', () => {
  test('checks the address by a signed word and gets it back, character for character', async () => {
    const { url, Secret } = await subscribed('onenet')
    const query = (msg: string, signature: string) => fetch(`${url}?${new URLSearchParams({ msg, nonce: 'n1', signature })}`)
    const right = await query('word+1', oneNetSignature(Secret, 'n1', 'word+1'))
    expect([right.status, await right.text()]).toEqual([200, 'word+1'])
    const wrong = await query('word+1', oneNetSignature('another', 'n1', 'word+1'))
    expect([wrong.status, (await wrong.json()).Message]).toEqual([401, 'push signature wrong'])
  })

  test('pushes a smoke detector by the name it has there: it is born, its values are live, its alarm is raised', async () => {
    const { url, Secret, Push } = await subscribed('onenet')
    const { number } = await detector('NB-SMOKE-1')
    const at = Date.now() - 1_000
    const report = oneNetReport(number, 'pSmoke', { smoke_value: 12.5, battery: 81, rsrp: -97, smoke_state: 1 }, at)
    expect(await pushTo(url, oneNetBody(Secret, report))).toEqual({ status: 200, Code: 1, Message: '' })
    await settled()
    const line = await lineOf(number)
    expect(line).toMatchObject({ Family: 'nt8141', Link: { Link: 'online' }, State: { At: at } })
    const events = await all.anna.call(listEvents, { body: { HouseID } })
    expect(events.items.filter(({ ControllerID }) => ControllerID === number).map(({ Key }) => Key)).toContain('smoke.alarm')
    expect(await recordOf(Push.PushID)).toMatchObject({ Accepted: 1, Refused: 0, Duplicates: 0, SetAside: 0, Waiting: 0 })
  })

  test('pushes data points of its older products, and many in one message', async () => {
    const { url, Secret } = await subscribed('onenet')
    const { imei, number } = await detector('NB-OLD-1')
    const at = Date.now() - 1_000
    const point = (ds_id: string, value: number) => ({ type: 1, dev_id: 2016617, imei, ds_id, at, value, productId: 'pSmoke' })
    await pushTo(url, oneNetBody(Secret, [point('battery', 64), point('temperature', 21.5)]))
    await settled()
    expect((await lineOf(number)).State.At).toBe(at)
  })

  test('pushes encrypted: it opens with the AES key, and is kept aside without', async () => {
    const { url, Secret, Push } = await subscribed('onenet', { AesKey: aesKey })
    const { number } = await detector('NB-AES-1')
    const at = Date.now() - 1_000
    await pushTo(url, oneNetBody(Secret, oneNetReport(number, 'pWater', { water: 1, battery: 50 }, at), { aesKey }))
    await settled()
    expect(await lineOf(number)).toMatchObject({ Family: 'waterImmersion', State: { At: at } })
    const Version = (await recordOf(Push.PushID))?.Version ?? 0
    const { PushID } = Push
    await all.anna.call(editPush, {
      body: { HouseID, PushID, Name: 'x', Products: products, Enabled: true, AesKey: null, Version },
    })
    await pushTo(url, oneNetBody(Secret, oneNetReport(number, 'pWater', { water: 0 }, at + 1), { aesKey }))
    await settled()
    expect((await aside(PushID)).map(({ Reason }) => Reason)).toEqual(['push_encrypted'])
  })
})

describe('CTWing', () => {
  test('pushes a gas detector by its IMEI, with the key at the end of the address', async () => {
    const { url } = await subscribed('ctwing')
    const { imei, number } = await detector('NB-GAS-1')
    const at = Date.now() - 1_000
    expect(
      await pushTo(url, JSON.stringify(ctwingReport(imei, 'pGas', { gas_value: 3.2, gas_sensor_state: 0 }, at))),
    ).toMatchObject({
      status: 200,
      Code: 1,
    })
    await settled()
    expect(await lineOf(number)).toMatchObject({ Family: 'gas', Link: { Link: 'online' }, State: { At: at } })
  })

  test('pushes an event, and JSON of a transparent product', async () => {
    const { url } = await subscribed('ctwing')
    const { imei, number } = await detector('NB-EVENT-1')
    const at = Date.now() - 2_000
    const event = { ...ctwingReport(imei, 'pSmoke', {}, at), messageType: 'eventReport', eventContent: { smoke_state: 1 } }
    const carried = Buffer.from(JSON.stringify({ battery: 44 })).toString('base64')
    await pushTo(url, JSON.stringify(event))
    await pushTo(url, JSON.stringify({ ...ctwingReport(imei, 'pSmoke', {}, at + 1_000), payload: { APPdata: carried } }))
    await settled()
    expect((await lineOf(number)).State.At).toBe(at + 1_000)
  })
})

describe('what only a platform pushes cannot be operated from here:', () => {
  const words = {
    zh: '该设备只经平台推送上报，不能从这里下发',
    en: 'This device reports by platform push only and cannot be operated from here',
  }
  const unsent = { zh: `无法下发：${words.zh}`, en: `Cannot be sent: ${words.en}` }
  const order = () => ({ CommandID: crypto.randomUUID(), Reason: '测试' })

  test('the permit of silencing says so beforehand, and whoever presses is refused with those words', async () => {
    const { url, Secret } = await subscribed('onenet')
    const { number } = await detector('NB-REACH-1')
    const target = { ControllerID: number, LineNo: 0 }
    await pushTo(
      url,
      oneNetBody(Secret, oneNetReport(number, 'pSmoke', { battery: 81, smoke_state: 1, sounder: 1 }, Date.now() - 1_000)),
    )
    await settled()
    const permit = await all.anna.call(operationPermit, { params: { ...target, attr: 'silence' } })
    expect(permit.MayClose).toBe(false)
    expect(permit.Conditions.filter(({ Met }) => !Met)).toMatchObject([{ Key: 'reachable', Why: words }])
    const pressed = all.anna.call(nt8141Silencing, { body: { ControllerID: number, ...order() } })
    await expect(pressed).rejects.toMatchObject({
      message: 'silence not possible',
      problem: { failure: { Text: { zh: `无法消音：${words.zh}`, en: `Cannot be silenced: ${words.en}` } } },
    })
    expect((await all.anna.call(lineCommands, { params: target, query: {} })).items).toEqual([])
  })

  test('its settings are shown as such, and neither they nor its reporting interval are ordered', async () => {
    const { url, Secret } = await subscribed('onenet')
    const { number, DeviceID } = await detector('NB-REACH-2')
    const target = { ControllerID: number, LineNo: 0 }
    await pushTo(url, oneNetBody(Secret, oneNetReport(number, 'pFire', { residual: 20 }, Date.now() - 1_000)))
    await settled()
    expect((await all.anna.call(analyseStatus, { body: { Targets: [target] } })).items).toMatchObject([
      { Link: 'online', Unreachable: unsent },
    ])
    const Settings = [{ Key: 'residual.alarm', Value: 400 }]
    const refused = { message: 'not reachable', problem: { failure: { Text: unsent } } }
    await expect(all.anna.call(updateLine, { body: { ...target, Settings, ...order() } })).rejects.toMatchObject(refused)
    await expect(all.anna.call(setReportingInterval, { body: { DeviceID, Seconds: 60, ...order() } })).rejects.toMatchObject(
      refused,
    )
    expect((await all.anna.call(settingHistory, { body: { Target: target } })).items).toEqual([])
  })
})

describe('a push is refused, and nothing changes, when', () => {
  const device = () => ctwingReport('860000000000000', 'pGas', { gas_value: 1 }, Date.now())

  test('its signature is wrong: it is counted, and in the log of the project', async () => {
    const { url, Push } = await subscribed('onenet')
    const body = () => oneNetBody('not the token', oneNetReport('NB-SMOKE-1', 'pSmoke', { smoke_value: 99 }, Date.now()))
    for (let i = 0; i < 3; i++) expect(await pushTo(url, body())).toMatchObject({ status: 401, Message: 'push signature wrong' })
    await settled()
    expect(await recordOf(Push.PushID)).toMatchObject({ Accepted: 0, Refused: 3, LastRefusal: { zh: '推送签名或密钥不正确' } })
    const journal = await all.anna.call(listJournal, { body: { Action: 'push.receive', Size: 200 } })
    // Three in a row are one line, so that nobody floods the log.
    expect(journal.items.filter(({ Target }) => Target.endsWith(`push ${Push.PushID}`))).toHaveLength(1)
  })

  test.each(['/0', '', '/not-the-key'])('the key of CTWing is %j', async (key) => {
    const { base } = await subscribed('ctwing')
    expect(await pushTo(base + key, JSON.stringify(device()))).toMatchObject({ status: 401, Message: 'push signature wrong' })
  })

  test('there is no such subscription, told in the same words', async () => {
    const body = JSON.stringify(device())
    for (const path of ['/api/v1/push/999999', '/api/v1/push/abc', '/api/v1/push/999999/key'])
      expect(await pushTo(all.stack.url + path, body)).toMatchObject({ status: 401, Message: 'push signature wrong' })
  })

  test('its time is hours from now', async () => {
    const { url } = await subscribed('ctwing')
    for (const timestamp of [Date.now() - 4 * 3_600_000, Date.now() + 3_600_000])
      expect(await pushTo(url, JSON.stringify({ ...device(), timestamp }))).toMatchObject({
        status: 401,
        Message: 'push too old',
      })
  })

  test('it is no JSON, of another form, or too large', async () => {
    const { url, Push } = await subscribed('ctwing')
    expect(await pushTo(url, '{')).toMatchObject({ status: 400, Message: 'body malformed' })
    expect(await recordOf(Push.PushID)).toMatchObject({ Refused: 0 })
    expect(await pushTo(url, '[1]')).toMatchObject({ status: 400, Message: 'body malformed' })
    // The key was right, so it is counted where the project's administrator sees it.
    expect(await recordOf(Push.PushID)).toMatchObject({ Refused: 1 })
    expect(await pushTo(url, JSON.stringify({ ...device(), pad: 'x'.repeat(300_000) }))).toMatchObject({ status: 413 })
  })

  test('the subscription is disabled, removed, or has a new secret', async () => {
    const { url, Push, Secret } = await subscribed('onenet')
    const { PushID, Version } = Push
    const body = () => oneNetBody(Secret, oneNetReport('NB-SMOKE-1', 'pSmoke', { battery: 1 }, Date.now()))
    await all.anna.call(editPush, { body: { HouseID, PushID, Name: 'x', Products: products, Enabled: false, Version } })
    expect(await pushTo(url, body())).toMatchObject({ status: 403, Message: 'push disabled' })
    const { Secret: renewed } = await all.anna.call(rotatePush, { body: { HouseID, PushID } })
    expect(renewed).not.toBe(Secret)
    expect(await pushTo(url, body())).toMatchObject({ status: 401, Message: 'push signature wrong' })
    await all.anna.call(deletePush, { body: { HouseID, PushID } })
    expect(await pushTo(url, body())).toMatchObject({ status: 401, Message: 'push signature wrong' })
  })
})

test('whoever had the project before pushes for it no more; its new owner is told so, and makes a new secret', async () => {
  const [oneNet, ctwing] = [await subscribed('onenet'), await subscribed('ctwing')]
  const { PushID } = oneNet.Push
  const signed = (secret: string) =>
    pushTo(oneNet.url, oneNetBody(secret, oneNetReport('NB-NOWHERE', 'pSmoke', { battery: 1 }, Date.now())))
  const keyed = () => pushTo(ctwing.url, JSON.stringify(ctwingReport('860000000000000', 'pGas', { gas_value: 1 }, Date.now())))
  const moved = await all.platform.call(transferProject, { body: { HouseID, Version: 1 } })
  expect([await signed(oneNet.Secret), await keyed()]).toMatchObject([{ status: 200 }, { status: 200 }])
  await all.platform.call(transferProject, { body: { HouseID, UserName: '13900000002', Version: moved.Version } })
  expect([await signed(oneNet.Secret), await keyed()]).toMatchObject([
    { status: 401, Message: 'push signature wrong' },
    { status: 401, Message: 'push signature wrong' },
  ])
  const { items } = await all.bert.call(listPushes, { query: { HouseID } })
  const shut = { Enabled: false, OwnerChangedAt: expect.any(Number) }
  expect(items).toMatchObject([shut, shut])
  const entries = await all.platform.call(listJournal, { body: { Action: 'push.shut', Size: 10 } })
  expect(entries.items.map(({ Target }) => Target).toSorted()).toEqual(
    [oneNet, ctwing].map(({ Push }) => `project ${HouseID} push ${Push.PushID}`).toSorted(),
  )

  const { Push, Secret } = await all.bert.call(rotatePush, { body: { HouseID, PushID } })
  expect(Push).toMatchObject({ Enabled: false, OwnerChangedAt: null })
  expect(await signed(Secret)).toMatchObject({ status: 403, Message: 'push disabled' })
  await all.bert.call(editPush, {
    body: { HouseID, PushID, Name: 'x', Products: products, Enabled: true, Version: Push.Version },
  })
  expect(await signed(Secret)).toMatchObject({ status: 200, Code: 1 })
})

test('what is pushed again, or replayed with another time, is answered and done once', async () => {
  const { url, Secret, Push } = await subscribed('onenet')
  const { number } = await detector('NB-TWICE-1')
  const first = oneNetBody(Secret, oneNetReport(number, 'pSmoke', { battery: 70 }, Date.now() - 5_000))
  expect(await pushTo(url, first)).toMatchObject({ status: 200, Code: 1 })
  await pushTo(url, oneNetBody(Secret, oneNetReport(number, 'pSmoke', { battery: 60 }, Date.now())))
  await settled()
  const before = await lineOf(number)
  expect(await pushTo(url, first)).toMatchObject({ status: 200, Message: 'push duplicate' })
  // OneNET's signature covers neither time nor id.
  const replayed = JSON.stringify({ ...JSON.parse(first), time: Date.now(), id: 'another' })
  expect(await pushTo(url, replayed)).toMatchObject({ status: 200, Message: 'push duplicate' })
  await settled()
  expect(await lineOf(number)).toMatchObject({ State: before.State })
  expect(await recordOf(Push.PushID)).toMatchObject({ Accepted: 2, Duplicates: 2 })
})

test('a flood of wrong pushes is refused faster and noted once; rightly signed ones from the same address are taken', async () => {
  const { url, Secret, Push } = await subscribed('onenet')
  const { number } = await detector('NB-FLOOD-1')
  const wrong = () => pushTo(url, oneNetBody('not the token', oneNetReport(number, 'pSmoke', { battery: 1 }, Date.now())))
  const all = await Promise.all(Array.from({ length: 60 }, wrong))
  expect(all.map(({ Message }) => Message)).toContain('push too fast')
  const right = oneNetBody(Secret, oneNetReport(number, 'pSmoke', { battery: 70 }, Date.now() - 1_000))
  expect(await pushTo(url, right)).toMatchObject({ status: 200, Code: 1 })
  await settled()
  const Refused = (await recordOf(Push.PushID))?.Refused ?? 0
  expect(Refused).toBe(all.filter(({ Message }) => Message === 'push signature wrong').length)
})

test('two equal reports are two when the platform says so by another nonce; the same signed bytes are one', async () => {
  const { url, Secret, Push } = await subscribed('onenet')
  const { number } = await detector('NB-EQUAL-1')
  const msg = ` ${JSON.stringify(oneNetReport(number, 'pSmoke', { battery: 70 }, Date.now() - 1_000))}`
  const send = (nonce: string, text: string) =>
    pushTo(url, JSON.stringify({ msg: text, nonce, signature: oneNetSignature(Secret, nonce, text), time: Date.now() }))
  expect(await send('one', msg)).toMatchObject({ Code: 1, Message: '' })
  expect(await send('two', msg)).toMatchObject({ Code: 1, Message: '' })
  // The signature does not say where the nonce ends.
  expect(await send('one ', msg.slice(1))).toMatchObject({ Message: 'push duplicate' })
  expect(await recordOf(Push.PushID)).toMatchObject({ Accepted: 2, Duplicates: 1 })
})

describe('of a message of OneNET', () => {
  async function asideOf(message: unknown) {
    const { url, Secret, Push } = await subscribed('onenet')
    expect(await pushTo(url, oneNetBody(Secret, message))).toMatchObject({ status: 200, Code: 1 })
    await settled()
    return (await aside(Push.PushID)).map(({ Reason }) => Reason)
  }

  test('that says nowhere when it was measured nothing is taken', async () => {
    const { number } = await detector('NB-UNDATED-1')
    const report = oneNetReport(number, 'pSmoke', {}, 0)
    const undated = { ...report, data: { ...report.data, params: { battery: { value: 80 } } } }
    expect(await asideOf(undated)).toEqual(['time'])
    expect(all.stack.server.plant.deviceByControllerId.get(number)).toBeUndefined()
  })

  test('in seconds nothing is taken, and it is told as that', async () => {
    const { number } = await detector('NB-SECONDS-1')
    const seconds = Math.round(Date.now() / 1_000)
    expect(await asideOf(oneNetReport(number, 'pSmoke', { battery: 1 }, seconds))).toEqual(['time_unit'])
  })

  test('with more than 200 reports nothing is taken, and one copy is kept', async () => {
    const report = oneNetReport('NB-MANY-1', 'pSmoke', { battery: 1 }, Date.now())
    expect(await asideOf(Array(201).fill(report))).toEqual(['push_form'])
  })

  test('one copy is kept for each reason, however many of its reports are bad', async () => {
    const at = Date.now()
    const { number } = await detector('NB-REASONS-1')
    const unknown = Array.from({ length: 5 }, (_, i) => oneNetReport(`NB-NOWHERE-${i}`, 'pSmoke', { battery: 1 }, at))
    const other = [1, 2].map(() => oneNetReport(number, 'pOther', { battery: 1 }, at))
    expect((await asideOf([...unknown, ...other])).toSorted()).toEqual(['unknown_device', 'unknown_product'])
    const [one, two] = [await detector('NB-BAD-1'), await detector('NB-BAD-2')]
    const bad = [one, two, one].map((each, i) => oneNetReport(each.number, 'pSmoke', { smoke_state: 99 }, at + i))
    expect(await asideOf(bad)).toEqual(['unknown_state'])
  })
})

test('a breaker gateway is made no detector, whether it is connected or away', async () => {
  const { url, Push } = await subscribed('ctwing')
  const gateway = { ...newGateway('NB-BREAKER-1'), Platform: 'json' } as const
  const { Gateway, Secret } = await all.anna.call(addGateway, { body: { HouseID, ...gateway } })
  const { plant, ingest, mqttPort } = all.stack.server
  const push = async () => {
    await pushTo(url, JSON.stringify(ctwingReport(gateway.IMEI, 'pGas', { gas_value: 3 }, Date.now())))
    await settled()
    return (await aside(Push.PushID)).map(({ Detail }) => Detail)
  }
  const own = await jsonGateway(mqttPort, gateway.Number, Secret)
  expect(await push()).toEqual(['gateway NB-BREAKER-1 is connected by MQTT'])
  await own.say('birth', { devices: [{ id: 'NB-B-1', values: { 'info/model': '1PN', '1/position': 'closed' } }] })
  await ingest.drained()
  own.end()
  const known = plant.gateways.get(Gateway.DeviceID)
  await vi.waitFor(() => expect(known && ingest.isConnected(known)).toBe(false))
  expect(await push()).toContain('gateway NB-BREAKER-1 is no detector of its own')
  expect(plant.deviceByControllerId.get('NB-B-1')?.model).toBe('1PN')
  expect([...(known?.devices.keys() ?? [])]).toHaveLength(1)
})

describe('is accepted and kept aside with its reason:', () => {
  async function reasonOf(report: (at: number) => object): Promise<string[]> {
    const { url, Push } = await subscribed('ctwing')
    expect(await pushTo(url, JSON.stringify(report(Date.now())))).toMatchObject({ status: 200, Code: 1 })
    await settled()
    expect(await recordOf(Push.PushID)).toMatchObject({ Accepted: 1, SetAside: 1, Waiting: 0 })
    return (await aside(Push.PushID)).map(({ Reason }) => Reason)
  }

  test('a device that the project does not have', async () => {
    expect(await reasonOf((at) => ctwingReport('861111111111111', 'pGas', { gas_value: 1 }, at))).toEqual(['unknown_device'])
  })

  test('a device of another project, whoever owns it', async () => {
    const other = await newProject(all.bert, '别人的项目')
    const gateway = newGateway('NB-BERT-1')
    await all.bert.call(addGateway, { body: { HouseID: other.HouseID, ...gateway } })
    expect(await reasonOf((at) => ctwingReport(gateway.IMEI, 'pGas', { gas_value: 1 }, at))).toEqual(['unknown_device'])
  })

  test('a product that has no model', async () => {
    const { imei } = await detector('NB-NOMODEL-1')
    expect(await reasonOf((at) => ctwingReport(imei, 'pOther', { gas_value: 1 }, at))).toEqual(['unknown_product'])
  })

  test('such a product of a detector that is known', async () => {
    const { imei } = await detector('NB-KNOWN-1')
    const { url } = await subscribed('ctwing')
    const report = (product: string) => ctwingReport(imei, product, { gas_value: 1 }, Date.now())
    expect(await pushTo(url, JSON.stringify(report('pGas')))).toMatchObject({ Code: 1 })
    await settled()
    expect(await reasonOf(() => report('pOther'))).toEqual(['unknown_product'])
  })

  test('a gateway that is disabled', async () => {
    const { imei, DeviceID } = await detector('NB-OFF-1')
    await all.anna.call(enableGateway, { params: { DeviceID }, body: { Enabled: false } })
    expect(await reasonOf((at) => ctwingReport(imei, 'pGas', { gas_value: 1 }, at))).toEqual(['disabled'])
  })

  test.each([
    ['bytes of a transparent product', { payload: { APPdata: 'AQFWMS4wAA==' } }],
    ['no device', { IMEI: '', deviceId: '' }],
    ['a device name no database holds', { IMEI: '\u0000', deviceId: ' ', payload: 7 }],
  ])('%s', async (_, change) => {
    expect(await reasonOf((at) => ({ ...ctwingReport('862222222222222', 'pGas', {}, at), ...change }))).toHaveLength(1)
  })
})

test('nobody sees or changes the subscriptions of somebody else', async () => {
  const annas = (await newProject(all.anna, '安娜的第二项目')).HouseID
  const body = { HouseID: annas, Platform: 'onenet', Name: 'x', Products: products } as const
  const { Push } = await all.anna.call(addPush, { body })
  const target = { HouseID: (await newProject(all.bert, '伯特项目')).HouseID, PushID: Push.PushID }
  expect(await outcomeOf(all.bert.call(listPushes, { query: { HouseID: annas } }))).toBe('project not exists')
  expect(await outcomeOf(all.bert.call(rotatePush, { body: target }))).toBe('push not exists')
  expect(await outcomeOf(all.bert.call(deletePush, { body: target }))).toBe('push not exists')
})

test('products and keys that cannot work are refused in words', async () => {
  const body = { HouseID, Platform: 'onenet', Name: 'x' } as const
  const twice = [products[0], products[0]].flatMap((each) => each ?? [])
  expect(await outcomeOf(all.anna.call(addPush, { body: { ...body, Products: twice } }))).toBe('product twice')
  const breaker = [{ ProductID: 'p', Model: '3PN' }]
  expect(await outcomeOf(all.anna.call(addPush, { body: { ...body, Products: breaker } }))).toBe('model unknown')
  const keyed = { ...body, Platform: 'ctwing' as const, Products: products, AesKey: aesKey }
  expect(await outcomeOf(all.anna.call(addPush, { body: keyed }))).toBe('push encryption wrong')
})

test('what was accepted and not yet processed when the server stopped is processed by the next', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linewarden-push-'))
  const owners = await startTwoOwners({ dataDir })
  const { anna, stack } = owners
  try {
    const house = (await newProject(anna, '重启项目')).HouseID
    const gateway = newGateway('NB-RESTART-1')
    await anna.call(addGateway, { body: { HouseID: house, ...gateway } })
    const made = await anna.call(addPush, { body: { HouseID: house, Platform: 'ctwing', Name: 'x', Products: products } })
    // The door stays open, nothing behind it works any more: the moment a server dies in.
    await stack.server.push.close()
    const at = Date.now() - 1_000
    const reply = await pushTo(
      `${stack.url}${made.Push.Path}/${made.Secret}`,
      JSON.stringify(ctwingReport(gateway.IMEI, 'pGas', { gas_value: 2 }, at)),
    )
    expect(reply).toMatchObject({ status: 200, Code: 1 })
    expect((await anna.call(listPushes, { query: { HouseID: house } })).items).toMatchObject([{ Accepted: 1, Waiting: 1 }])
    await owners.close()
    const config = readConfig({
      LINEWARDEN_PORT: '0',
      LINEWARDEN_MQTT_PORT: '0',
      LINEWARDEN_DATA: dataDir,
      LINEWARDEN_LOG: 'error',
    })
    const server = await compose(config, { log: pino({ level: 'error' }, process.stderr), clock: Date.now, env: {} })
    try {
      await server.push.drained()
      const again = await signedIn(server.url, { userName: '13900000001', password: 'Owner-7391' })
      const line = await again.call(lineDetails, { params: { ControllerID: 'NB-RESTART-1', LineNo: 0 } })
      expect(line).toMatchObject({ Family: 'gas', State: { At: at } })
      expect((await again.call(listPushes, { query: { HouseID: house } })).items).toMatchObject([{ Accepted: 1, Waiting: 0 }])
    } finally {
      await server.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
