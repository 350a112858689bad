import { addGateway, enableGateway } from '@linewarden/contract'
import { ctwingReport, oneNetBody, oneNetReport, pushTo } from '@linewarden/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { jsonGateway } from '../../kit/json-gateway.ts'
import { PushHouse } from '../../kit/push-house.ts'
import { newGateway, newProject } from '../../kit/two-owners.ts'

let house: PushHouse

beforeAll(async () => {
  house = await PushHouse.start()
})
beforeEach(() => house.anotherProject())
afterAll(() => house?.close())

describe('of a message of OneNET', () => {
  async function asideOf(message: unknown) {
    const { url, Secret, Push } = await house.subscribed('onenet')
    expect(await pushTo(url, oneNetBody(Secret, message))).toMatchObject({ status: 200, Code: 1 })
    await house.settled()
    return (await house.aside(Push.PushID)).map(({ Reason }) => Reason)
  }

  test('that says nowhere when it was measured nothing is taken', async () => {
    const { number } = await house.detector('NB-UNDATED-1')
    const report = oneNetReport(number, 'pSmoke', {}, 0)
    const undated = { ...report, data: { ...report.data, params: { battery: { value: 80 } } } }
    expect(await asideOf(undated)).toEqual(['time'])
    expect(house.all.stack.server.plant.deviceByControllerId.get(number)).toBeUndefined()
  })

  test('in seconds nothing is taken, and it is told as that', async () => {
    const { number } = await house.detector('NB-SECONDS-1')
    const seconds = Math.round(Date.now() / 1_000)
    expect(await asideOf(oneNetReport(number, 'pSmoke', { battery: 1 }, seconds))).toEqual(['time_unit'])
  })

  test('with more than 200 reports nothing is taken, and one copy is kept', async () => {
    const report = oneNetReport('NB-MANY-1', 'pSmoke', { battery: 1 }, Date.now())
    expect(await asideOf(Array(201).fill(report))).toEqual(['push_form'])
  })

  test('one copy is kept for each reason, however many of its reports are bad', async () => {
    const at = Date.now()
    const { number } = await house.detector('NB-REASONS-1')
    const unknown = Array.from({ length: 5 }, (_, i) => oneNetReport(`NB-NOWHERE-${i}`, 'pSmoke', { battery: 1 }, at))
    const other = [1, 2].map(() => oneNetReport(number, 'pOther', { battery: 1 }, at))
    expect((await asideOf([...unknown, ...other])).toSorted()).toEqual(['unknown_device', 'unknown_product'])
    const [one, two] = [await house.detector('NB-BAD-1'), await house.detector('NB-BAD-2')]
    const bad = [one, two, one].map((each, i) => oneNetReport(each.number, 'pSmoke', { smoke_state: 99 }, at + i))
    expect(await asideOf(bad)).toEqual(['unknown_state'])
  })
})

test('a breaker gateway is made no detector, whether it is connected or away', async () => {
  const { url, Push } = await house.subscribed('ctwing')
  const gateway = { ...newGateway('NB-BREAKER-1'), Platform: 'json' } as const
  const { Gateway, Secret } = await house.all.anna.call(addGateway, { body: { HouseID: house.HouseID, ...gateway } })
  const { plant, ingest, mqttPort } = house.all.stack.server
  const push = async () => {
    await pushTo(url, JSON.stringify(ctwingReport(gateway.IMEI, 'pGas', { gas_value: 3 }, Date.now())))
    await house.settled()
    return (await house.aside(Push.PushID)).map(({ Detail }) => Detail)
  }
  const own = await jsonGateway(mqttPort, gateway.Number, Secret)
  expect(await push()).toEqual(['gateway NB-BREAKER-1 is connected by MQTT'])
  await own.publish('birth', { devices: [{ id: 'NB-B-1', values: { 'info/model': '1PN', '1/position': 'closed' } }] })
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
    const { url, Push } = await house.subscribed('ctwing')
    expect(await pushTo(url, JSON.stringify(report(Date.now())))).toMatchObject({ status: 200, Code: 1 })
    await house.settled()
    expect(await house.recordOf(Push.PushID)).toMatchObject({ Accepted: 1, SetAside: 1, Waiting: 0 })
    return (await house.aside(Push.PushID)).map(({ Reason }) => Reason)
  }

  test('a device that the project does not have', async () => {
    expect(await reasonOf((at) => ctwingReport('861111111111111', 'pGas', { gas_value: 1 }, at))).toEqual(['unknown_device'])
  })

  test('a device of another project, whoever owns it', async () => {
    const other = await newProject(house.all.bert, '别人的项目')
    const gateway = newGateway('NB-BERT-1')
    await house.all.bert.call(addGateway, { body: { HouseID: other.HouseID, ...gateway } })
    expect(await reasonOf((at) => ctwingReport(gateway.IMEI, 'pGas', { gas_value: 1 }, at))).toEqual(['unknown_device'])
  })

  test('a product that has no model', async () => {
    const { imei } = await house.detector('NB-NOMODEL-1')
    expect(await reasonOf((at) => ctwingReport(imei, 'pOther', { gas_value: 1 }, at))).toEqual(['unknown_product'])
  })

  test('such a product of a detector that is known', async () => {
    const { imei } = await house.detector('NB-KNOWN-1')
    const { url } = await house.subscribed('ctwing')
    const report = (product: string) => ctwingReport(imei, product, { gas_value: 1 }, Date.now())
    expect(await pushTo(url, JSON.stringify(report('pGas')))).toMatchObject({ Code: 1 })
    await house.settled()
    expect(await reasonOf(() => report('pOther'))).toEqual(['unknown_product'])
  })

  test('a gateway that is disabled', async () => {
    const { imei, DeviceID } = await house.detector('NB-OFF-1')
    await house.all.anna.call(enableGateway, { params: { DeviceID }, body: { Enabled: false } })
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
