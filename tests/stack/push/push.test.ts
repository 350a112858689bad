import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addGateway,
  addPush,
  analyseStatus,
  editPush,
  lineCommands,
  lineDetails,
  listEvents,
  listPushes,
  nt8141Silencing,
  operationPermit,
  setReportingInterval,
  settingHistory,
  updateLine,
} from '@linewarden/contract'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { ctwingReport, oneNetBody, oneNetReport, oneNetSignature, pushTo } from '@linewarden/simulator'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PushHouse, pushedProducts } from '../../kit/push-house.ts'
import { signedIn } from '../../kit/stack.ts'
import { newGateway, newProject, startTwoOwners } from '../../kit/two-owners.ts'

let house: PushHouse
const aesKey = '0123456789abcdef'

beforeAll(async () => {
  house = await PushHouse.start()
})
beforeEach(() => house.anotherProject())
afterAll(() => house?.close())

describe('OneNET', () => {
  test('checks the address by a signed word and gets it back, character for character', async () => {
    const { url, Secret } = await house.subscribed('onenet')
    const query = (msg: string, signature: string) => fetch(`${url}?${new URLSearchParams({ msg, nonce: 'n1', signature })}`)
    const right = await query('word+1', oneNetSignature(Secret, 'n1', 'word+1'))
    expect([right.status, await right.text()]).toEqual([200, 'word+1'])
    const wrong = await query('word+1', oneNetSignature('another', 'n1', 'word+1'))
    expect([wrong.status, (await wrong.json()).Message]).toEqual([401, 'push signature wrong'])
  })

  test('pushes a smoke detector by the name it has there: it is born, its values are live, its alarm is raised', async () => {
    const { url, Secret, Push } = await house.subscribed('onenet')
    const { number } = await house.detector('NB-SMOKE-1')
    const at = Date.now() - 1_000
    const report = oneNetReport(number, 'pSmoke', { smoke_value: 12.5, battery: 81, rsrp: -97, smoke_state: 1 }, at)
    expect(await pushTo(url, oneNetBody(Secret, report))).toEqual({ status: 200, Code: 1, Message: '' })
    await house.settled()
    const line = await house.lineOf(number)
    expect(line).toMatchObject({ Family: 'nt8141', Link: { Link: 'online' }, State: { At: at } })
    const events = await house.all.anna.call(listEvents, { body: { HouseID: house.HouseID } })
    expect(events.items.filter(({ ControllerID }) => ControllerID === number).map(({ Key }) => Key)).toContain('smoke.alarm')
    expect(await house.recordOf(Push.PushID)).toMatchObject({ Accepted: 1, Refused: 0, Duplicates: 0, SetAside: 0, Waiting: 0 })
  })

  test('pushes data points of its older products, and many in one message', async () => {
    const { url, Secret } = await house.subscribed('onenet')
    const { imei, number } = await house.detector('NB-OLD-1')
    const at = Date.now() - 1_000
    const point = (ds_id: string, value: number) => ({ type: 1, dev_id: 2016617, imei, ds_id, at, value, productId: 'pSmoke' })
    await pushTo(url, oneNetBody(Secret, [point('battery', 64), point('temperature', 21.5)]))
    await house.settled()
    expect((await house.lineOf(number)).State.At).toBe(at)
  })

  test('pushes encrypted: it opens with the AES key, and is kept aside without', async () => {
    const { url, Secret, Push } = await house.subscribed('onenet', { AesKey: aesKey })
    const { number } = await house.detector('NB-AES-1')
    const at = Date.now() - 1_000
    await pushTo(url, oneNetBody(Secret, oneNetReport(number, 'pWater', { water: 1, battery: 50 }, at), { aesKey }))
    await house.settled()
    expect(await house.lineOf(number)).toMatchObject({ Family: 'waterImmersion', State: { At: at } })
    const Version = (await house.recordOf(Push.PushID))?.Version ?? 0
    const { PushID } = Push
    await house.all.anna.call(editPush, {
      body: { HouseID: house.HouseID, PushID, Name: 'x', Products: pushedProducts, Enabled: true, AesKey: null, Version },
    })
    await pushTo(url, oneNetBody(Secret, oneNetReport(number, 'pWater', { water: 0 }, at + 1), { aesKey }))
    await house.settled()
    expect((await house.aside(PushID)).map(({ Reason }) => Reason)).toEqual(['push_encrypted'])
  })
})

describe('CTWing', () => {
  test('pushes a gas detector by its IMEI, with the key at the end of the address', async () => {
    const { url } = await house.subscribed('ctwing')
    const { imei, number } = await house.detector('NB-GAS-1')
    const at = Date.now() - 1_000
    expect(
      await pushTo(url, JSON.stringify(ctwingReport(imei, 'pGas', { gas_value: 3.2, gas_sensor_state: 0 }, at))),
    ).toMatchObject({
      status: 200,
      Code: 1,
    })
    await house.settled()
    expect(await house.lineOf(number)).toMatchObject({ Family: 'gas', Link: { Link: 'online' }, State: { At: at } })
  })

  test('pushes an event, and JSON of a transparent product', async () => {
    const { url } = await house.subscribed('ctwing')
    const { imei, number } = await house.detector('NB-EVENT-1')
    const at = Date.now() - 2_000
    const event = { ...ctwingReport(imei, 'pSmoke', {}, at), messageType: 'eventReport', eventContent: { smoke_state: 1 } }
    const carried = Buffer.from(JSON.stringify({ battery: 44 })).toString('base64')
    await pushTo(url, JSON.stringify(event))
    await pushTo(url, JSON.stringify({ ...ctwingReport(imei, 'pSmoke', {}, at + 1_000), payload: { APPdata: carried } }))
    await house.settled()
    expect((await house.lineOf(number)).State.At).toBe(at + 1_000)
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
    const { url, Secret } = await house.subscribed('onenet')
    const { number } = await house.detector('NB-REACH-1')
    const target = { ControllerID: number, LineNo: 0 }
    await pushTo(
      url,
      oneNetBody(Secret, oneNetReport(number, 'pSmoke', { battery: 81, smoke_state: 1, sounder: 1 }, Date.now() - 1_000)),
    )
    await house.settled()
    const permit = await house.all.anna.call(operationPermit, { params: { ...target, attr: 'silence' } })
    expect(permit.MayClose).toBe(false)
    expect(permit.Conditions.filter(({ Met }) => !Met)).toMatchObject([{ Key: 'reachable', Why: words }])
    const pressed = house.all.anna.call(nt8141Silencing, { body: { ControllerID: number, ...order() } })
    await expect(pressed).rejects.toMatchObject({
      message: 'silence not possible',
      problem: { failure: { Text: { zh: `无法消音：${words.zh}`, en: `Cannot be silenced: ${words.en}` } } },
    })
    expect((await house.all.anna.call(lineCommands, { params: target, query: {} })).items).toEqual([])
  })

  test('its settings are shown as such, and neither they nor its reporting interval are ordered', async () => {
    const { url, Secret } = await house.subscribed('onenet')
    const { number, DeviceID } = await house.detector('NB-REACH-2')
    const target = { ControllerID: number, LineNo: 0 }
    await pushTo(url, oneNetBody(Secret, oneNetReport(number, 'pFire', { residual: 20 }, Date.now() - 1_000)))
    await house.settled()
    expect((await house.all.anna.call(analyseStatus, { body: { Targets: [target] } })).items).toMatchObject([
      { Link: 'online', Unreachable: unsent },
    ])
    const Settings = [{ Key: 'residual.alarm', Value: 400 }]
    const refused = { message: 'not reachable', problem: { failure: { Text: unsent } } }
    await expect(house.all.anna.call(updateLine, { body: { ...target, Settings, ...order() } })).rejects.toMatchObject(refused)
    await expect(
      house.all.anna.call(setReportingInterval, { body: { DeviceID, Seconds: 60, ...order() } }),
    ).rejects.toMatchObject(refused)
    expect((await house.all.anna.call(settingHistory, { body: { Target: target } })).items).toEqual([])
  })
})

test('what is pushed again, or replayed with another time, is answered and done once', async () => {
  const { url, Secret, Push } = await house.subscribed('onenet')
  const { number } = await house.detector('NB-TWICE-1')
  const first = oneNetBody(Secret, oneNetReport(number, 'pSmoke', { battery: 70 }, Date.now() - 5_000))
  expect(await pushTo(url, first)).toMatchObject({ status: 200, Code: 1 })
  await pushTo(url, oneNetBody(Secret, oneNetReport(number, 'pSmoke', { battery: 60 }, Date.now())))
  await house.settled()
  const before = await house.lineOf(number)
  expect(await pushTo(url, first)).toMatchObject({ status: 200, Message: 'push duplicate' })
  // OneNET's signature covers neither time nor id.
  const replayed = JSON.stringify({ ...JSON.parse(first), time: Date.now(), id: 'another' })
  expect(await pushTo(url, replayed)).toMatchObject({ status: 200, Message: 'push duplicate' })
  await house.settled()
  expect(await house.lineOf(number)).toMatchObject({ State: before.State })
  expect(await house.recordOf(Push.PushID)).toMatchObject({ Accepted: 2, Duplicates: 2 })
})

test('two equal reports are two when the platform says so by another nonce; the same signed bytes are one', async () => {
  const { url, Secret, Push } = await house.subscribed('onenet')
  const { number } = await house.detector('NB-EQUAL-1')
  const msg = ` ${JSON.stringify(oneNetReport(number, 'pSmoke', { battery: 70 }, Date.now() - 1_000))}`
  const send = (nonce: string, text: string) =>
    pushTo(url, JSON.stringify({ msg: text, nonce, signature: oneNetSignature(Secret, nonce, text), time: Date.now() }))
  expect(await send('one', msg)).toMatchObject({ Code: 1, Message: '' })
  expect(await send('two', msg)).toMatchObject({ Code: 1, Message: '' })
  // The signature does not say where the nonce ends.
  expect(await send('one ', msg.slice(1))).toMatchObject({ Message: 'push duplicate' })
  expect(await house.recordOf(Push.PushID)).toMatchObject({ Accepted: 2, Duplicates: 1 })
})

test('what was accepted and not yet processed when the server stopped is processed by the next', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linewarden-push-'))
  const owners = await startTwoOwners({ dataDir })
  const { anna, stack } = owners
  try {
    const HouseID = (await newProject(anna, '重启项目')).HouseID
    const gateway = newGateway('NB-RESTART-1')
    await anna.call(addGateway, { body: { HouseID, ...gateway } })
    const made = await anna.call(addPush, { body: { HouseID, Platform: 'ctwing', Name: 'x', Products: pushedProducts } })
    // The door stays open, nothing behind it works any more: the moment a server dies in.
    await stack.server.push.close()
    const at = Date.now() - 1_000
    const reply = await pushTo(
      `${stack.url}${made.Push.Path}/${made.Secret}`,
      JSON.stringify(ctwingReport(gateway.IMEI, 'pGas', { gas_value: 2 }, at)),
    )
    expect(reply).toMatchObject({ status: 200, Code: 1 })
    expect((await anna.call(listPushes, { query: { HouseID } })).items).toMatchObject([{ Accepted: 1, Waiting: 1 }])
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
      expect((await again.call(listPushes, { query: { HouseID } })).items).toMatchObject([{ Accepted: 1, Waiting: 0 }])
    } finally {
      await server.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
