import type { Metric } from '@linewarden/sparkplug'
import { DataType, deviceTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestEdge } from '../test-ingest.ts'
import { group, TestIngest } from '../test-ingest.ts'

let plant: TestIngest
let edge: TestEdge

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.nodeBirth()
})

afterEach(() => plant.close())

const text = (name: string, value: string) => metric({ name, type: DataType.String, value })
const figure = (name: string, value: number) => metric({ name, type: DataType.Float, value })
const state = (name: string, value: number) => metric({ name, type: DataType.Int32, value })

/** A detector's message, of now. */
async function reported(kind: 'DBIRTH' | 'DDATA', ...metrics: readonly Metric[]): Promise<void> {
  const topic = deviceTopic(group, kind, edge.number, 'D1')
  await edge.publish(topic, encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: [...metrics] }))
}
const born = (model: string, ...metrics: readonly Metric[]) => reported('DBIRTH', text('info/model', model), ...metrics)

const raised = () =>
  plant.rows<{ key: string; value: number | null; limit_value: number | null; unit: string }>(
    "select key, value, limit_value, unit from event where kind = 'alarm' order by event_id",
  )

test('an alarm that a gas detector judged tells its value and limit, wherever in the message the value stands', async () => {
  await born('GAS-1', state('gas.alarm', 0), figure('gas', 1), figure('settings/gas.low', 12))
  plant.now += 2_000
  await reported('DDATA', state('gas.alarm', 1), figure('gas', 14.5))
  plant.now += 2_000
  await reported('DDATA', figure('gas', 61.5), state('gas.alarm', 2))
  expect(await raised()).toEqual([
    { key: 'gas.low', value: 14.5, limit_value: 12, unit: '%LEL' },
    { key: 'gas.high', value: 61.5, limit_value: 50, unit: '%LEL' },
  ])
})

test('a smoke alarm tells its value; what it was judged against nobody outside the detector knows', async () => {
  await born('SM-1', state('smoke.alarm', 0), figure('smoke', 0.5))
  plant.now += 2_000
  await reported('DDATA', state('smoke.alarm', 1), figure('smoke', 14))
  expect(await raised()).toEqual([{ key: 'smoke.alarm', value: 14, limit_value: null, unit: '%/m' }])
})

test('of several temperatures the highest is told', async () => {
  await born('TCQ-RS', state('fire.alarm', 0), figure('settings/temperature.alarm', 65))
  plant.now += 2_000
  await reported('DDATA', state('fire.alarm', 2), figure('temperature.a', 31), figure('temperature.c', 88))
  expect(await raised()).toEqual([{ key: 'fire.temperature', value: 88, limit_value: 65, unit: '°C' }])
})

test('a value of a message before is told while anybody would act on it, and an older one is not', async () => {
  await born('SM-1', state('smoke.alarm', 0), figure('smoke', 13))
  plant.now += 9_000
  await reported('DDATA', state('smoke.alarm', 1))
  await reported('DDATA', state('smoke.alarm', 0))
  plant.now += 9_000
  await reported('DDATA', state('smoke.alarm', 1))
  const steps = await plant.rows<{ act: string; value: number | null }>('select act, value from event_transition order by at')
  expect(steps.filter(({ act }) => act === 'raise').map(({ value }) => value)).toEqual([13, null])
})

test('a value from before the alarm, below what it was judged against, is not told as the one that was judged', async () => {
  await born('GAS-1', state('gas.alarm', 0), figure('gas', 9.8), figure('settings/gas.low', 10))
  plant.now += 1_000
  await reported('DDATA', state('gas.alarm', 1))
  expect(await raised()).toEqual([{ key: 'gas.low', value: null, limit_value: null, unit: '' }])
})
