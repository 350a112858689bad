import type { Metric } from '@linewarden/sparkplug'
import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestEdge } from '../test-ingest.ts'
import { group, TestIngest } from '../test-ingest.ts'

let plant: TestIngest
let edge: TestEdge

beforeAll(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
})
afterAll(() => plant.close())

const text = (name: string, value: string) => metric({ name, type: DataType.String, value })
const integers = [
  [DataType.Int8, -128, 127],
  [DataType.Int16, -32_768, 32_767],
  [DataType.Int32, -200_000, 200_000],
  [DataType.Int64, -200_000, 200_000],
] as const
/** What a point measures, as its edge would write it. */
const measured = fc.oneof(
  ...integers.map(([type, min, max]) => fc.record({ type: fc.constant(type), value: fc.integer({ min, max }) })),
  fc.record({
    type: fc.constantFrom(DataType.Float, DataType.Double),
    value: fc.integer({ min: -8_000, max: 8_000 }).map((each) => each / 8),
  }),
)
const keys = ['power.a', 'power.b', 'power.c', 'power.total'] as const

/** How an edge writes, as far as the standard leaves it free. */
const dialect = fc.record({
  aliased: fc.boolean(),
  nameBesideAlias: fc.boolean(),
  typed: fc.boolean(),
  ownTimes: fc.boolean(),
  historical: fc.boolean(),
  order: fc.shuffledSubarray([...keys], { minLength: keys.length }),
  points: fc.tuple(measured, measured, measured, measured),
  born: fc.boolean(),
})

test('whatever way of the standard an edge writes its values, what is stored is what was measured', async () => {
  await fc.assert(
    fc.asyncProperty(dialect, async ({ aliased, nameBesideAlias, typed, ownTimes, historical, order, points, born }) => {
      plant.now += 60_000
      await edge.nodeBirth()
      const of = (key: string) => points[keys.indexOf(key as (typeof keys)[number])] ?? points[0]
      const alias = (key: string) => (aliased ? 1_000 + order.indexOf(key as (typeof keys)[number]) : null)
      const births = order.map((key) =>
        metric({ name: `1/${key}`, alias: alias(key), type: of(key).type, value: born ? of(key).value : null }),
      )
      await edge.publish(
        deviceTopic(group, 'DBIRTH', 'G1', edge.device),
        encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: [text('info/model', '3P'), ...births] }),
      )
      plant.now += 10_000
      const at = plant.now - (historical ? 5_000 : 0)
      const data: Metric[] = order.map((key) =>
        metric({
          name: aliased && !nameBesideAlias ? null : `1/${key}`,
          alias: alias(key),
          type: of(key).type,
          value: of(key).value,
          timestampMs: ownTimes ? at : null,
          isHistorical: historical,
        }),
      )
      await edge.publish(
        edge.dataTopic,
        encodePayload({ timestampMs: at, seq: edge.nextSeq(), metrics: data }, { typed: () => typed }),
      )
      const line = plant.line()
      const slots = keys.map((key) => line.device.family.points.find((point) => point.key === key)?.slot ?? -1)
      const [row] = await plant.rows<Record<string, number | null>>(
        `select ${slots.map((slot) => `v${slot}`).join(', ')}, quality from reading where line_id = ${line.id} and at = to_timestamp(${at / 1_000})`,
      )
      expect(slots.map((slot) => row?.[`v${slot}`])).toEqual(points.map(({ value }) => Math.fround(value)))
      if (!historical) expect(keys.map((key) => plant.value(key))).toEqual(points.map(({ value }) => Math.fround(value)))
    }),
    { numRuns: 60 },
  )
  expect(await plant.quarantined()).toEqual([])
  expect(edge.received).toEqual([])
})

test.each(integers)(
  'a negative integer of type %i without its type is read by the type of the birth, of gateway and device',
  async (type) => {
    const named = (name: string, value: number, alias: number | null) => metric({ name, alias, type, value })
    for (const alias of [null, 8]) {
      plant.now += 60_000
      await edge.nodeBirth([named('info/signal', -71, alias)])
      await edge.deviceBirth(edge.device, {}, [named('1/temperature.a', -4, alias === null ? null : 9)])
      plant.now += 60_000
      const publish = (topic: string, name: string, value: number, by: number | null) =>
        edge.publish(
          topic,
          encodePayload(
            {
              timestampMs: plant.now,
              seq: edge.nextSeq(),
              metrics: [metric({ name: by === null ? name : null, alias: by, type, value })],
            },
            { typed: () => false },
          ),
        )
      await publish(edgeTopic(group, 'NDATA', 'G1'), 'info/signal', -95, alias)
      await publish(edge.dataTopic, '1/temperature.a', -7, alias === null ? null : 9)
      expect([plant.plant.gatewayByNumber.get('G1')?.signal?.dbm, plant.value('temperature.a')]).toEqual([-95, -7])
    }
    expect([await plant.alarms(), await plant.quarantined()]).toEqual([[], []])
  },
)
