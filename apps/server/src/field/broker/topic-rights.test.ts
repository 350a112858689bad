import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { TestIngest } from '../test-ingest.ts'
import { mayPublish, maySubscribe } from './topic-rights.ts'

describe('a gateway may publish', () => {
  test.each([
    'spBv1.0/any/NBIRTH/G1',
    'spBv1.0/any/NDEATH/G1',
    'spBv1.0/any/NDATA/G1',
    'spBv1.0/any/DBIRTH/G1/C1',
    'spBv1.0/any/DDATA/G1/C1',
    'spBv1.0/any/DDEATH/G1/C1',
    'linewarden/v1/G1/birth',
    'linewarden/v1/G1/data',
    'linewarden/v1/G1/death',
    'linewarden/v1/G1/result',
  ])('on its own %s', (topic) => expect(mayPublish('G1', topic)).toBe(true))

  test.each([
    'spBv1.0/any/NBIRTH/G2',
    'spBv1.0/any/DDATA/G2/C1',
    'spBv1.0/any/NCMD/G1',
    'spBv1.0/any/DCMD/G1/C1',
    'spBv1.0/any/DDATA/G1',
    'spBv1.0/any/DDATA/G1/C1/more',
    'spBv1.0/STATE/linewarden',
    'linewarden/v1/G2/data',
    'linewarden/v1/G1/command',
    'linewarden/v2/G1/data',
    '$SYS/anything',
    'anything',
    '',
  ])('not on %s', (topic) => expect(mayPublish('G1', topic)).toBe(false))
})

describe('a gateway may listen', () => {
  test.each([
    'spBv1.0/any/NCMD/G1',
    'spBv1.0/+/NCMD/G1',
    'spBv1.0/any/NCMD/G1/#',
    'spBv1.0/any/DCMD/G1/+',
    'spBv1.0/any/DCMD/G1/#',
    'spBv1.0/any/DCMD/G1/C1',
    'spBv1.0/STATE/linewarden',
    'linewarden/v1/G1/command',
  ])('to %s', (filter) => expect(maySubscribe('G1', filter, 'linewarden')).toBe(true))

  test.each([
    '#',
    '+/#',
    'spBv1.0/#',
    'spBv1.0/any/#',
    'spBv1.0/any/DCMD/#',
    'spBv1.0/any/DCMD/+/+',
    'spBv1.0/any/DCMD/G2/+',
    'spBv1.0/any/NCMD/G2',
    'spBv1.0/any/DDATA/G1/+',
    'spBv1.0/STATE/#',
    'linewarden/v1/+/command',
    'linewarden/v1/G2/command',
    'linewarden/v1/G1/#',
    '$share/all/spBv1.0/any/NCMD/G1',
    '$SYS/#',
  ])('not to %s', (filter) => expect(maySubscribe('G1', filter, 'linewarden')).toBe(false))

  test('never to anything that another gateway could publish or receive', () => {
    const part = fc.constantFrom(
      'spBv1.0',
      'any',
      '+',
      '#',
      'NCMD',
      'DCMD',
      'NDATA',
      'G2',
      'C1',
      'linewarden',
      'v1',
      'command',
      '$share',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        expect(maySubscribe('G1', parts.join('/'), 'host')).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the broker', () => {
  test('refuses a subscription in its answer, ends a connection that publishes elsewhere or retained, and keeps what it was', async () => {
    const plant = await TestIngest.start()
    try {
      const edge = await plant.edge()
      for (const filter of ['#', '$share/g/spBv1.0/plant/NCMD/G1', 'spBv1.0/plant/DCMD/G2/+']) {
        await expect(edge.client.subscribeAsync(filter)).rejects.toThrow()
      }
      expect(edge.client.connected).toBe(true)

      for (const [topic, retain] of [
        ['spBv1.0/plant/DDATA/G2/C-G2', false],
        ['spBv1.0/plant/DDATA/G1/C-G1', true],
      ] as const) {
        const intruder = await plant.edge()
        intruder.publish(topic, 'x', { retain }).catch(() => {})
        await vi.waitUntil(() => !intruder.client.connected)
      }
      await vi.waitFor(async () => expect(await plant.quarantined()).toEqual(['topic', 'retained']))
    } finally {
      await plant.close()
    }
  })

  test('a gateway hears that the host is there, and nothing another gateway says', async () => {
    const plant = await TestIngest.start()
    try {
      const edge = await plant.edge('G2')
      await edge.client.subscribeAsync('spBv1.0/STATE/linewarden', { qos: 1 })
      await vi.waitUntil(() => edge.received.length > 0)
      expect(JSON.parse(edge.received[0]?.payload.toString() ?? '')).toEqual({ online: true, timestamp: plant.now })
      const other = await plant.edge('G1')
      await other.birth()
      await other.data({ values: { residual: 1 } })
      expect(edge.received).toHaveLength(1)
    } finally {
      await plant.close()
    }
  })
})
