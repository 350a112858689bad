import { addGateway, addGateways, gatewayByNumber, maxGateways } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { tryConnect } from '../../kit/try-connect.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newImei, newProject, startTwoOwners } from '../../kit/two-owners.ts'

let all: TwoOwners
let houseId: number

beforeAll(async () => {
  all = await startTwoOwners()
  houseId = (await newProject(all.anna, '导入项目')).HouseID
})
afterAll(() => all?.close())

describe('a batch', () => {
  const good = (number: string) => ({ Number: number, Name: '柜', IMEI: newImei(), Platform: 'sparkplug', DeviceType: '4G' })

  test('names every bad cell and adds nothing', async () => {
    await all.anna.call(addGateway, { body: { HouseID: houseId, ...newGateway('TAKEN-1') } })
    const twice = good('BATCH-2')
    const Rows = [
      good('BATCH-1'),
      { ...good('bad/number'), Name: ' ', IMEI: '123' },
      { ...good('TAKEN-1'), Platform: 'carrier pigeon', DeviceType: '9G' },
      twice,
      { ...good('BATCH-2'), IMEI: twice.IMEI },
    ]
    const reply = await all.anna.call(addGateways, { body: { HouseID: houseId, DryRun: false, Rows } })
    expect(reply.Added).toBe(0)
    expect(reply.Problems.map((each) => `${each.Row}:${each.Column}`)).toEqual([
      '2:Number',
      '2:Name',
      '2:IMEI',
      '3:Number',
      '3:Platform',
      '3:DeviceType',
      '5:Number',
      '5:IMEI',
    ])
    expect(await outcomeOf(all.anna.call(gatewayByNumber, { params: { Number: 'BATCH-1' } }))).toBe('DeviceState:NotAdded')
  })

  test('names a remark that is too long, instead of cutting it', async () => {
    const Rows = [
      { ...good('LONG-1'), Remark: '注'.repeat(201) },
      { ...good('LONG-2'), Remark: '注'.repeat(200) },
    ]
    const reply = await all.anna.call(addGateways, { body: { HouseID: houseId, DryRun: true, Rows } })
    expect(reply.Problems.map(({ Row, Column }) => [Row, Column])).toEqual([[1, 'Remark']])
  })

  test('of which a part is here already is not refused as a whole: what is here is named, and only the rest counts', async () => {
    const { HouseID } = await newProject(all.anna, '分批导入')
    const Rows = Array.from({ length: maxGateways }, (_, i) => good(`PART-${i}`))
    const call = (DryRun: boolean, rows: typeof Rows) => all.anna.call(addGateways, { body: { HouseID, DryRun, Rows: rows } })
    expect((await call(false, Rows.slice(0, 150))).Added).toBe(150)
    const again = await call(true, Rows)
    expect(new Set(again.Problems.map(({ Row }) => Row))).toEqual(new Set(Array.from({ length: 150 }, (_, i) => i + 1)))
    expect((await call(false, Rows.slice(150))).Added).toBe(50)
    expect((await call(true, Rows)).Problems).toHaveLength(2 * maxGateways)
    // Of new ones, those for which there is no place are named, so that the others can come in.
    const other = (await newProject(all.anna, '将满')).HouseID
    const into = (DryRun: boolean, rows: typeof Rows) =>
      all.anna.call(addGateways, { body: { HouseID: other, DryRun, Rows: rows } })
    const most = Array.from({ length: maxGateways - 2 }, (_, i) => good(`FULL-${i}`))
    expect((await into(false, most)).Added).toBe(maxGateways - 2)
    const more = [good('MORE-1'), { ...good('MORE-2'), Name: '' }, good('MORE-3'), good('MORE-4')]
    for (const DryRun of [true, false]) {
      const { Added, Problems } = await into(DryRun, more)
      expect([Added, Problems.map(({ Row, Column }) => [Row, Column])]).toEqual([
        0,
        [
          [2, 'Name'],
          [4, 'Number'],
        ],
      ])
    }
  })

  test('sent by five at once comes in once; each of the others is told which rows are taken', async () => {
    const Rows = [good('RACE-1'), good('RACE-2')]
    const five = Array.from({ length: 5 }, () =>
      all.anna.call(addGateways, { body: { HouseID: houseId, DryRun: false, Rows } }).catch((error: Error) => error.message),
    )
    const outcomes = (await Promise.all(five)).map((each) =>
      typeof each === 'string'
        ? each
        : each.Added > 0
          ? 'added'
          : each.Problems.map(({ Row, Column }) => `${Row}:${Column}`).join(),
    )
    const taken = '1:Number,1:IMEI,2:Number,2:IMEI'
    expect(outcomes.sort()).toEqual([taken, taken, taken, taken, 'added'])
  })

  test('that was refused for a number nobody has by now is refused, and never answered as if nothing was asked', async () => {
    await all.anna.call(addGateway, { body: { HouseID: houseId, ...newGateway('GONE-1') } })
    // In use when the row is written, and nobody's when it is looked up.
    const gone = all.stack.server.database.general.updateTable('gateway').set({ removed_at: new Date() })
    await gone.where('number', '=', 'GONE-1').execute()
    const body = { HouseID: houseId, DryRun: false, Rows: [good('GONE-1')] }
    expect(await outcomeOf(all.anna.call(addGateways, { body }))).toBe('device exists')
  })

  test('is checked without adding, then added with a secret each', async () => {
    const Rows = [good('DRY-1'), good('DRY-2')]
    const dry = await all.anna.call(addGateways, { body: { HouseID: houseId, DryRun: true, Rows } })
    expect([dry.Added, dry.Problems]).toEqual([0, []])
    const real = await all.anna.call(addGateways, { body: { HouseID: houseId, DryRun: false, Rows } })
    expect(real.Added).toBe(2)
    expect(await tryConnect(all.stack.server.mqttPort, 'DRY-2', real.Gateways[1]?.Secret ?? '')).toBe('in')
  })
})
